"""Sums of words: parsed, computed by hand, and their nearest words."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures.analogy import (
    MOST_TERMS,
    Nearest,
    Term,
    answer,
    has_direction,
    nearest,
    terms,
    total,
)

KING = (Term(1, "king"), Term(-1, "man"), Term(1, "woman"))


@pytest.mark.parametrize(
    "typed",
    ["king - man + woman", " king−man+woman ", "+ king – man + woman", "king\n- man\t+woman"],
)
def test_a_sum_is_read(typed: str) -> None:
    assert terms(typed) == KING


def test_a_sum_may_begin_with_a_minus() -> None:
    assert terms("− man") == (Term(-1, "man"),)


@pytest.mark.parametrize("typed", ["", "  ", "+", "king man", "king + ", "king - - man", "king +/ -"])
def test_what_is_no_sum_is_refused(typed: str) -> None:
    with pytest.raises(NotSupported, match="between them"):
        terms(typed)


def test_a_long_sum_is_refused() -> None:
    assert len(terms("+".join(["a"] * MOST_TERMS))) == MOST_TERMS
    with pytest.raises(NotSupported, match=f"at most {MOST_TERMS} words"):
        terms("+".join(["a"] * (MOST_TERMS + 1)))


# Two directions: royal, and female. The sum is exactly the queen.
WORDS = ("king", "queen", "man", "woman", "prince")
VECTORS = np.array([[3.0, 0], [3, 2], [1, 0], [1, 2], [2, 0.5]])


def test_the_sum_by_hand() -> None:
    assert total([1, -1, 1], VECTORS[[0, 2, 3]]).tolist() == [3, 2]
    assert total([1, 1], [[1, 2, 3], [10, 20, 30]]).tolist() == [11, 22, 33]


def test_the_nearest_by_hand() -> None:
    found = nearest([3, 2], WORDS, VECTORS, in_sum=("king", "man", "woman"))
    assert [one.word for one in found] == ["queen", "prince", "woman", "king", "man"]
    assert (found[0].word, found[0].in_sum) == ("queen", False)
    assert found[0].cosine == pytest.approx(1)
    assert found[2].cosine == pytest.approx((3 + 4) / (np.sqrt(13) * np.sqrt(5)))
    assert found[3].cosine == pytest.approx(9 / (3 * np.sqrt(13)))
    assert [one.in_sum for one in found] == [False, False, True, True, True]


def test_ties_stay_in_their_order() -> None:
    assert [one.word for one in nearest([1, 0], ("b", "a"), [[2, 0], [5, 0]])] == ["b", "a"]


def test_the_answer_with_and_without_the_words_of_the_sum() -> None:
    found = (Nearest("king", 0.7, True), Nearest("queen", 0.5, False))
    assert answer(found, leave_out=False).word == "king"
    assert answer(found, leave_out=True).word == "queen"
    with pytest.raises(ValueError, match="No word"):
        answer(found[:1], leave_out=True)


def test_a_sum_that_is_zero_has_no_direction() -> None:
    one, other = [1.0, 2.0, 0.5], [0.1, -0.7, 0.3]
    assert not has_direction((1, -1), [one, one])
    assert not has_direction((1, 1, -1, -1), [one, other, other, one])
    assert not has_direction((1,), [[0.0, 0.0, 0.0]])
    assert has_direction((1, -1), [one, other])
    assert has_direction((1, -1), [one, [1.0, 2.0, 0.501]])
