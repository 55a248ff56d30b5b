"""The cat ate the mouse, the mouse ate the cat: the purpose of positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.walkthroughs.steps.ablations import no_positions, no_scale, one_head, reordered


@pytest.mark.parametrize("layer", [0, 5])
def test_without_positions_minilm_cannot_tell_who_ate_whom(minilm: Any, layer: int) -> None:
    first = minilm._reader.read("the cat ate the mouse")
    second = minilm._reader.read("the mouse ate the cat")
    encoder = minilm._runner.encoder
    found = no_positions(encoder, first.ids, second.ids, first.tokens, layer=layer)
    assert found.without.max() < 5e-6
    assert found.with_positions.max() > 0.3
    traces: list[Any] = [minilm.trace(read.texts[0]) for read in (first, second)]
    one, other = (trace.hidden[layer] for trace in traces)
    expected = np.abs(one - other[list(found.positions)]).max(axis=1)
    np.testing.assert_allclose(found.with_positions, expected, atol=1e-5)
    assert [second.tokens[i] for i in found.positions] == list(first.tokens)


def test_places_of_the_same_words() -> None:
    assert reordered((5, 7, 5), (7, 5, 5)) == (1, 0, 2)
    assert reordered((5, 7), (5, 5)) is None
    with pytest.raises(ValueError, match="another order"):
        no_positions(None, (5, 7), (5, 5), ("a", "b"), layer=0)  # type: ignore[arg-type]


def test_minilm_without_its_scale(minilm: Any) -> None:
    import torch

    trace = minilm.trace("We sat on the river bank")
    x = torch.tensor(trace.hidden[1])
    found = no_scale(minilm._runner.encoder.layers[2], x, trace.tokens, head=5)
    weights = trace.attention.weights[2, 5]
    np.testing.assert_allclose(found.step.operands[0].values, weights, atol=1e-6)
    scores = (trace.query[2, 5] @ trace.key[2, 5].T).astype(float)
    expected = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.step.result.values, expected, atol=1e-5)
    assert found.after.largest > found.before.largest + 0.1


def test_minilm_with_one_head(minilm: Any) -> None:
    import torch

    trace = minilm.trace("We sat on the river bank")
    layer = minilm._runner.encoder.layers[2]
    with torch.inference_mode():
        found = one_head(layer, torch.tensor(trace.hidden[1]), trace.tokens, head=5)
    np.testing.assert_allclose(found.step.operands[0].values, trace.attention.weights[2, 5], atol=1e-6)
    # All heads of the trace, side by side, form the single wide head.
    query, key = (np.concatenate([*x[2]], axis=1) for x in (trace.query, trace.key))
    scores = query @ key.T / query.shape[1] ** 0.5
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found.step.result.values, expected, atol=1e-5)
    assert layer.attention.n_heads == 12  # the model is as it was
