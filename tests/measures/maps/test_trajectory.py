from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import core
from core.measures import word_path
from core.records.trace import Trace

TOKENS = ("[CLS]", "em", "##bed", "it", "[SEP]")


def test_depths_are_learned_then_embedded_then_each_layer(make_trace: Callable[..., Trace]) -> None:
    trace = make_trace(TOKENS)
    path = word_path(trace, [3])
    assert [vector.shape for vector in path.vectors] == [(11,), (7,), (7,), (7,)]
    assert (path.n_layers, path.pieces) == (2, 1)
    assert trace.hidden is not None
    for vector, of in zip(path.vectors, (trace.learned, trace.embedded, *trace.hidden), strict=True):
        np.testing.assert_array_equal(vector, of[3])


def test_a_word_of_two_pieces_is_their_mean(make_trace: Callable[..., Trace]) -> None:
    learned = np.arange(5 * 11, dtype=float).reshape(5, 11)  # row i starts at 11 i
    path = word_path(make_trace(TOKENS, learned=learned), np.array([1, 2]))
    np.testing.assert_array_equal(path.vectors[0], np.arange(11) + 16.5)
    assert path.pieces == 2


def test_vectors_are_frozen_and_keep_no_trace_alive(make_trace: Callable[..., Trace]) -> None:
    for vector in word_path(make_trace(TOKENS), [1, 2]).vectors:
        assert vector.flags.owndata
        assert vector.dtype == np.float32
        with pytest.raises(ValueError, match="read-only"):
            vector[0] = 1


def test_no_tokens_are_refused(make_trace: Callable[..., Trace]) -> None:
    with pytest.raises(ValueError, match="at least one token"):
        word_path(make_trace(TOKENS), [])


def test_a_trace_without_hidden_states_is_refused(make_trace: Callable[..., Trace]) -> None:
    with pytest.raises(core.NotSupported, match="keep='hidden'"):
        word_path(make_trace(TOKENS, hidden=None), [1])
