from __future__ import annotations

from core.comparison import how_to_read
from core.comparison.judge import Limit
from core.measures.senses.verdict import Bounds
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


def test_the_axis_says_its_middle_its_alone_and_how_far_is_far_enough() -> None:
    bounds = Bounds(0.7, 0.95, 0.0, -1.0, 0.79, 0.3, 0.96, 0.9, 0.9, 0.0, 0.0, 0.1, 0.1, 1440)
    said = how_to_read.of_axis(Limit(0.95, bounds))
    assert numbers(said.replace("1,440", "1440")) == [0, -1, 1, 0, 0.95, 0, 1440, 30, 96]
    assert "a text that holds nothing else" in said
    assert "*alone*, behind “The” and nothing else: " in how_to_read.of_axis(None, "The")
    assert numbers(how_to_read.of_axis(None)) == [0, -1, 1, 0]


def test_in_short_it_says_the_zero_the_band_and_what_comes_after_the_verdict() -> None:
    bounds = Bounds(0.7, 0.95, 0.0, -1.0, 0.79, 0.3, 0.96, 0.9, 0.9, 0.0, 0.0, 0.1, 0.1, 1440)
    said = how_to_read.in_short(Limit(0.95, bounds), "The", 15)
    assert numbers(said) == [0.95, 0, 15]
    assert "behind “The”" in said
    assert numbers(how_to_read.in_short(Limit(0.95, bounds))) == [0.95, 0]
    assert "band" not in how_to_read.in_short(None)
