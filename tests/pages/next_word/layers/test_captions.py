"""What Layer by layer says of its numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.records.lens import LensGrid
from pages.next_word.layers import captions
from tests.records.test_lens import LIKELIEST, grid


def saying(first: int) -> LensGrid:
    """A grid of three layers whose one column says 7 from this depth on."""
    ids = np.full((4, 1, 2), 4)
    ids[..., 1] = 5
    ids[first:, :, 0] = 7
    shares = np.full((4, 1, 2), 0.25)
    bare = {"word": None, "word_probabilities": None, "word_ranks": None}
    return grid(positions=(2,), likeliest=ids, probabilities=shares, **bare)


END = "after the last of 3 layers"


@pytest.mark.parametrize(
    ("plain", "fitted", "said"),
    [
        (3, 2, f"The fitted lens reads *John* from layer 2 of 3 on; the plain one only {END}."),
        (3, 0, f"The fitted lens reads *John* from the input on; the plain one only {END}."),
        (1, 3, f"The plain lens reads *John* from layer 1 of 3 on, the fitted one only {END}."),
        (2, 2, "Both lenses read *John* from layer 2 of 3 on."),
        (3, None, f"The plain lens reads *John* {END}."),
    ],
)
def test_from_which_layer_on_each_lens_reads_the_answer(
    plain: int, fitted: int | None, said: str
) -> None:
    mapped = None if fitted is None else saying(fitted)
    assert captions.headline(saying(plain), mapped, 0, 0) == said


def test_a_cell_in_words_with_the_word_that_was_asked_for() -> None:
    assert captions.cell(grid(), 1, 0) == "*John* 60 %, *the* 10 %"
    said = captions.cell(grid(), 0, 1)
    assert said == "*\\(line break\\)* 50 %, *the* 25 %; *John* at place 901, 0 %"


def test_where_a_word_stands_best() -> None:
    said = captions.asked(grid(), 1)
    assert "after layer 1" in said
    assert "place 2, 10 %" in said
    assert captions.asked(saying(1), 0) == ""


def following(ranks: tuple[int, ...], shares: tuple[float, ...]) -> str:
    """What is said of a word with these places and probabilities after each layer."""
    one = replace(
        saying(1),
        word=7,
        word_ranks=np.array(ranks)[:, None],
        word_probabilities=np.array(shares, "f4")[:, None],
    )
    return captions.asked(one, 0)


@pytest.mark.parametrize(
    ("ranks", "shares", "says"),
    [
        ((3, 0, 0, 0), (0, 0.05, 0.4, 0.7), "place 1 after layer 1 (5 %) and keeps it; 70 % after"),
        ((3, 0, 2, 0), (0, 0.05, 0.4, 0.7), "after layer 1 (5 %), loses it, and has it again"),
        (
            (0, 2, 0, 0),
            (0.1, 0.05, 0.4, 0.7),
            "at the input of layer 1 (10 %) and keeps it from layer 2",
        ),
        ((3, 2, 1, 0), (0, 0.05, 0.4, 0.7), "place 1 only after the last layer; 70 % there"),
        ((3, 0, 0, 1), (0, 0.05, 0.4, 0.3), "does not keep it: place 2 after the last layer, 30 %"),
        ((3, 1, 1, 1), (0, 0.05, 0.2, 0.1), "never comes to place 1; it stands best after layer 2"),
    ],
)
def test_when_a_word_comes_to_place_1_and_whether_it_keeps_it(
    ranks: tuple[int, ...], shares: tuple[float, ...], says: str
) -> None:
    assert says in following(ranks, shares)


def test_a_word_of_several_tokens_is_told_which_piece_is_followed() -> None:
    said = captions.pieces(grid(), "Johnson *")
    assert "“Johnson \\*”" in said
    assert "*John*" in said
    for whole in ("John", " John", "␣John"):
        assert captions.pieces(grid(), whole) == ""
    assert captions.pieces(saying(1), "John") == ""
    assert captions.pieces(grid(word=4, names={**grid().names, 4: "\n"}), "↵") == ""


def test_what_looks_like_markup_stays_text() -> None:
    own = replace(grid(), names={4: " <b>*x*", 5: "$y$", 7: "[z](u)"})
    said = captions.cell(own, 0, 0)
    assert "\\<b\\>" in said
    assert "](u)" not in said.replace("\\]\\(u\\)", "")
    assert LIKELIEST.shape == (4, 2, 2)
