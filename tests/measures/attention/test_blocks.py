from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import core
from core.measures import AttentionBlock, blocks, mean_of_all, part, whole_words, without_special
from core.records.trace import Attention, Trace

TEXTS = "the unbelievable bank of a bank", "ah the shore"


def by_hand(make_trace: Callable[..., Trace]) -> Trace:
    """A pair: "on it" and "so", with [CLS] and two [SEP]."""
    return make_trace(
        ("[CLS]", "on", "it", "[SEP]", "so", "[SEP]"),
        segments=(0, 0, 0, 0, 1, 1),
        offsets=((0, 0), (0, 2), (3, 5), (0, 0), (0, 2), (0, 0)),
        texts=("on it", "so"),
    )


def test_a_text_is_one_block_with_all_that_its_trace_has(minilm: core.Model) -> None:
    trace = minilm.trace(TEXTS[0])
    ((name, block),) = blocks(trace).items()
    assert name == "Self-attention"
    assert trace.attention is not None
    assert block.attention.weights is trace.attention.weights
    assert block.attention.keys == trace.tokens
    assert block.query is trace.query
    assert block.key is trace.key
    assert block.special == ((0, len(trace.tokens) - 1),) * 2
    assert block.trace is trace


def test_marks_tell_each_token_by_its_characters(make_trace: Callable[..., Trace]) -> None:
    (block,) = blocks(by_hand(make_trace)).values()
    assert block.marks[0] == (
        ("[CLS]", 0),
        (0, 0, 2, 0),
        (0, 3, 5, 0),
        ("[SEP]", 0),
        (1, 0, 2, 0),
        ("[SEP]", 1),
    )


def test_a_space_before_a_word_is_not_a_part_of_it(make_trace: Callable[..., Trace]) -> None:
    one = make_trace(("a", "b"), offsets=((0, 1), (1, 3)), texts=("a b",))
    other = make_trace(("a", "b"), offsets=((0, 1), (2, 3)), texts=("a b",))
    marks = [next(iter(blocks(trace).values())).marks for trace in (one, other)]
    assert marks[0] == marks[1]


@pytest.mark.parametrize(
    ("which", "looks", "seen"),
    [("aa", 0, 0), ("bb", 1, 1), ("ab", 0, 1), ("ba", 1, 0)],
)
def test_a_part_of_a_pair_is_scaled(minilm: core.Model, which: str, looks: int, seen: int) -> None:
    trace = minilm.trace(*TEXTS)
    (block,) = blocks(trace).values()
    found = part(block, which)
    segments = np.array(trace.segments)
    rows, columns = np.flatnonzero(segments == looks), np.flatnonzero(segments == seen)
    inner = block.attention.weights[:, :, rows][..., columns].astype(float)
    np.testing.assert_allclose(
        found.attention.weights, inner / inner.sum(axis=-1, keepdims=True), atol=1e-6
    )
    assert found.attention.queries == tuple(trace.tokens[i] for i in rows)
    assert found.attention.keys == tuple(trace.tokens[i] for i in columns)
    assert trace.query is not None
    assert found.query is not None
    np.testing.assert_array_equal(found.query, trace.query[:, :, rows])
    assert [found.marks[1][i] for i in range(len(columns))] == [block.marks[1][i] for i in columns]
    assert found.special[0] == tuple(i for i, row in enumerate(rows) if trace.special[row])
    assert found.trace is None


def test_without_special_tokens_rows_sum_to_one_again(make_trace: Callable[..., Trace]) -> None:
    trace = by_hand(make_trace)
    (block,) = blocks(trace).values()
    found = without_special(block)
    assert found.attention.queries == ("on", "it", "so")
    inner = block.attention.weights[..., [1, 2, 4], :][..., [1, 2, 4]].astype(float)
    np.testing.assert_allclose(
        found.attention.weights, inner / inner.sum(axis=-1, keepdims=True), atol=1e-6
    )
    assert found.special == ((), ())


def test_a_row_that_spent_all_on_special_tokens_is_missing(make_trace: Callable[..., Trace]) -> None:
    weights = np.zeros((2, 3, 4, 4))
    weights[..., 0] = 1
    weights[1, 2, 2] = 0, 0.25, 0.25, 0.5
    (block,) = blocks(make_trace(("[CLS]", "a", "b", "[SEP]"), weights=weights)).values()
    found = without_special(block).attention
    expected = np.full((2, 3, 2, 2), np.nan)
    expected[1, 2, 1] = 0.5
    np.testing.assert_array_equal(found.weights, expected)
    # A row that only one head has is its own mean; a row missing in all heads is missing in the mean.
    mean = mean_of_all(block)
    bare = without_special(mean).attention.weights[0, 0]
    np.testing.assert_array_equal(bare, expected[1, 2])
    np.testing.assert_allclose(mean.attention.weights.sum(axis=-1), 1, atol=1e-6)


def test_a_row_of_a_pair_that_spends_nothing_on_the_other_text_is_missing(
    make_trace: Callable[..., Trace],
) -> None:
    weights = np.full((2, 3, 6, 6), 1 / 6)
    weights[1, 2, 1] = np.eye(6)[1]
    trace = by_hand(make_trace)
    (block,) = blocks(replace(trace, attention=Attention(trace.tokens, trace.tokens, weights))).values()
    found = part(block, "ab").attention
    assert found.missing.sum() == 1
    assert found.missing[1, 2, 1]
    np.testing.assert_allclose(mean_of_all(part(block, "ab")).attention.weights, 0.5, atol=1e-6)
    assert not part(block, "aa").attention.missing.any()


def test_where_nothing_would_remain_all_remains(make_trace: Callable[..., Trace]) -> None:
    (block,) = blocks(make_trace(("[CLS]", "[SEP]"))).values()
    assert without_special(block) is block


def test_whole_words_are_known_by_their_first_and_last_character(minilm: core.Model) -> None:
    trace = minilm.trace("an unbelievability of banks")
    (block,) = blocks(trace).values()
    found = whole_words(block)
    assert found.attention.keys[2] == "unbelievability"
    assert found.marks[0][2] == (0, 3, 18, 0)
    assert found.special == ((0, 5), (0, 5))
    assert found.query is None
    assert found.trace is trace


def test_a_token_of_two_words_counts_towards_the_first(make_trace: Callable[..., Trace]) -> None:
    """我在 | 银行 | 存钱 by the dictionary; 我 | 在银 | 行存 | 钱 by the tokenizer."""
    tokens = ("我", "在银", "行存", "钱")
    trace = make_trace(
        tokens,
        weights=np.full((2, 3, 4, 4), 0.25, np.float32),
        texts=("我在银行存钱",),
        offsets=((0, 1), (1, 3), (3, 5), (5, 6)),
        special=(False,) * 4,
    )
    (block,) = blocks(trace).values()
    found = whole_words(block).attention
    assert found.queries == found.keys == ("我在", "行存", "钱")
    np.testing.assert_allclose(found.weights[0, 0], [[0.5, 0.25, 0.25]] * 3)


def test_a_word_that_is_called_like_a_special_token_is_none(minilm: core.Model) -> None:
    (block,) = blocks(minilm.trace("the sep of cls")).values()
    assert whole_words(block).special == ((0, 5), (0, 5))


def test_the_mean_of_all_heads(minilm: core.Model) -> None:
    (block,) = blocks(minilm.trace(TEXTS[0])).values()
    found = mean_of_all(block)
    assert found.attention.weights.shape == (1, 1, *block.attention.weights.shape[2:])
    mean = block.attention.weights.astype(float).reshape(72, *block.attention.weights.shape[2:]).mean(0)
    np.testing.assert_allclose(found.attention.weights[0, 0], mean, atol=1e-7)
    assert found.query is None
    assert found.trace is None
    assert found.special == block.special


def test_the_mean_of_all_heads_is_that_of_what_each_shows() -> None:
    """Two heads of [CLS] a b; without [CLS], the row of "a" is ½ ½ in one and .9 .1 in the other."""
    weights = np.full((1, 2, 3, 3), 1 / 3, np.float32)
    weights[0, 0, 1], weights[0, 1, 1] = (0.8, 0.1, 0.1), (0, 0.9, 0.1)
    attention = Attention(("[CLS]", "a", "b"), ("[CLS]", "a", "b"), weights)
    marks = (("[CLS]", 0), (0, 0, 1, 0), (0, 2, 3, 0))
    found = mean_of_all(AttentionBlock(attention, ((0,), (0,)), (marks, marks)))
    np.testing.assert_allclose(found.attention.weights[0, 0, 1], [0.4, 0.5, 0.1], atol=1e-7)
    bare = without_special(found)
    np.testing.assert_allclose(bare.attention.weights[0, 0, 0], [0.7, 0.3], atol=1e-7)
    np.testing.assert_allclose(bare.attention.weights[0, 0, 1], [0.5, 0.5], atol=1e-7)
    assert bare.attention.queries == ("a", "b")


def test_a_trace_without_attention_is_refused(minilm: core.Model) -> None:
    with pytest.raises(core.NotSupported, match=r"no attention.*keep='attention'"):
        blocks(minilm.trace("bank", keep="hidden"))


def test_the_three_places_of_an_encoder_decoder(make_trace: Callable[..., Trace]) -> None:
    encoder = make_trace(("a", "b", "[SEP]"), offsets=((0, 1), (2, 3), (0, 0)), texts=("a b",))
    decoder = make_trace(("[CLS]", "c"), offsets=((0, 0), (0, 1)), texts=("c",), causal=True)
    cross = Attention(decoder.tokens, encoder.tokens, np.full((2, 3, 2, 3), 1 / 3))
    found = blocks(core.Seq2SeqTrace(encoder, decoder, cross))
    assert [*found] == ["Encoder", "Decoder", "Cross: decoder at encoder"]
    across = found["Cross: decoder at encoder"]
    assert across.marks[0] == (("[CLS]", 0), (1, 0, 1, 0))  # of the target
    assert across.marks[1] == ((0, 0, 1, 0), (0, 2, 3, 0), ("[SEP]", 0))
    assert across.special == ((0,), (2,))
    assert across.trace is None
    assert [block.title for block in found.values()] == ["Encoder", "Decoder", "Cross-attention"]
    for change in (whole_words, without_special, mean_of_all):
        assert change(across).title == "Cross-attention"
        assert change(found["Decoder"]).title == "Decoder"
    assert found["Decoder"].causal
