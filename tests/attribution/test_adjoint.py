"""Exact contributions: they add up, on the real model and on random ones, and by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.attribution import adjoint
from core.examples.presets import PRESETS, Preset
from core.transformer import Encoder, EncoderConfig
from core.transformer.layers import ACTIVATIONS, EncoderLayer


def along(model: core.Model, seed: int = 0) -> np.ndarray:
    """A direction of length 1."""
    drawn = np.random.default_rng(seed).normal(size=model.shape.d_model)
    return drawn / np.linalg.norm(drawn)


@pytest.mark.few(8)
@pytest.mark.check
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.label)
def test_they_add_up_on_every_preset(minilm: core.Model, preset: Preset) -> None:
    for text in (preset.text_a, preset.text_b):
        for layer in (0, 3, None):
            found = minilm.contributions(text, preset.word, along(minilm), layer=layer)
            trace = minilm.trace(text)
            assert trace.hidden is not None
            vector = trace.hidden[found.layer, trace.find(preset.word)].mean(0)
            assert found.whole == pytest.approx(float(vector @ found.direction), abs=1e-5)
            assert found.error < 1e-4
            assert found.by_token.sum() + found.bias == pytest.approx(found.whole, abs=1e-4)


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ["bert", "distilbert"])
@pytest.mark.parametrize("seed", range(3))
def test_they_add_up_on_random_models(make_folder: Callable[..., Path], kind: str, seed: int) -> None:
    model = core.load(str(make_folder(kind, seed=seed)))
    for word in ("river", "embankments"):  # one piece, and several
        found = model.contributions("At the river, embankments hold.", word, along(model, seed))
        assert found.error < 1e-4 * max(1, float(np.abs(found.by_depth).sum(1).max()))


def test_two_parts_make_a_whole(minilm: core.Model) -> None:
    """Contributions are linear in the direction; after the last layer, only the word contributes."""
    text = "She sat on the river bank."
    one, two = (minilm.contributions(text, "bank", k * along(minilm)) for k in (1, 2))
    np.testing.assert_allclose(two.by_depth, 2 * one.by_depth, rtol=1e-3, atol=1e-5)
    here = one.tokens.index("bank")
    assert one.by_depth[-1, here] == pytest.approx(one.whole, abs=1e-5)
    assert not np.delete(one.by_depth[-1], here).any()
    assert one.biases[-1] == 0


def test_the_slope_is_torch_s_own(minilm: core.Model) -> None:
    """With the same values held fixed, torch's gradient with respect to the embeddings equals ours."""
    encoder: Any = minilm._runner.encoder  # type: ignore[attr-defined]
    ids_L = torch.tensor([101, 2314, 2924, 102])
    embedded_LD = encoder.embed(encoder.tokens(ids_L[None]), None)[0]
    went = adjoint.walk(encoder.layers, embedded_LD)
    x_LD = went.steps[0].x_LD.clone().requires_grad_(True)
    y_LD = x_LD
    for layer, step in zip(encoder.layers, went.steps, strict=True):
        value_HMK = layer.attention.value(y_LD).unflatten(-1, (12, -1)).transpose(0, 1)
        mixed_LD = (step.weights_HLM @ value_HMK).transpose(0, 1).flatten(1)
        y_LD = y_LD + layer.attention.output(mixed_LD)
        y_LD = held(layer.attention_norm, y_LD, step.attention_deviation_L1)
        network = layer.feed_forward
        changed_LD = network.outer(network.inner(y_LD) * step.gate_LF)
        y_LD = held(layer.output_norm, y_LD + changed_LD, step.output_deviation_L1)
    torch.testing.assert_close(y_LD, went.output_LD, atol=2e-5, rtol=0)
    direction_D = torch.from_numpy(along(minilm)).float()
    (y_LD[2] @ direction_D).backward()
    assert x_LD.grad is not None
    expected_L = (x_LD.grad * x_LD).sum(-1).detach()
    _, shares = adjoint.contributions(list(encoder.layers), embedded_LD, [2], direction_D)
    torch.testing.assert_close(shares.by_depth_NL[0], expected_L, atol=1e-5, rtol=1e-4)


def held(norm: torch.nn.LayerNorm, x_LD: torch.Tensor, deviation_L1: torch.Tensor) -> torch.Tensor:
    centred_LD = x_LD - x_LD.mean(-1, keepdim=True)
    return norm.weight * centred_LD / deviation_L1 + norm.bias


def test_what_a_head_carries_by_hand() -> None:
    """A head that copies: each weight times each value, through the output, along the direction."""
    torch.manual_seed(0)
    config = EncoderConfig(7, 5, 0, 1, 2, 4, 3, activation="relu")
    encoder = Encoder(config).eval().requires_grad_(False)
    ids_L = torch.tensor([1, 2, 6])
    direction_D = torch.tensor([0.3, -0.2, 0.7, 0.5])
    layers, embedded_LD = list(encoder.layers), encoder.embed(encoder.tokens(ids_L[None]), None)[0]
    (step,) = adjoint.walk(layers, embedded_LD).steps
    _, shares = adjoint.contributions(layers, embedded_LD, [1], direction_D)
    layer: Any = encoder.layers[0]
    silent = [layer.attention.value.weight.clone(), layer.attention.output.weight.clone()]
    slope_LD = torch.zeros(3, 4)
    slope_LD[1] = direction_D
    slope_LD, _ = adjoint._norm(layer.output_norm, step.output_deviation_L1, slope_LD)
    network = layer.feed_forward
    slope_LD = slope_LD + slope_LD @ network.outer.weight * step.gate_LF @ network.inner.weight
    slope_LD, _ = adjoint._norm(layer.attention_norm, step.attention_deviation_L1, slope_LD)
    for head in range(2):
        rows = slice(2 * head, 2 * head + 2)
        for j in range(3):
            value_K = silent[0][rows] @ step.x_LD[j]
            handed_D = silent[1][:, rows] @ value_K * step.weights_HLM[head, 1, j]
            expected = float(handed_D @ slope_LD[1])
            assert float(shares.by_head_NHM[0, head, j]) == pytest.approx(expected, abs=1e-6)
            # In the last layer, only vectors moved to the word count.
            assert float(shares.by_head_direct_NHM[0, head, j]) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("norm_first", [False, True], ids=["post-LN", "pre-LN"])
@pytest.mark.parametrize("d_ff", [0, 13], ids=["attention alone", "with a network"])
def test_our_own_layers_add_up(norm_first: bool, d_ff: int, fill_randomly: Callable[..., None]) -> None:
    """Norms after each sum or before each sub-layer, with their γ and β; with or without a network."""
    stack = torch.nn.ModuleList(
        EncoderLayer(6, 2, d_ff, ACTIVATIONS["gelu"], 1e-3, norm_first=norm_first) for _ in range(3)
    ).eval()
    fill_randomly(stack)
    stack.requires_grad_(False)
    draw = torch.Generator().manual_seed(5)
    x_LD, direction_D = torch.randn(5, 6, generator=draw), torch.randn(6, generator=draw)
    whole, shares = adjoint.contributions(list(stack), x_LD, [1, 3], direction_D)
    y_BLD = x_LD[None]
    for layer in stack:
        y_BLD = layer(y_BLD).output_BLD
    assert float(whole) == pytest.approx(float(y_BLD[0, [1, 3]].mean(0) @ direction_D), abs=1e-5)
    sums_N = shares.by_depth_NL.sum(1) + shares.biases_N
    torch.testing.assert_close(sums_N, whole.expand(4), atol=1e-4, rtol=1e-4)
    # After the last layer, only the part of a head's contribution that reaches the word counts.
    torch.testing.assert_close(
        shares.by_head_NHM[2], shares.by_head_direct_NHM[2], atol=1e-5, rtol=1e-4
    )
    assert not torch.allclose(shares.by_head_NHM[0], shares.by_head_direct_NHM[0], atol=1e-3)
    # A contribution is the part that bypasses the heads plus the part that they move; the rest of a
    # layer acts on each token separately.
    if not d_ff and not norm_first:
        (step,) = adjoint.walk(stack[2:], adjoint.walk(stack[:2], x_LD).output_LD).steps
        slope_LD = torch.zeros(5, 6)
        slope_LD[[1, 3]] = direction_D / 2
        around_LD, _ = adjoint._norm(stack[2].attention_norm, step.attention_deviation_L1, slope_LD)  # type: ignore[arg-type]
        expected_L = (around_LD * step.x_LD).sum(-1) + shares.by_head_NHM[2].sum(0)
        torch.testing.assert_close(shares.by_depth_NL[2], expected_L, atol=1e-5, rtol=1e-4)


@pytest.mark.check
def test_what_cannot_be_asked(minilm: core.Model, minilm_hf: core.Model) -> None:
    direction = along(minilm)
    with pytest.raises(core.WordNotFound, match="bank"):
        minilm.contributions("A bank.", "river", direction)
    for wrong in (direction[:-1], 0 * direction, direction * np.nan):
        with pytest.raises(core.SettingError, match="384 finite numbers"):
            minilm.contributions("A bank.", "bank", wrong)
    with pytest.raises(core.SettingError, match="no layer 6"):
        minilm.contributions("A bank.", "bank", direction, layer=6)
    with pytest.raises(core.NotSupported, match="our own transformer"):
        minilm_hf.contributions("A bank.", "bank", direction)


def test_one_forward_pass_serves_all_layers(minilm: core.Model) -> None:
    text = "She sat on the bank of the bank."
    directions = [along(minilm, seed) for seed in range(minilm.shape.n_layers)]
    found = minilm.contributions_by_layer(text, "bank", directions, occurrence=1)
    for layer, (one, direction) in enumerate(zip(found, directions, strict=True)):
        alone = minilm.contributions(text, "bank", direction, occurrence=1, layer=layer)
        assert (one.layer, one.word, one.whole) == (layer, alone.word, alone.whole)
        for name in ("by_depth", "biases", "by_head", "by_head_direct"):
            np.testing.assert_allclose(getattr(one, name), getattr(alone, name), atol=1e-6)
    assert minilm.contributions_by_layer(text, "bank", []) == ()
    with pytest.raises(core.SettingError):
        minilm.contributions_by_layer(text, "bank", [*directions, directions[0]])


def test_texts_that_share_a_pass_are_apart(minilm: core.Model) -> None:
    words = [
        ("She sat on the bank of the bank.", "bank", 1),
        ("No banks.", "banks", 0),
        ("bank", "bank", 0),
    ]
    each = [[along(minilm, 10 * i + seed) for seed in range(3)] for i in range(len(words))]
    every = minilm.contributions_of_each(words, each)
    for (text, word, number), directions, found in zip(words, each, every, strict=True):
        alone = minilm.contributions_by_layer(text, word, directions, occurrence=number)
        assert len(found) == len(alone) == 3
        for one, other in zip(found, alone, strict=True):
            assert (one.tokens, one.word, one.layer) == (other.tokens, other.word, other.layer)
            assert one.whole == pytest.approx(other.whole, abs=5e-6)
            assert one.error <= 1e-5
            for name in ("by_depth", "biases", "by_head", "by_head_direct"):
                np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=5e-6)
    assert minilm.contributions_of_each([], []) == []
    assert minilm.contributions_of_each(words[:1], [[]]) == [()]
