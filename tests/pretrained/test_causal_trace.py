"""`causal_trace`: an encoder under a mask, against torch with −∞ above the diagonal, and by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.tasks import TASKS, train

TEXT = "On the river bank"


def later(n: int) -> np.ndarray:
    return np.triu(np.ones((n, n), bool), 1)


def test_no_token_depends_on_what_comes_after(minilm: core.Model) -> None:
    one, other = minilm.causal_trace(TEXT), minilm.causal_trace("On the river again")
    assert one.hidden is not None
    assert other.hidden is not None
    np.testing.assert_allclose(one.hidden[:, :4], other.hidden[:, :4], atol=1e-5)
    assert np.abs(one.hidden[:, 4] - other.hidden[:, 4]).max() > 0.1
    free, changed = minilm.trace(TEXT), minilm.trace("On the river again")
    assert free.hidden is not None
    assert changed.hidden is not None
    assert np.abs(free.hidden[:, 3] - changed.hidden[:, 3]).max() > 0.05


def test_weights_are_exactly_nothing_and_scores_are_masked(minilm: core.Model) -> None:
    trace = minilm.causal_trace(TEXT)
    assert trace.causal
    assert trace.attention is not None
    hidden = later(len(trace.tokens))
    assert (trace.attention.weights[..., hidden] == 0).all()
    np.testing.assert_allclose(trace.attention.weights.sum(axis=-1), 1, atol=1e-5)
    scores = trace.scores(3, 5)
    np.testing.assert_array_equal(scores.masked, hidden)
    powers = np.exp(np.where(hidden, -np.inf, scores.values.astype(float)))
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(trace.attention.weights[3, 5], expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["bert", "distilbert"])
def test_as_torch_masks(make_folder: Callable[[str], Path], kind: str) -> None:
    """torch's own encoder layers with the same mask: −∞ above the diagonal of the scores."""
    model = core.load(str(make_folder(kind)))
    trace, encoder = model.causal_trace(TEXT), model.scratch_encoder
    assert encoder is not None
    assert trace.hidden is not None
    n = len(trace.tokens)
    mask = torch.triu(torch.full((n, n), -torch.inf), 1)
    x = torch.tensor(trace.embedded)[None]
    for layer, expected in zip(encoder.layers, trace.hidden, strict=True):
        with torch.inference_mode():
            own: Any = layer
            attention = own.attention
            q, k, v = (
                attention._split(part(x)) for part in (attention.query, attention.key, attention.value)
            )
            mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            x = own.attention_norm.add(x, attention.output(mixed.transpose(1, 2).flatten(2)))
            x = own.output_norm.add(x, own.feed_forward(x))
        np.testing.assert_allclose(x[0].numpy(), expected, atol=1e-5)


def test_a_pair_and_masked_words_go_along(minilm: core.Model) -> None:
    pair = minilm.causal_trace("a river", "a bank")
    assert pair.segments[-1] == 1
    assert pair.causal


def test_a_decoder_has_it_by_itself(made: Callable[..., Path]) -> None:
    model = core.load(str(made("gpt2")))
    masked, plain = model.causal_trace(TEXT), model.trace(TEXT)
    assert masked.attention is not None
    assert plain.attention is not None
    np.testing.assert_array_equal(masked.attention.weights, plain.attention.weights)


@pytest.mark.parametrize("kind", ["mpnet", "t5"])
def test_what_does_not_run_here_is_refused(made: Callable[..., Path], kind: str) -> None:
    model = core.load(str(made(kind)))
    with pytest.raises(core.NotSupported, match="our own transformer"):
        model.causal_trace(TEXT)


def test_of_a_model_that_was_trained_here() -> None:

    recipe = dataclasses.replace(TASKS["bank"].recipe, steps=2, batch=2, d_model=12, seed=3)
    training = train(recipe)
    training.learn(2)
    trained = training.trained()
    text = trained.words[0] + " " + trained.words[1]
    trace = trained.causal_trace(text)
    assert trace.causal
    assert trace.attention is not None
    assert (trace.attention.weights[..., later(len(trace.tokens))] == 0).all()
