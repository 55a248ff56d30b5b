from __future__ import annotations

import numpy as np

import core
from core.measures import merged


def test_pieces_become_words_columns_added_rows_averaged(minilm: core.Model) -> None:
    trace = minilm.trace("An unbelievability of banks")
    assert trace.attention is not None
    word = trace.find("unbelievability")
    assert len(word) > 1
    found, pieces = merged(trace)
    assert found.keys == found.queries == ("[CLS]", "an", "unbelievability", "of", "banks", "[SEP]")
    assert pieces[2] == tuple(word)
    before = trace.attention.weights.astype(np.float64)
    groups = [[0], [1], word.tolist(), [word[-1] + 1], [word[-1] + 2], [word[-1] + 3]]
    for i, rows in enumerate(groups):
        for j, columns in enumerate(groups):
            expected = before[:, :, rows][..., columns].sum(axis=-1).mean(axis=-1)
            np.testing.assert_allclose(found.weights[:, :, i, j], expected, atol=1e-6)


def test_a_text_without_pieces_stays_as_it_is(minilm: core.Model) -> None:
    trace = minilm.trace("the river bank 🎣.")
    assert trace.attention is not None
    found, pieces = merged(trace)
    assert pieces == tuple((i,) for i in range(len(trace.tokens)))
    assert found.keys == trace.tokens
    np.testing.assert_allclose(found.weights, trace.attention.weights, atol=1e-6)
