"""The grid of what each state reads as: from which layer on, its table, what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.records.lens import LensGrid

# Two tokens, three layers: the first column says 7 in the end, and once before; the second always 5.
LIKELIEST = np.array([[[4, 7], [5, 4]], [[7, 4], [5, 7]], [[4, 7], [5, 4]], [[7, 4], [5, 4]]])
SHARES = np.array([[[0.5, 0.25]] * 2, [[0.6, 0.1]] * 2, [[0.7, 0.2]] * 2, [[1.0, 0.0]] * 2])


def grid(**changed: Any) -> LensGrid:
    given: dict[str, Any] = {
        "tokens": ("When", "ĠMary", "Ġwent"),
        "ids": (1, 2, 3),
        "offsets": ((0, 4), (5, 9), (10, 14)),
        "positions": (1, 2),
        "likeliest": LIKELIEST,
        "probabilities": SHARES,
        "names": {4: " the", 5: "\n", 7: " John"},
        "word": 7,
        "word_probabilities": np.array([[0.25, 0], [0.6, 0.1], [0.2, 0], [1, 0]]),
        "word_ranks": np.array([[1, 900], [0, 1], [1, 12], [0, 3]]),
        "lens": "plain",
        "fitted_on": "",
        "predicts": "next",
        "model": "model",
        "text": "When Mary went",
    }
    return LensGrid(**(given | changed))


def test_since_is_the_layer_from_which_on_it_says_what_it_says_in_the_end() -> None:
    """A layer that said it before, and then something else, does not count."""
    own = grid()
    assert (own.n_layers, own.since(0), own.since(1)) == (3, 3, 0)
    assert [own.reads(depth, 0) for depth in range(4)] == [" the", " John", " the", " John"]


def test_the_table_has_a_row_for_each_state() -> None:
    table = grid().to_frame()
    assert len(table) == 8
    row = table.iloc[3]  # layer 1, the second column
    assert (row.layer, row.position, row.token) == (1, 2, "Ġwent")
    assert (row.reads_1, row.reads_2, row.word, row.word_rank) == ("\n", " John", " John", 1)
    assert row.probability_1 == pytest.approx(0.6)
    bare = grid(word=None, word_probabilities=None, word_ranks=None).to_frame()
    assert "word_rank" not in bare


@pytest.mark.parametrize(
    "changed",
    [
        {"positions": (2, 1)},
        {"positions": (1, 3)},
        {"positions": (1,)},
        {"probabilities": SHARES[..., ::-1]},
        {"probabilities": 2 * SHARES},
        {"word": None},
        {"word_ranks": np.zeros((4, 1))},
        {"ids": (1, 2)},
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        grid(**changed)
