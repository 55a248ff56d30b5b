"""Numbers typed into a small table: which ones are accepted, and how a table shows them."""

from __future__ import annotations

import numpy as np
import pytest

from core.walkthroughs import tiny_numbers, word_and_position
from core.walkthroughs.editable import decimals, typed_number


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        *(("3", 3.0), (" 0.125 ", 0.125), ("-100", -100.0), ("−5.5", -5.5), (".25", 0.25)),
        *(("1e2", 100.0), ("-0", 0.0), ("0.1", 0.1)),
    ],
)
def test_a_number_within_the_bounds_is_taken(typed: str, value: float) -> None:
    assert typed_number(typed) == value
    assert not np.signbit(typed_number(typed) or 0.0) or value < 0


@pytest.mark.parametrize(
    "typed",
    ["1e9", "-1e9", "100.001", "abc", "", " ", "−5.55555", "0,5", "nan", "inf", "1_0", None, 2.0, True],
)
def test_anything_else_is_refused_and_not_bent_into_something_else(typed: object) -> None:
    assert typed_number(typed) is None


def test_all_numbers_of_a_table_have_the_same_decimals() -> None:
    assert decimals(tiny_numbers.NUMBERS["W_Q"]) == 1
    assert decimals(word_and_position.TABLES.numbers["E"]) == 2
    assert decimals(word_and_position.TABLES.numbers["P"]) == 3
    assert decimals(word_and_position.TABLES.numbers["PAD"]) == 1
    edited = word_and_position.TABLES.changed({("E", 0, 0): 0.125})["E"]
    assert decimals(edited) == 3
