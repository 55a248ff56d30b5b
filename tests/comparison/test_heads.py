from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.comparison import heads
from core.measures import HeadMap
from tests.sentences import bold, emphasised, numbers


def look(dropped: list[float], renormalised: bool = True) -> HeadMap:
    tokens = ("a", "##b", "<c>")
    weights = np.array([[0.7, 0.25, 0.05], [0.1, 0.15, 0.75], [0, 1, 0]])
    return HeadMap(
        tokens,
        tokens,
        weights,
        renormalised=renormalised,
        dropped=np.array(dropped),
        tokens=np.array([1, 2, 3]),
    )


def test_who_looks_at_whom_most() -> None:
    said = heads.strongest_attention(look([0.5, 0.25, 0.125]), (1,), "ab")
    assert bold(said) == ["ab"]
    assert emphasised(said) == [r"\<c\>", "·b", "a"]
    assert numbers(said) == [0.75, 0.15, 0.10, 0.25, 1]
    assert "special tokens" in said


def test_a_mean_of_heads_says_that_each_was_scaled_first() -> None:
    said = heads.strongest_attention(replace(look([0.5, 0.25, 0.125]), averaged=True), (1,), "ab")
    (hidden,) = (one for one in said.split(". ") if "special tokens" in one)
    assert "0.25" in hidden
    assert "each head’s rows" in said
    assert "averaged" in said


def test_a_row_that_is_missing_is_said_to_be() -> None:
    some = look([1, 0.25, np.nan])
    weights = some.weights.copy()
    weights[0], weights[2] = np.nan, np.nan
    view = replace(some, weights=weights)
    assert "all of its weight on special tokens" in heads.strongest_attention(view, (0,), "ab")
    assert "no attention" in heads.strongest_attention(view, (2,), "ab")
    assert "no attention" in heads.strongest_attention(replace(view, renormalised=False), (0,), "ab")
    both = heads.strongest_attention(view, (0, 1), "ab")  # of two pieces, the one that has a row
    assert r"*\<c\>* 0.75" in both
    assert both.startswith("Row **ab**")


def test_who_looks_with_special_tokens_shown_hides_nothing() -> None:
    said = heads.strongest_attention(look([0, 0, 0], renormalised=False), (0,), "a")
    assert said == r"Row **a** attends most to *a* 0.70, *·b* 0.25, *\<c\>* 0.05."


def test_who_looks_of_a_word_of_two_pieces_is_their_mean() -> None:
    said = heads.strongest_attention(look([0.5, 0.25, 0]), (0, 1), "ab")
    assert bold(said) == ["ab"]
    assert emphasised(said) == ["a", r"\<c\>", "·b"]
    assert numbers(said)[:5] == [2, 0.40, 0.40, 0.20, 0.38]


def test_without_a_word_the_picture_is_explained() -> None:
    for rows, word in (((), "a"), ((0,), None)):
        assert (
            heads.strongest_attention(look([0, 0, 0]), rows, word)
            == "Rows are queries, columns are keys."
        )
