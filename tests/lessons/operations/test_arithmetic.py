"""Arithmetic with single numbers, and numbers that a lesson writes in digits."""

from __future__ import annotations

import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"+": [1, 2, 3]}, 6.0),
        ({"-": [1, 3]}, -2.0),
        ({"*": [2, 3, 4]}, 24.0),
        ({"/": [1, 4]}, 0.25),
        ({"abs": -2}, 2.0),
        ({"sqrt": 9}, 3.0),
        ({"exp": 0}, 1.0),
        ({"number": "−0.5"}, -0.5),
    ],
    ids=str,
)
def test_numbers_by_hand(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"+": [1, "2"]}, "number"),
        ({"+": [1, True]}, "number"),
        ({"/": [1, 0]}, "0"),
        ({"sqrt": -1}, "root"),
        ({"exp": 1000}, "finite"),
        ({"number": "1_0"}, "1_0"),
        ({"number": "1e5"}, "1e5"),
        ({"*": [1e300, 1e300]}, "finite"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)
