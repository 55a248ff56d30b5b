from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import core
from core.measures import (
    blocks,
    head_map,
    in_every_layer,
    mean_of_all,
    whole_words,
    without_special,
    word_map,
)
from core.records.trace import Attention, Trace

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
    weights[..., 0] = 1  # everyone attends to [CLS] …
    weights[1, 0, 2] = [0.5, 0.125, 0, 0.375, 0]  # … but "b" in this head, at "a" and "c" too
    view = head_map(make_trace(("[CLS]", "a", "b", "c", "[SEP]"), weights=weights), 1, 0, special=False)
    gone = [np.nan] * 3
    np.testing.assert_allclose(view.weights, np.array([gone, [0.25, 0, 0.75], gone]))
    assert view.missing.tolist() == [True, False, True]
    assert view.dropped.tolist() == [1, 0.5, 1]


def test_a_row_all_on_special_tokens_is_missing_without_a_warning(
    make_trace: Callable[..., Trace],
) -> None:
    weights = np.zeros((2, 3, 7, 7))
    weights[..., 3] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        view = head_map(make_trace(PAIR, weights=weights), 0, 0, special=False)
    assert np.isnan(view.weights).all()
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
    with pytest.raises(core.NotSupported, match="only special tokens"):
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


def rescaled(weights: np.ndarray) -> np.ndarray:
    """Each row of (…, 4), rescaled over the tokens that are not special."""
    inner = weights.astype(np.float64)[..., KEPT]
    found: np.ndarray = inner / inner.sum(axis=-1, keepdims=True)
    return found


@pytest.mark.parametrize(("layer", "head"), [(1, None), (None, 2), (None, None)])
def test_special_tokens_are_left_out_of_each_head_before_the_mean(
    pair: Trace, layer: int | None, head: int | None
) -> None:
    assert pair.attention is not None
    every = pair.attention.weights.astype(np.float64)
    layers = every if layer is None else every[layer : layer + 1]
    heads = layers if head is None else layers[:, head : head + 1]
    whole = head_map(pair, layer, head, special=True)
    np.testing.assert_allclose(whole.weights, heads.mean(axis=(0, 1)), atol=1e-6)
    view = head_map(pair, layer, head, special=False)
    np.testing.assert_allclose(view.weights, rescaled(heads[:, :, KEPT]).mean(axis=(0, 1)), atol=1e-6)
    marks = heads[:, :, KEPT][..., [0, 3, 6]].sum(axis=-1).mean(axis=(0, 1))
    np.testing.assert_allclose(view.dropped, marks, atol=1e-6)
    assert whole.averaged
    assert view.averaged
    assert not head_map(pair, 1, 2, special=False).averaged


def test_a_row_that_one_head_misses_is_the_mean_of_the_others(
    make_trace: Callable[..., Trace],
) -> None:
    weights = np.random.default_rng(2).dirichlet(np.ones(7), (2, 3, 7))
    weights[0, 1, 4] = np.eye(7)[0]  # "c" attends to [CLS] alone in one head …
    weights[1, :, 5] = np.eye(7)[3]  # … and "##d" at [SEP] in all heads of the other layer
    trace = make_trace(PAIR, weights=weights)
    one = head_map(trace, 0, None, special=False)
    others = rescaled(weights[0, [0, 2]][:, KEPT])
    np.testing.assert_allclose(one.weights[2], others[:, 2].mean(axis=0), atol=1e-6)
    assert not one.missing.any()
    other = head_map(trace, 1, None, special=False)
    assert other.missing.tolist() == [False, False, False, True]
    assert np.isnan(other.weights[3]).all()
    both = head_map(trace, None, None, special=False)
    np.testing.assert_allclose(both.weights[3], rescaled(weights[0, :, 5]).mean(axis=0), atol=1e-6)


@pytest.mark.parametrize(("layer", "head"), [(None, None), (1, None), (None, 2), (0, 1)])
@pytest.mark.parametrize("special", [True, False])
def test_compare_and_heads_show_the_same_means(
    pair: Trace, layer: int | None, head: int | None, special: bool
) -> None:
    (block,) = blocks(pair).values()
    shown = block if special else without_special(block)
    heads = shown.attention.weights[
        slice(None) if layer is None else slice(layer, layer + 1),
        slice(None) if head is None else slice(head, head + 1),
    ]
    view = head_map(pair, layer, head, special=special)
    np.testing.assert_allclose(view.weights, heads.mean(axis=(0, 1)), atol=1e-6)
    if layer is head is None:
        mean = mean_of_all(block)
        mean = mean if special else without_special(mean)
        np.testing.assert_allclose(view.weights, mean.attention.weights[0, 0], atol=1e-6)


def test_a_layer_without_attention_is_missing_and_outside_of_means(
    make_trace: Callable[..., Trace],
) -> None:
    weights = np.random.default_rng(2).dirichlet(np.ones(7), (2, 3, 7))
    weights[0] = np.nan
    trace = make_trace(PAIR, weights=weights)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for special, kept in ((True, np.arange(7)), (False, np.array(KEPT))):
            view = head_map(trace, 0, None, special=special)
            assert view.missing.all()
            assert np.isnan(view.dropped).all() or special
            other = head_map(trace, 1, 2, special=special).weights
            np.testing.assert_array_equal(head_map(trace, None, 2, special=special).weights, other)
            rows = word_map(trace, np.array([4, 5]), special=special)
            assert rows.missing.tolist() == [True, False]
            assert rows.weights.shape == (2, len(kept))


@pytest.mark.parametrize("special", [True, False])
def test_word_map_is_the_mean_over_heads_of_the_word_s_row(pair: Trace, special: bool) -> None:
    assert pair.attention is not None
    tokens = np.array([4, 5])
    view = word_map(pair, tokens, special=special)
    rows = pair.attention.weights[:, :, tokens].astype(np.float64).mean(axis=2)
    shown = rows if special else rescaled(rows)
    np.testing.assert_allclose(view.weights, shown.mean(axis=1), atol=1e-6)
    kept = list(range(7)) if special else KEPT
    assert view.queries == ("0", "1")
    assert view.keys == tuple(PAIR[i] for i in kept)
    assert view.tokens.tolist() == kept
    dropped = 0 if special else 1 - rows[..., KEPT].sum(axis=-1).mean(axis=1)
    np.testing.assert_allclose(view.dropped, dropped, atol=1e-6)


def test_word_map_is_the_row_of_the_whole_word_on_heads(minilm: core.Model) -> None:
    trace = minilm.trace("an unbelievability of banks")
    (block,) = blocks(trace).values()
    words = without_special(whole_words(block))
    tokens = trace.find("unbelievability")
    view = word_map(trace, tokens, special=False)
    at = [view.tokens.tolist().index(token) for token in tokens]
    shown = words.attention.weights[:, :, 1].mean(axis=1)  # (layers, words)
    np.testing.assert_allclose(view.weights[:, at].sum(axis=1), shown[:, 1], atol=1e-6)
    np.testing.assert_allclose(view.weights[:, 0], shown[:, 0], atol=1e-6)


def test_where_no_token_is_special_nothing_is_scaled(make_trace: Callable[..., Trace]) -> None:
    tokens = ("a", "b", "c")
    weights, sink = np.full((2, 3, 3, 3), 0.2), np.full((2, 3, 3), 0.4)
    trace = make_trace(tokens, attention=Attention(tokens, tokens, weights, sink))
    for special in (True, False):
        view = head_map(trace, 1, None, special=special)
        assert not view.renormalised
        np.testing.assert_allclose(view.weights, 0.2, atol=1e-6)
        assert view.sink is not None
        np.testing.assert_allclose(view.sink, 0.4, atol=1e-6)
        np.testing.assert_allclose(word_map(trace, np.array([1]), special=special).weights, 0.2)
    (block,) = blocks(trace).values()
    assert without_special(block) is block


def test_a_row_that_goes_to_a_sink_alone_is_missing(make_trace: Callable[..., Trace]) -> None:
    weights, sink = np.full((2, 3, 7, 7), 0.1), np.full((2, 3, 7), 0.3)
    weights[1, 2, 4], sink[1, 2, 4] = 0, 1
    trace = make_trace(PAIR, attention=Attention(PAIR, PAIR, weights, sink))
    view = head_map(trace, 1, 2, special=False)
    assert view.missing.tolist() == [False, False, True, False]
    np.testing.assert_allclose(view.weights[0], 0.25, atol=1e-6)  # the sink is not among the shown
    np.testing.assert_allclose(view.dropped, [0.3, 0.3, 0, 0.3], atol=1e-6)
    (block,) = blocks(trace).values()
    mean = mean_of_all(block).attention
    assert mean.sink is not None
    np.testing.assert_allclose(mean.sink[0, 0], [0.3] * 4 + [0.3 + 0.7 / 6, 0.3, 0.3], atol=1e-6)
    assert without_special(block).attention.sink is None
    assert whole_words(block).attention.sink is not None


def test_a_map_is_that_of_the_block_of_its_trace(pair: Trace) -> None:
    (block,) = blocks(pair).values()
    for layer, head, special in ((1, 2, False), (0, None, True), (None, None, False)):
        of_trace, of_block = (head_map(one, layer, head, special=special) for one in (pair, block))
        np.testing.assert_array_equal(of_trace.weights, of_block.weights)
        assert of_trace.queries == of_block.queries


def test_the_mean_that_was_kept_is_read_out_as_it_would_be_taken_anew(pair: Trace) -> None:
    (block,) = blocks(pair).values()
    kept = mean_of_all(block)
    for special in (True, False):
        anew, read = (head_map(one, None, None, special=special) for one in (block, kept))
        np.testing.assert_array_equal(read.weights, anew.weights)
        np.testing.assert_array_equal(read.dropped, anew.dropped)
        assert read.averaged
        assert anew.averaged
        assert read.renormalised is not special
    assert (kept.of, without_special(kept).of, mean_of_all(kept).of) == (6, 6, 6)


def test_one_of_an_encoder_decoder_has_rows_and_columns_of_its_own(
    make_trace: Callable[..., Trace],
) -> None:
    """The row of "c" in ("a", "b", [SEP]) is 1/5, 2/5, 2/5: without [SEP] it is 1/3, 2/3."""
    encoder = make_trace(("a", "b", "[SEP]"))
    decoder = make_trace(("[CLS]", "c"), causal=True)
    weights = np.full((2, 3, 2, 3), [0.2, 0.4, 0.4])
    found = blocks(
        core.Seq2SeqTrace(encoder, decoder, Attention(decoder.tokens, encoder.tokens, weights))
    )
    view = head_map(found["Cross: decoder at encoder"], 1, None, special=False)
    assert (view.queries, view.keys) == (("c",), ("a", "b"))
    np.testing.assert_allclose(view.weights, [[1 / 3, 2 / 3]], atol=1e-6)
    np.testing.assert_allclose(view.dropped, [0.4], atol=1e-6)
    assert view.tokens.tolist() == [0, 1]
    assert view.masked is None
    masked = head_map(found["Decoder"], 0, 1, special=True).masked
    assert masked is not None
    assert masked.tolist() == [[False, True], [False, False]]


def test_weights_of_one_s_own_are_a_block() -> None:
    own = Attention(("a", "b"), ("x", "y", "z"), np.full((2, 3, 2, 3), 1 / 3))
    view = head_map(own, 1, None, special=False)
    assert (view.queries, view.keys, view.renormalised) == (("a", "b"), ("x", "y", "z"), False)
    np.testing.assert_allclose(view.weights, 1 / 3)


def test_what_a_mean_hides_is_what_no_layer_that_has_heads_sees(
    make_trace: Callable[..., Trace],
) -> None:
    """The first layer has no attention, and thus no mask; the second does not see [SEP]."""
    tokens = ("a", "b", "[SEP]")
    weights = np.full((2, 3, 3, 3), np.nan)
    weights[1] = 0.5, 0.5, 0
    masked = np.zeros((2, 3, 3), bool)
    masked[1, :, 2] = True
    view = head_map(make_trace(tokens, weights=weights, masked=masked), None, None, special=True)
    np.testing.assert_array_equal(view.masked, masked[1])
    alone = head_map(make_trace(tokens, weights=weights, masked=masked), 0, None, special=True)
    assert alone.masked is None


def test_a_word_in_every_layer_is_a_block_whose_rows_are_the_layers(
    make_trace: Callable[..., Trace],
) -> None:
    """Layer 1, head 1 of "a b": pieces .8 .2 and .4 .6 give .6 .4; all heads differ."""
    weights = np.full((2, 3, 2, 2), 0.5)
    weights[0, 0] = (0.8, 0.2), (0.4, 0.6)
    trace = make_trace(("a", "b"), weights=weights, causal=True)
    (block,) = blocks(trace).values()
    found = in_every_layer(block, np.array([0, 1]))
    assert (found.attention.queries, found.attention.keys) == (("0", "1"), ("a", "b"))
    assert found.attention.weights.shape == (1, 3, 2, 2)
    np.testing.assert_allclose(found.attention.weights[0, 0], [[0.6, 0.4], [0.5, 0.5]], atol=1e-6)
    assert found.mask(0) is None  # the second piece sees the first
    mask = in_every_layer(block, np.array([0])).mask(0)
    assert mask is not None
    assert mask.tolist() == [[False, True]] * 2
