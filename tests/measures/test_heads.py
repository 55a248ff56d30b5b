from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import core
from core.measures import head_map, word_map
from core.trace import Attention, Trace

# A pair of texts: special tokens at both ends and in the middle.
PAIR = ("[CLS]", "a", "b", "[SEP]", "c", "##d", "[SEP]")
KEPT = [1, 2, 4, 5]


@pytest.fixture
def pair(make_trace: Callable[..., Trace]) -> Trace:
    return make_trace(PAIR, segments=(0, 0, 0, 0, 1, 1, 1))


def test_with_special_tokens_the_weights_are_the_trace_s(pair: Trace) -> None:
    view = head_map(pair, 1, 2, special=True)
    assert pair.attention is not None
    np.testing.assert_array_equal(view.weights, pair.attention.weights[1, 2])
    assert view.queries == view.keys == PAIR
    assert not view.renormalised
    np.testing.assert_allclose(view.dropped, 0, atol=1e-6)
    assert view.tokens.tolist() == list(range(7))


def test_without_special_tokens_each_row_sums_to_one_again(pair: Trace) -> None:
    view = head_map(pair, 1, 2, special=False)
    assert view.queries == view.keys == ("a", "b", "c", "##d")
    assert view.renormalised
    assert pair.attention is not None
    inner = pair.attention.weights[1, 2][np.ix_(KEPT, KEPT)].astype(np.float64)
    rest = inner.sum(axis=1)
    np.testing.assert_allclose(view.weights, inner / rest[:, None], rtol=1e-5)
    np.testing.assert_allclose(view.weights.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(view.dropped, 1 - rest, atol=1e-6)
    assert view.tokens.tolist() == KEPT


def test_by_hand_rows_are_queries(make_trace: Callable[..., Trace]) -> None:
    weights = np.zeros((2, 3, 5, 5))
    weights[..., 0] = 1  # everyone looks at [CLS] …
    weights[1, 0, 2] = [0.5, 0.125, 0, 0.375, 0]  # … but "b" in this head, at "a" and "c" too
    view = head_map(make_trace(("[CLS]", "a", "b", "c", "[SEP]"), weights=weights), 1, 0, special=False)
    np.testing.assert_allclose(view.weights, np.array([[0, 0, 0], [0.25, 0, 0.75], [0, 0, 0]]))
    assert view.dropped.tolist() == [1, 0.5, 1]


def test_a_row_all_on_special_tokens_stays_zero_without_a_warning(
    make_trace: Callable[..., Trace],
) -> None:
    weights = np.zeros((2, 3, 7, 7))
    weights[..., 3] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        view = head_map(make_trace(PAIR, weights=weights), 0, 0, special=False)
    assert not view.weights.any()
    assert view.dropped.tolist() == [1, 1, 1, 1]


def test_rows_of_tokens(pair: Trace) -> None:
    hidden = head_map(pair, 0, 0, special=False)
    assert hidden.rows(np.array([4, 5])) == (2, 3)
    assert hidden.rows(np.array([0, 1])) == (0,)  # [CLS] is not shown
    assert hidden.rows(np.array([3, 6])) == ()
    shown = head_map(pair, 0, 0, special=True)
    assert shown.rows(np.array([4, 5])) == (4, 5)


def test_the_record_is_frozen_and_owns_its_numbers(pair: Trace) -> None:
    for special in (False, True):
        view = head_map(pair, 0, 1, special=special)
        for array in (view.weights, view.dropped, view.tokens):
            assert array.flags.owndata
            assert not array.flags.writeable
        assert view.weights.dtype == view.dropped.dtype == np.float32
        assert view.nbytes < 1000


def test_nothing_but_special_tokens_is_refused(make_trace: Callable[..., Trace]) -> None:
    empty = make_trace(("[CLS]", "[SEP]"))
    assert head_map(empty, 0, 0, special=True).weights.shape == (2, 2)
    with pytest.raises(core.NotSupported, match="only special ones"):
        head_map(empty, 0, 0, special=False)


def test_a_trace_without_attention_is_refused(make_trace: Callable[..., Trace]) -> None:
    with pytest.raises(core.NotSupported, match="keep='attention'"):
        head_map(make_trace(PAIR, attention=None), 0, 0, special=True)


def test_a_layer_or_head_that_is_not_there(pair: Trace) -> None:
    for layer, head in ((2, 0), (0, 3)):
        with pytest.raises(IndexError):
            head_map(pair, layer, head, special=True)


def test_a_pair_through_minilm(minilm: core.Model) -> None:
    trace = minilm.trace("On the river bank", "He robbed the bank")
    attention = trace.attention
    assert isinstance(attention, Attention)
    view = head_map(trace, 5, 11, special=False)
    assert view.queries == ("on", "the", "river", "bank", "he", "robbed", "the", "bank")
    np.testing.assert_allclose(view.weights.sum(axis=1), 1, rtol=1e-5)
    marks = attention.weights[5, 11][:, [0, 5, 10]].sum(axis=1)
    np.testing.assert_allclose(view.dropped, marks[view.tokens], atol=1e-6)
    assert view.rows(trace.find("bank", occurrence=1)) == (7,)


@pytest.mark.parametrize(("layer", "head"), [(1, None), (None, 2), (None, None)])
def test_averages_come_before_special_tokens_are_left_out(
    pair: Trace, layer: int | None, head: int | None
) -> None:
    assert pair.attention is not None
    every = pair.attention.weights.astype(np.float64)
    layers = every if layer is None else every[layer : layer + 1]
    heads = layers if head is None else layers[:, head : head + 1]
    mean = heads.mean(axis=(0, 1))
    np.testing.assert_allclose(head_map(pair, layer, head, special=True).weights, mean, atol=1e-6)
    inner = mean[np.ix_(KEPT, KEPT)]
    view = head_map(pair, layer, head, special=False)
    np.testing.assert_allclose(view.weights, inner / inner.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_allclose(view.dropped, 1 - inner.sum(axis=1), atol=1e-6)


@pytest.mark.parametrize("special", [True, False])
def test_word_map_is_the_mean_row_of_the_word_in_every_layer(pair: Trace, special: bool) -> None:
    assert pair.attention is not None
    tokens = np.array([4, 5])
    view = word_map(pair, tokens, special=special)
    kept = list(range(7)) if special else KEPT
    rows = pair.attention.weights[:, :, tokens].astype(np.float64).mean(axis=(1, 2))[:, kept]
    expected = rows if special else rows / rows.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(view.weights, expected, atol=1e-6)
    assert view.queries == ("0", "1")
    assert view.keys == tuple(PAIR[i] for i in kept)
    assert view.tokens.tolist() == kept
    np.testing.assert_allclose(view.dropped, 1 - rows.sum(axis=1), atol=1e-6)
