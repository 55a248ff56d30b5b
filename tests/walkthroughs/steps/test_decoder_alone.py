"""The steps of a decoder alone: equal to the trace, and to arithmetic by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.transformer import LanguageModel, TransformerConfig
from core.transformer.layers import Parts
from core.transformer.positions import Rotation
from core.walkthroughs.steps import queries
from core.walkthroughs.steps.decoder_alone import Next, decoder_alone_steps
from core.walkthroughs.steps.flow import flow
from core.walkthroughs.steps.record import Groups, Step

TEXT = "On the river bank, the bank"


def named(steps: tuple[Step, ...], name: str) -> Step:
    (found,) = (step for step in steps if step.name == name)
    return found


def steps_of(model: Any, layer: int, head: int, block: int = 0) -> tuple[Any, Any, tuple[Step, ...]]:
    """The trace of a text, what the model expects next, and all steps."""
    trace, read = model.trace(TEXT), model.read(TEXT)
    (expected,) = model.predict(TEXT, top_k=5)
    x = trace.hidden[layer - 1] if layer else trace.embedded
    steps = queries.pass_of_decoder(
        model.scratch_decoder,
        (read.ids, trace.tokens, [""] * len(read)),
        (x, trace.hidden[-1]),
        layer,
        head,
        block,
        Next(model.scratch_head(), False, expected.ids, expected.tokens),
    )
    return trace, expected, steps


@pytest.fixture(scope="module", params=["gpt2", "llama", "llama, llama3 rope", "qwen2"])
def model(request: pytest.FixtureRequest, made: Callable[..., Path]) -> Any:
    return core.load(str(made(request.param)))


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, -1), (2, 2)])
def test_every_step_equals_the_trace_and_its_own_operands(model: Any, layer: int, head: int) -> None:
    head %= model.shape.n_heads
    trace, expected, steps = steps_of(model, layer, head)
    for name, own in (
        ("weights", trace.attention.weights[layer, head]),
        ("turn-query", trace.query[layer, head]),
        ("turn-key", trace.key[layer, head]),
        ("value", trace.value[layer, head]),
        ("residual2", trace.hidden[layer]),
        ("final-norm", trace.final),
    ):
        if not any(step.name == name for step in steps):
            name = name.removeprefix("turn-")
        got = named(steps, name).result.values
        np.testing.assert_allclose(got, own, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(
        named(steps, "next").result.values[-1], expected.probabilities, atol=1e-5
    )
    for step in steps[1:]:
        wanted = step.result.values
        np.testing.assert_allclose(step.again(), wanted, rtol=1e-4, atol=1e-5, err_msg=step.name)


def test_each_result_is_read_by_a_later_step(model: Any) -> None:
    _, _, steps = steps_of(model, model.shape.n_layers - 1, 0)
    read = {source for sources in flow(steps) for source in sources}
    assert read == set(range(len(steps) - 1))


def by_hand() -> LanguageModel:
    """One layer, two heads of two numbers that share a key and a value; all matrices are simple."""
    config = TransformerConfig(
        n_vocabulary=3,
        n_encoder_layers=0,
        n_decoder_layers=1,
        n_heads=2,
        d_model=4,
        d_ff=2,
        positions="rotary",
        norm_first=True,
        tied_output=True,
        scale_embeddings=False,
        activation="silu",
        norm_eps=0.0,
        parts=Parts(
            norm="RMSNorm",
            gated=True,
            n_kv_heads=1,
            d_head=2,
            rotation=Rotation(base=100.0, pairs="halves"),
            qkv_bias=False,
            output_bias=False,
            feed_forward_bias=False,
        ),
    )
    model = LanguageModel(config).eval().requires_grad_(False)
    layer: Any = model.stack.layers[0]
    layer.attention.query.weight.copy_(torch.eye(4))
    for one in (layer.attention.key, layer.attention.value):
        one.weight.copy_(torch.eye(4)[:2])
    layer.attention.output.weight.copy_(torch.eye(4))
    layer.feed_forward.gate.weight.copy_(torch.eye(4)[:2])
    layer.feed_forward.inner.weight.copy_(2 * torch.eye(4)[:2])
    layer.feed_forward.outer.weight.copy_(torch.eye(4)[:, :2])
    layer.attention_norm.weight.copy_(torch.tensor([1.0, 2.0, 1.0, 1.0]))
    return model


def test_one_layer_by_hand() -> None:
    x = torch.tensor([[1.0, 0.0, 1.0, 0.0], [3.0, 4.0, 0.0, 0.0]])
    layer: Any = by_hand().stack.layers[0]
    with torch.no_grad():
        steps = decoder_alone_steps(layer, x, ["a", "b"], head=1)
    # √((9 + 16 + 0 + 0) / 4) = 2.5, and γ doubles the second number: (1.2, 3.2, 0, 0).
    normed = named(steps, "pre-norm").result.values
    np.testing.assert_allclose(normed[1], [1.2, 3.2, 0, 0], rtol=1e-6)
    # The second head reads the last two numbers; the key that both heads share, the first two.
    np.testing.assert_allclose(named(steps, "query").result.values, normed[:, 2:], atol=1e-6)
    np.testing.assert_allclose(named(steps, "key").result.values, normed[:, :2], atol=1e-6)
    assert named(steps, "key").groups == Groups(2, 1, 1)
    # At position 1 the pair (1.2, 3.2) turns by 1 rad; at position 0 nothing turns.
    turned = named(steps, "turn-key").result.values
    cos, sin = math.cos(1), math.sin(1)
    by_one = [1.2 * cos - 3.2 * sin, 1.2 * sin + 3.2 * cos]
    np.testing.assert_allclose(turned[1], by_one, rtol=1e-6)
    np.testing.assert_allclose(turned[0], normed[0, :2], rtol=1e-6)
    # The first token attends to itself alone; the second query is 0, and its row is even.
    np.testing.assert_allclose(
        named(steps, "weights").result.values, np.array([[1, 0], [0.5, 0.5]]), atol=1e-6
    )
    masked = named(steps, "mask").result.hidden
    assert masked is not None
    assert masked.tolist() == [[False, True], [False, False]]
    # SiLU(g) ⊙ u, with u = 2g: 2g² / (1 + e⁻ᵍ).
    g = named(steps, "gate").result.values.astype(float)
    product = named(steps, "gated").result.values
    np.testing.assert_allclose(product, 2 * g * g / (1 + np.exp(-g)), rtol=1e-5)
    # Nothing normalizes the sum: y − r is the network's output.
    r, y = named(steps, "residual").result.values, named(steps, "residual2").result.values
    np.testing.assert_allclose(y - r, named(steps, "outer").result.values, atol=1e-6)


def test_a_window_hides_what_lies_before_it() -> None:
    layer: Any = by_hand().stack.layers[0]
    with torch.no_grad():
        steps = decoder_alone_steps(layer, torch.ones(4, 4), ["a", "b", "c", "d"], window=2)
    hidden = named(steps, "mask").result.hidden
    assert hidden is not None
    assert hidden[3].tolist() == [True, True, False, False]
    # Both are (1, 2) before they turn: the scores are 5·cos(distance) / √2.
    share = 1 / (1 + math.exp(5 * (1 - math.cos(1)) / math.sqrt(2)))
    row = named(steps, "weights").result.values[3]
    np.testing.assert_allclose(row, [0, 0, share, 1 - share], atol=1e-6)


def test_layers_of_another_order_are_refused(made: Callable[..., Path]) -> None:
    model = core.load(str(made("llama")))
    decoder = model.scratch_decoder
    assert decoder is not None
    layer: Any = decoder.stack.layers[0]
    with pytest.raises(ValueError, match="no head 6"):
        decoder_alone_steps(layer, torch.zeros(2, 36), ["a", "b"], head=6)
    with pytest.raises(ValueError, match="cannot be joined"):
        queries.decoder_what_if("one-head", decoder, np.zeros((2, 36)), "ab", 0, 0)


def test_without_its_scale_a_head_of_a_decoder_keeps_its_mask(made: Callable[..., Path]) -> None:
    model = core.load(str(made("llama")))
    trace, decoder = model.trace(TEXT), model.scratch_decoder
    assert decoder is not None
    assert trace.hidden is not None
    assert trace.attention is not None
    found = queries.decoder_what_if("no-scale", decoder, trace.hidden[0], trace.tokens, 1, 4)
    before, after = found.step.operands[0].values, found.step.result.values
    np.testing.assert_allclose(before, trace.attention.weights[1, 4], atol=1e-5)
    assert not np.triu(after, 1).any()
    assert found.after.largest >= found.before.largest
