"""Back through the encoder, by hand: what each vector on the way adds to one number at its end.

An encoder whose attention weights, norm deviations and activation gates are held where they are is a
linear map, and a number read off its end is a sum over what went in. The pieces of that sum come from
one walk forward and one back, written out as the transpose of each part (Elhage et al. 2021, "A
Mathematical Framework for Transformer Circuits", for the frozen weights; Ancona et al. 2018, section
3, for gate = output / input). One text at a time: the batch has one row, and its axis is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from core.transformer import Encoder
from core.transformer.layers import EncoderLayer


class Step(NamedTuple):
    """One layer, as the text went through it: what its linear map depends on."""

    x_LD: Tensor
    weights_HLM: Tensor
    value_HMK: Tensor
    attention_deviation_L1: Tensor
    gate_LF: Tensor
    output_deviation_L1: Tensor


class Walk(NamedTuple):
    """A text's way through the layers, and where it ends."""

    steps: tuple[Step, ...]
    output_LD: Tensor


class Shares(NamedTuple):
    """What one number at the end is the sum of: see `core.Contributions` for the first three."""

    pushes_NL: Tensor
    biases_N: Tensor
    carried_NHM: Tensor


def walk(encoder: Encoder, ids_L: Tensor, segments_L: Tensor | None, n_layers: int) -> Walk:
    """Run the first layers of the encoder, and keep what the way back needs."""
    learned_BLD = encoder.tokens(ids_L[None])
    segments_BL = None if segments_L is None else segments_L[None]
    x_BLD = encoder.embed(learned_BLD, segments_BL)
    steps = []
    for layer in list(encoder.layers)[:n_layers]:
        step, x_BLD = _through(layer, x_BLD)
        steps.append(step)
    return Walk(tuple(steps), x_BLD[0])


def _through(layer: nn.Module, x_BLD: Tensor) -> tuple[Step, Tensor]:
    assert isinstance(layer, EncoderLayer)
    assert layer.feed_forward is not None
    assert layer.output_norm is not None
    attention = layer.attention(x_BLD, x_BLD)
    summed_BLD = x_BLD + attention.output_BLD
    middle_BLD = layer.attention_norm(summed_BLD)
    inner_BLF = layer.feed_forward.inner(middle_BLD)
    active_BLF = layer.feed_forward.activation(inner_BLF)
    last_BLD = middle_BLD + layer.feed_forward.outer(active_BLF)
    assert attention.weights_BHLM is not None
    step = Step(
        x_BLD[0],
        attention.weights_BHLM[0],
        attention.value_BHMK[0],
        _deviation(summed_BLD[0], layer.attention_norm.eps),
        # 0 where the input is 0: then the output is 0 as well, and no gate says more.
        torch.where(inner_BLF == 0, 0.0, active_BLF / inner_BLF)[0],
        _deviation(last_BLD[0], layer.output_norm.eps),
    )
    return step, layer.output_norm(last_BLD)


def _deviation(x_LD: Tensor, eps: float) -> Tensor:
    return (x_LD.var(-1, keepdim=True, correction=0) + eps).sqrt()


def back(encoder: Encoder, steps: Sequence[Step], start_LD: Tensor) -> Shares:
    """From `start_LD`, the number's slope by each vector behind the last of the steps, to the first.

    The slope by a part's input is its transpose applied to the slope by its output; a push is a
    slope times the vector that stands there.
    """
    slope_LD, bias = start_LD, start_LD.new_zeros(())
    pushes, biases, carried = [], [], []
    for layer, step in reversed(list(zip(encoder.layers, steps, strict=False))):
        assert isinstance(layer, EncoderLayer)
        slope_LD, added, moved_HM = _layer(layer, step, slope_LD)
        bias = bias + added
        pushes.append((slope_LD * step.x_LD).sum(-1))
        biases.append(bias)
        carried.append(moved_HM)
    return Shares(*(torch.stack(found[::-1]) for found in (pushes, biases, carried)))


def _layer(layer: EncoderLayer, step: Step, slope_LD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The slope by the layer's input, what its biases add, what each head carries from each token."""
    network, norm, attention = layer.feed_forward, layer.output_norm, layer.attention
    assert network is not None
    assert norm is not None
    slope_LD, bias = _norm(norm, step.output_deviation_L1, slope_LD)
    slope_LF = slope_LD @ network.outer.weight * step.gate_LF
    bias = bias + (slope_LD @ network.outer.bias).sum() + (slope_LF @ network.inner.bias).sum()
    slope_LD = slope_LD + slope_LF @ network.inner.weight
    slope_LD, added = _norm(layer.attention_norm, step.attention_deviation_L1, slope_LD)
    bias = bias + added + (slope_LD @ attention.output.bias).sum()
    heads = attention.n_heads
    mixed_HLK = (slope_LD @ attention.output.weight).view(len(slope_LD), heads, -1).transpose(0, 1)
    value_HMK = step.weights_HLM.transpose(-2, -1) @ mixed_HLK  # the slope by each value
    bias_HK = attention.value.bias.view(heads, 1, -1)
    bias = bias + (value_HMK * bias_HK).sum()
    carried_HM = (value_HMK * (step.value_HMK - bias_HK)).sum(-1)
    slope_LD = slope_LD + value_HMK.transpose(0, 1).flatten(1) @ attention.value.weight
    return slope_LD, bias, carried_HM


def _norm(norm: nn.LayerNorm, deviation_L1: Tensor, slope_LD: Tensor) -> tuple[Tensor, Tensor]:
    """Through γ·(x − mean)/deviation + β, the deviation held: the slope by x, and what β adds."""
    bias = (slope_LD @ norm.bias).sum()
    scaled_LD = slope_LD * norm.weight / deviation_L1
    return scaled_LD - scaled_LD.mean(-1, keepdim=True), bias


def contributions(
    encoder: Encoder,
    ids_L: Tensor,
    segments_L: Tensor | None,
    word: Sequence[int],
    direction_D: Tensor,
    n_layers: int,
) -> tuple[Tensor, Shares]:
    """The mean of a word's vectors behind some layers, along a direction: the number, and its shares.

    Args:
        encoder: the model.
        ids_L: the text.
        segments_L: 0 or 1 of each token, where the model tells two texts apart.
        word: the tokens of the word.
        direction_D: what is measured along.
        n_layers: behind so many layers; at least 1.
    """
    went = walk(encoder, ids_L, segments_L, n_layers)
    places = list(word)
    whole = went.output_LD[places].mean(0) @ direction_D
    start_LD = torch.zeros_like(went.output_LD)
    start_LD[places] = direction_D / len(places)
    shares = back(encoder, went.steps, start_LD)
    last_L = (start_LD * went.output_LD).sum(-1)  # behind the last layer, the word alone is left
    return whole, Shares(
        torch.cat([shares.pushes_NL, last_L[None]]),
        F.pad(shares.biases_N, (0, 1)),
        shares.carried_NHM,
    )
