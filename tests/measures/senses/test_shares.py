from __future__ import annotations

import pytest

from core.measures.senses.shares import shares, wilson


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        # Newcombe 1998, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_published_intervals(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("count", "total"), [(-1, 3), (4, 3), (0, 0)])
def test_no_share(count: int, total: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(count, total)


def test_shares_of_each_value_add_up_and_nothing_is_counted_without_one() -> None:
    found = shares([0, 0, 1, 0, 1], [1990, 1990, 1990, None, 2005])
    assert [(one.value, one.sense, one.count, one.total) for one in found] == [
        (1990, 0, 2, 3),
        (1990, 1, 1, 3),
        (2005, 0, 0, 1),
        (2005, 1, 1, 1),
    ]
    assert found[0].share == pytest.approx(2 / 3)
    assert all(one.low <= one.share <= one.high for one in found)
