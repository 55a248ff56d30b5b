from __future__ import annotations

import pytest

from core.measures.senses.shares import (
    MOST_STEPS,
    MOST_VALUES,
    Steps,
    at_least,
    in_order,
    is_time,
    shares,
    steps_of,
    wilson,
    years_of,
)


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


@pytest.mark.parametrize(
    ("count", "total", "chance", "p"),
    [
        (4, 4, 0.5, 1 / 16),
        (4, 6, 0.5, 22 / 64),
        (0, 6, 0.5, 1),
        (2.5, 4, 0.5, 11 / 16),  # a tie is rounded down
        (5.99999, 6, 0.25, 0.25**6),  # 6 of 6, in 32 bits
        (8, 10, 0.6, 0.16729),  # 45·.6⁸·.4² + 10·.6⁹·.4 + .6¹⁰
        (2_600, 5_000, 0.5, 0.00244),  # 2.828 standard deviations, less half a step
    ],
)
def test_how_often_guessing_does_as_well(count: float, total: int, chance: float, p: float) -> None:
    assert at_least(count, total, chance) == pytest.approx(p, rel=2e-3)


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


def test_few_numbers_stand_for_themselves() -> None:
    assert steps_of([1990, None, 2005, 1990], numeric=True) == Steps((1990, None, 2005, 1990))
    assert steps_of([None, None], numeric=True) == Steps((None, None))


def test_many_numbers_are_put_together_in_steps_of_a_round_length() -> None:
    years = [*range(1901, 2021), None]  # 119 / 24 is just below 5
    steps = steps_of(years, numeric=True)
    assert steps.length == 5
    assert steps.values[:5] == (1900, 1900, 1900, 1900, 1905)
    assert all(isinstance(value, int) for value in steps.values[:-1])
    assert steps.values[-1] is None
    assert len({*steps.values}) <= MOST_STEPS + 2


def test_a_number_at_the_edge_of_a_step_begins_it() -> None:
    tenths = [n / 10 for n in range(-5, 45)]  # 0.3 / 0.1 is below 3 in floating point
    steps = steps_of(tenths, numeric=True)
    assert steps.length == pytest.approx(0.5)
    expected = [number // 5 * 5 / 10 for number in range(-5, 45)]
    assert steps.values == pytest.approx(expected)
    fine = steps_of([n / 10 for n in range(25)], numeric=True)
    assert fine.values == pytest.approx([n / 10 for n in range(25)])


@pytest.mark.parametrize(
    "values", [[-1.7e308 + n * 1e307 for n in range(35)], [n * 5e-324 for n in range(30)]]
)
def test_the_largest_and_the_smallest_numbers(values: list[float]) -> None:
    steps = steps_of(values, numeric=True)
    assert len({*steps.values}) <= MOST_STEPS + 2


def test_the_commonest_texts_remain_and_the_others_are_counted() -> None:
    values = [str(n) for n in range(MOST_VALUES + 3) for _ in range(20 - n)] + [None]
    steps = steps_of(values, numeric=False)
    assert {*steps.values} == {None, *(str(n) for n in range(MOST_VALUES))}
    assert steps.left_out == sum(20 - n for n in range(MOST_VALUES, MOST_VALUES + 3))


def test_numbers_ascend_and_texts_follow_their_counts() -> None:
    numbers = in_order(shares([0, 1, 0], [2005, 9, 1990]), numeric=True)
    assert [one.value for one in numbers] == [9, 9, 1990, 1990, 2005, 2005]
    texts = in_order(shares([0, 0, 0, 0], ["b", "a", "c", "c"]), numeric=False)
    assert [one.value for one in texts] == ["c", "a", "b"]


def test_a_tie_counts_as_a_part_of_one() -> None:
    z = 1.959964  # by hand: ½ ± z √(¼ + z²/4) / (1 + z²)
    spread = z * (0.25 + z * z / 4) ** 0.5 / (1 + z * z)
    assert wilson(0.5, 1) == pytest.approx((0.5 - spread, 0.5 + spread))
    low, high = wilson(2.5, 5)
    assert low == pytest.approx(1 - high)


@pytest.mark.parametrize(
    ("name", "values", "time"),
    [
        ("year", [1990, None, 2005], True),
        ("pub_year", [1, 2], True),
        ("Erscheinungsjahr", [1890], True),
        ("x", [1850, 1990], True),  # its numbers look like years
        ("page", [1850, 1990], False),
        ("x", [3, 1990], False),
        ("x", [1850.5], False),
        ("chapter", ["a", "b"], False),
        ("year", [None], False),
    ],
)
def test_a_column_of_years_is_told_by_its_name_or_its_numbers(
    name: str, values: list[str | int | float | None], time: bool
) -> None:
    assert is_time(name, values) == time


def test_dates_are_their_years() -> None:
    assert years_of(["1969-07-20", "1969/7", "2001", None]) == [1969, 1969, 2001, None]
    assert years_of(["2001-09-11T08:46:00"]) == [2001]
    assert years_of(["1969-07-20", "summer"]) is None
    assert years_of(["1969 or so"]) is None
    assert years_of([1969, 1970]) is None
    assert years_of([None]) is None
    assert years_of(["²000", "19-7", ""]) is None
