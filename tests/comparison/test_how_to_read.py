from __future__ import annotations

from core.comparison import how_to_read
from core.records.trace import frozen
from tests.sentences import numbers

BANK = ("bank", "bank")


def test_a_plain_projection_says_its_shares_and_that_it_shows_depth() -> None:
    said = how_to_read.of_projection(BANK, frozen([0.714, 0.1]))
    assert numbers(said) == [2, 71, 10]
    assert "depth, not meaning" in said


def test_legends_name_what_the_word_is_held_against() -> None:
    assert "“bank” alone" in how_to_read.of_cosine(BANK)
    assert "“bank” and “shore” alone" in how_to_read.of_cosine(("bank", "shore"))
