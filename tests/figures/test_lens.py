"""The grid of what each state reads as: rows from the last layer down, words, notes, cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.figures import Picture, lens_grid
from core.figures.lens import cell_of, note
from tests.records.test_lens import grid


def draw(**more: Any) -> Picture:
    given = {"chosen": None} | more
    return lens_grid(grid(), sentence="A grid.", name="layers", **given)


def test_the_last_layer_is_the_first_row() -> None:
    header = draw(chosen=(2, 1)).header
    assert header["rows"] == ("3", "2", "1", "input")
    assert header["rowNames"] == ("after layer 3", "after layer 2", "after layer 1", "input of layer 1")
    assert header["columns"] == ("␣Mary", "␣went")
    assert header["labels"] == ("␣John", "↵", "␣the", "↵", "␣John", "↵", "␣the", "↵")
    assert header["firm"] == "11011101"
    assert header["chosen"] == 3
    assert header["scale"]["root"] is False
    assert "most" not in header["scale"]  # the scale ends at 1


def test_bytes_hold_the_probability_of_each_word() -> None:
    numbers = np.frombuffer(draw().payload, "<f4").reshape(4, 2)
    expected = np.array([[1, 1], [0.7, 0.7], [0.6, 0.6], [0.5, 0.5]], np.float32)
    np.testing.assert_array_equal(numbers, expected)


def test_a_note_has_the_next_words_and_the_place_of_the_one_that_was_asked_for() -> None:
    assert note(grid(), 0, 0) == "then ␣John 0.2500; ␣John: place 2, 0.2500"
    assert note(grid(), 0, 1) == "then ␣the 0.2500; ␣John: place 901, 0.0000"
    bare = grid(word=None, word_probabilities=None, word_ranks=None)
    assert note(bare, 3, 0) == "then ␣the 0.0000"
    assert draw().header["notes"][-1] == note(grid(), 0, 1)


def test_an_event_says_which_state_was_chosen() -> None:
    for chosen in ((0, 0), (3, 1), (2, 0)):
        assert cell_of(grid(), draw(chosen=chosen).header["chosen"]) == chosen


def test_tokens_of_other_kinds_have_names() -> None:
    own = grid(
        tokens=("[CLS]", "Ġא", "Ċ"), offsets=((0, 0), (0, 2), (2, 3)), positions=(0, 2), text=" א\n"
    )
    header = lens_grid(own, sentence="s", name="n").header
    assert header["columns"] == ("[CLS]", "↵")


@pytest.mark.parametrize("chosen", [(4, 0), (0, 2), (-1, 0)])
def test_no_such_cell_is_refused(chosen: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no cell"):
        draw(chosen=chosen)


def test_nothing_to_draw_is_refused() -> None:
    empty = grid(
        positions=(),
        likeliest=np.zeros((4, 0, 2)),
        probabilities=np.zeros((4, 0, 2)),
        word=None,
        word_probabilities=None,
        word_ranks=None,
    )
    with pytest.raises(ValueError, match="nothing to draw"):
        lens_grid(empty, sentence="s", name="n")


def test_a_small_probability_does_not_read_as_zero() -> None:
    shares = np.array([[0.25, 1e-6]] * 4)
    own = grid(word_probabilities=shares)
    assert note(own, 0, 1).endswith("place 901, < 0.0001")
