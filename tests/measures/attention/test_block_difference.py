from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures import AttentionBlock, block_difference, blocks, shared
from core.records.trace import Attention, Trace

MakeTrace = Callable[..., Trace]


def block(trace: Trace) -> AttentionBlock:
    return next(iter(blocks(trace).values()))


def two(make_trace: MakeTrace) -> tuple[AttentionBlock, AttentionBlock]:
    """ "a bank it" in whole words with special tokens; and with "bank" in two pieces without."""
    one = make_trace(
        ("[CLS]", "a", "bank", "it", "[SEP]"),
        offsets=((0, 0), (0, 1), (2, 6), (7, 9), (0, 0)),
        texts=("a bank it",),
    )
    other = make_trace(
        ("a", "ba", "nk", "it"), offsets=((0, 1), (1, 4), (4, 6), (6, 9)), texts=("a bank it",)
    )
    return block(one), block(other)


def test_tokens_are_shared_where_they_are_the_same_characters(make_trace: MakeTrace) -> None:
    a, b = shared(*two(make_trace))
    assert a == ((None, 0, None, 1, None),) * 2
    assert b == ((0, None, None, 1),) * 2


def test_the_difference_by_hand(make_trace: MakeTrace) -> None:
    one, other = two(make_trace)
    found = block_difference(one, other, head_a=(1, 2), head_b=(0, 1))
    assert found.queries == found.keys == ("a", "it")
    rows_a, rows_b = np.ix_([1, 3], [1, 3]), np.ix_([0, 3], [0, 3])
    expected = one.attention.weights[1, 2][rows_a] - other.attention.weights[0, 1][rows_b]
    np.testing.assert_allclose(found.values, expected, atol=1e-7)
    assert found.left_out == (3, 2)
    assert not found.values.flags.writeable


@pytest.mark.parametrize("head", [(None, None), (1, None)])
def test_means_over_heads(make_trace: MakeTrace, head: tuple[int | None, None]) -> None:
    one, other = two(make_trace)
    found = block_difference(one, other, head_a=head, head_b=(0, 0))
    chosen = one.attention.weights if head[0] is None else one.attention.weights[1:2]
    mean = chosen.astype(float).mean(axis=(0, 1))
    expected = mean[np.ix_([1, 3], [1, 3])] - other.attention.weights[0, 0][np.ix_([0, 3], [0, 3])]
    np.testing.assert_allclose(found.values, expected, atol=1e-7)


def test_a_model_less_itself_is_nothing(make_trace: MakeTrace) -> None:
    one, _ = two(make_trace)
    found = block_difference(one, one, head_a=(1, 1), head_b=(1, 1))
    assert found.queries == one.attention.queries
    assert not found.values.any()
    assert found.left_out == (0, 0)


def test_models_that_share_nothing_are_refused(make_trace: MakeTrace) -> None:
    one, _ = two(make_trace)
    other = block(make_trace(("ab", "c"), offsets=((0, 2), (3, 5)), texts=("xx yy",)))
    with pytest.raises(NotSupported, match="share no token"):
        block_difference(one, other, head_a=(0, 0), head_b=(0, 0))


def test_a_row_that_one_model_misses_is_missing_in_the_difference(make_trace: MakeTrace) -> None:
    one, other = two(make_trace)
    weights = other.attention.weights.copy()
    weights[0, 1, 3] = np.nan
    gone = replace(other, attention=Attention(other.attention.queries, other.attention.keys, weights))
    found = block_difference(one, gone, head_a=(1, 2), head_b=(0, 1))
    assert np.isnan(found.values[1]).all()
    assert np.isfinite(found.values[0]).all()
    # In the mean the other heads have it.
    mean = block_difference(one, gone, head_a=(1, 2), head_b=(0, None)).values
    expected = one.attention.weights[1, 2, 3, [1, 3]] - weights[0, [0, 2], 3].mean(axis=0)[[0, 3]]
    np.testing.assert_allclose(mean[1], expected, atol=1e-6)
