"""Meanings to choose from: those that fit into a row, and the rest on demand."""

from __future__ import annotations

from ui.sense_ends import ROW, _in_a_row

LONG = "a definition of about forty letters, or so"
OFFERED = ("one", "two", "three", "four", "five", "six")


def chips(*names: str) -> dict[str, str]:
    """What stands on each chip: the whole name."""
    return {one: one for one in names}


def test_short_ones_stand_in_a_row_all_of_them() -> None:
    assert _in_a_row(chips(*OFFERED), ("six",)) == [*OFFERED]


def test_of_long_ones_the_first_and_those_in_use() -> None:
    one, two, *_, five, six = offered = [f"{LONG}{name}" for name in OFFERED]
    assert _in_a_row(chips(*offered), ()) == [one, two]
    assert _in_a_row(chips(*offered), (five, six)) == [five, six]
    assert _in_a_row(chips(*offered), (six,)) == [one, six]


def test_none_stands_before_one_that_is_left_out() -> None:
    assert _in_a_row(chips(LONG, LONG * (ROW // 50), "short"), ()) == [LONG]
