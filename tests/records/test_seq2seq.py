"""The record of an encoder–decoder, and a trace's fields causal, scale, bias and products."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import core
from core import Attention, Seq2SeqTrace, Trace


def rows(*shape: int) -> np.ndarray:
    """Attention weights that sum to 1."""
    weights = np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)
    weights /= weights.sum(-1, keepdims=True)
    return weights


def trace(tokens: tuple[str, ...], **changes: Any) -> Trace:
    n = len(tokens)
    fields: dict[str, Any] = {
        "tokens": tokens,
        "word_ids": (None,) * n,
        "segments": (0,) * n,
        "offsets": ((0, 0),) * n,
        "special": (True,) * n,
        "left_out": None,
        "learned": np.zeros((n, 3)),
        "embedded": np.zeros((n, 5)),
        "hidden": np.zeros((2, n, 5)),
        "final": None,
        "attention": None,
        "query": None,
        "key": None,
        "value": None,
        "model": "by hand",
    }
    return Trace(**(fields | changes))


SOURCE, READS = ("the", "bank", "</s>"), ("<pad>", "die")
# 2 layers of 1 head of 4.
QUERY = np.array([[[[1, 2, 3, 4], [0, 1, 0, 0]]], [[[2, 0, 0, 0], [0, 0, 0, 6]]]])
KEY = np.arange(24).reshape(2, 1, 3, 4)


def pair(**changes: Any) -> Seq2SeqTrace:
    fields: dict[str, Any] = {
        "encoder": trace(SOURCE),
        "decoder": trace(READS, causal=True),
        "cross": Attention(READS, SOURCE, rows(2, 1, 2, 3)),
        "query": QUERY,
        "key": KEY,
        "value": KEY + 1,
    }
    return Seq2SeqTrace(**(fields | changes))


def test_cross_scores_by_hand() -> None:
    scores = pair().scores(0, 0)
    # (1,2,3,4)·(0,1,2,3) = 20, ·(4,5,6,7) = 60, ·(8,9,10,11) = 100, divided by √4.
    assert scores.values.tolist() == [[10, 30, 50], [0.5, 2.5, 4.5]]
    assert not scores.masked.any()  # the whole source is seen
    assert pair(scale=(1.0, 0.25)).scores(0, 0).values[0].tolist() == [20, 60, 100]
    assert pair(scale=(1.0, 0.25)).scores(1, 0).values[0].tolist() == [6, 8, 10]
    with pytest.raises(IndexError):
        pair().scores(2, 0)
    with pytest.raises(core.NotSupported, match="keep='all'"):
        pair(query=None).scores(0, 0)


def test_a_pair_is_frozen_and_says_what_it_is() -> None:
    made = pair()
    assert repr(made) == (
        "<core.Seq2SeqTrace of <core.Trace of 3 tokens by 'by hand': 'the bank </s>'> and "
        "<core.Trace of 2 tokens by 'by hand': '<pad> die'>>"
    )
    for one in (made, pickle.loads(pickle.dumps(made))):
        assert one.query is not None
        with pytest.raises(ValueError, match="read-only"):
            one.query[...] = 0
    halves = made.encoder.nbytes + made.decoder.nbytes
    assert made.nbytes == halves + 4 * (2 * 2 * 3 + 2 * 2 * 4 + 2 * 2 * 3 * 4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"cross": Attention(SOURCE, READS, rows(2, 1, 3, 2))},
        {"cross": Attention(SOURCE, SOURCE, rows(2, 1, 3, 3))},
        {"query": KEY},
        {"key": QUERY},
        {"value": QUERY},
        {"query": QUERY[:1]},
        {"query": QUERY[0]},
        {"key": np.full((2, 1, 3, 4), np.inf)},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"not the decoder's|has the shape|not finite"):
        pair(**wrong)


def one_layer(**changes: Any) -> Trace:
    query = np.array([[[[1, 2, 3, 4], [0, 1, 0, 0]], [[2, 0, 0, 0], [0, 0, 0, 6]]]])
    key = np.array([[[[1, 1, 1, 1], [5, 6, 7, 8]], [[3, 0, 0, 1], [4, 9, 9, 2]]]])
    return trace(("a", "b"), hidden=None, query=query, key=key, **changes)


def test_scores_of_a_causal_model_by_hand() -> None:
    scores = one_layer(causal=True).scores(0, 0)
    assert scores.masked.tolist() == [[False, True], [False, False]]
    assert scores.values.tolist() == [[5, 35], [0.5, 3]]  # masked cells have a score too


def test_scores_with_scale_and_bias_by_hand() -> None:
    bias = np.array([[[1, 2], [3, 4]], [[-1, -2], [-3, -4]]])
    made = one_layer(scale=(1.0,), bias=bias)
    assert made.scores(0, 0).values.tolist() == [[11, 72], [4, 10]]
    assert made.scores(0, 1).values.tolist() == [[5, 6], [3, 8]]
    assert one_layer(bias=bias).scores(0, 0).values.tolist() == [[6, 37], [3.5, 7]]
    assert made.nbytes - one_layer().nbytes == 4 * 8
    assert made.bias is not None
    assert not made.bias.flags.writeable


@pytest.mark.parametrize("bias", [np.zeros((2, 2)), np.zeros((1, 2, 3)), np.full((1, 2, 2), np.nan)])
def test_a_bias_that_does_not_fit_is_refused(bias: np.ndarray) -> None:
    with pytest.raises(ValueError, match="bias"):
        one_layer(bias=bias)


def test_a_model_without_query_and_key() -> None:
    with pytest.raises(core.NotSupported, match="“by hand” provides no query and key"):
        trace(("a", "b"), products=False).scores(0, 0)
    assert trace(("a", "b")).scale is None
