from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures import HeadMap, head_difference


def view(tokens: Sequence[str], seed: int = 0) -> HeadMap:
    n = len(tokens)
    weights = np.random.default_rng(seed).dirichlet(np.ones(n), n)
    return HeadMap(
        tuple(tokens),
        tuple(tokens),
        weights,
        renormalised=False,
        dropped=np.zeros(n),
        tokens=np.arange(n),
    )


def test_by_hand_with_another_order_in_the_second_text() -> None:
    a, b = view(("on", "river", "bank"), 1), view(("bank", "of", "river"), 2)
    found = head_difference(a, b, rows_a=[2], rows_b=[0])
    assert found.queries == ("river", "bank")
    assert found.marked == (1,)
    expected = [
        [a.weights[1, 1] - b.weights[2, 2], a.weights[1, 2] - b.weights[2, 0]],
        [a.weights[2, 1] - b.weights[0, 2], a.weights[2, 2] - b.weights[0, 0]],
    ]
    np.testing.assert_allclose(found.values, expected, atol=1e-7)


def test_what_stands_twice_is_paired_in_order() -> None:
    a, b = view(["a", "x", "a", "y", "a"], 1), view(["a", "a", "z"], 2)
    found = head_difference(a, b)
    assert found.queries == ("a", "a")
    np.testing.assert_allclose(
        found.values, a.weights[np.ix_([0, 2], [0, 2])] - b.weights[np.ix_([0, 1], [0, 1])], atol=1e-7
    )


def test_the_word_is_paired_with_itself_wherever_it_was_chosen() -> None:
    a, b = view(["bank", "x", "bank"], 1), view(["y", "bank"], 2)
    found = head_difference(a, b, rows_a=[2], rows_b=[1])
    assert found.queries == ("bank",)
    assert found.marked == (0,)
    assert found.values[0, 0] == pytest.approx(a.weights[2, 2] - b.weights[1, 1])


def test_two_different_words_are_not_paired() -> None:
    a, b = view(["the", "shore"], 1), view(["the", "bank"], 2)
    found = head_difference(a, b, rows_a=[1], rows_b=[1])
    assert found.queries == ("the",)
    assert found.marked == ()


def test_one_text_twice_differs_by_nothing() -> None:
    a = view(["a", "word", "of", "three", "##s", "pieces"])
    found = head_difference(a, a, rows_a=[3, 4], rows_b=[3, 4])
    assert found.queries == a.queries
    assert found.marked == (3, 4)
    assert not found.values.any()
    with pytest.raises(ValueError, match="read-only"):
        found.values[0, 0] = 1


def test_nothing_shared_is_said() -> None:
    with pytest.raises(NotSupported, match="share no token"):
        head_difference(view(("a",)), view(("b",)))


def test_a_row_that_one_of_the_two_misses_is_missing() -> None:
    a, b = view(("on", "river", "bank"), 1), view(("bank", "of", "river"), 2)
    weights = b.weights.copy()
    weights[2] = np.nan
    found = head_difference(a, replace(b, weights=weights))
    assert found.queries == ("river", "bank")
    assert np.isnan(found.values).tolist() == [[True, True], [False, False]]


def test_tokens_are_known_by_other_names_than_their_labels() -> None:
    """ "bank" at the start of a text, and "Ġbank" after a space: two tokens of one vocabulary."""
    a, b = view(("bank", "of"), 1), view(("the", "bank", "of"), 2)
    names = ("bank", "Ġof"), ("the", "Ġbank", "Ġof")
    found = head_difference(a, b, names=names)
    assert found.queries == found.keys == ("of",)
    assert found.left_out == (1, 2)
    assert head_difference(a, b, rows_a=[0], rows_b=[1], names=names).marked == ()
    assert head_difference(a, b).queries == ("bank", "of")
