"""The adjoint of the encoder, written by hand: the contribution of each vector to one output number.

If the attention weights, the deviations of the norms and the gates of the activations are held fixed,
an encoder is a linear map, and any linear function of its output is a sum over its inputs. One forward
and one backward pass compute the summands; the backward pass applies the transpose of each part
(Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", for the frozen weights; Ancona
et al. 2018, section 3, for gate = output / input). Norms come after each sum (post-LN) or before each
sub-layer (pre-LN). The functions take one text, without a batch axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..transformer.layers import EncoderLayer


class Step(NamedTuple):
    """The activations of one layer on which its linear map depends.

    A layer without a feed-forward network has no gate, and its second deviation is 1.
    """

    x_LD: Tensor
    weights_HLM: Tensor
    value_HMK: Tensor
    attention_deviation_L1: Tensor
    gate_LF: Tensor | None
    output_deviation_L1: Tensor


class Walk(NamedTuple):
    """The forward pass of a text: its steps and its output."""

    steps: tuple[Step, ...]
    output_LD: Tensor


class Shares(NamedTuple):
    """The summands of one output number: see `core.Contributions`."""

    by_depth_NL: Tensor
    biases_N: Tensor
    by_head_NHM: Tensor
    by_head_direct_NHM: Tensor


def walk(layers: Iterable[nn.Module], x_LD: Tensor) -> Walk:
    """Run the layers on the embeddings, and keep the activations that the backward pass needs."""
    steps, x_BLD = [], x_LD[None]
    for layer in layers:
        step, x_BLD = _through(layer, x_BLD)
        steps.append(step)
    return Walk(tuple(steps), x_BLD[0])


def _through(layer: nn.Module, x_BLD: Tensor) -> tuple[Step, Tensor]:
    assert isinstance(layer, EncoderLayer)
    norm, network, last = layer.attention_norm, layer.feed_forward, layer.output_norm
    read_BLD = norm.sublayer_input(x_BLD)
    attention = layer.attention(read_BLD, read_BLD)
    middle_BLD = norm.add(x_BLD, attention.output_BLD)
    normed_BLD = x_BLD if norm.norm_first else x_BLD + attention.output_BLD
    gate_LF, second_L1, output_BLD = None, torch.ones_like(x_BLD[0, :, :1]), middle_BLD
    if network is not None and last is not None:
        inner_BLF = network.inner(last.sublayer_input(middle_BLD))
        active_BLF = network.activation(inner_BLF)
        changed_BLD = network.outer(active_BLF)
        # Any gate will do where the input is 0, since the output is then 0 as well; 0 is finite.
        gate_LF = torch.where(inner_BLF == 0, 0.0, active_BLF / inner_BLF)[0]
        second_BLD = middle_BLD if last.norm_first else middle_BLD + changed_BLD
        second_L1 = _deviation(second_BLD[0], last.eps)
        output_BLD = last.add(middle_BLD, changed_BLD)
    assert attention.weights_BHLM is not None
    step = Step(
        x_BLD[0],
        attention.weights_BHLM[0],
        attention.value_BHMK[0],
        _deviation(normed_BLD[0], norm.eps),
        gate_LF,
        second_L1,
    )
    return step, output_BLD


def _deviation(x_LD: Tensor, eps: float) -> Tensor:
    return (x_LD.var(-1, keepdim=True, correction=0) + eps).sqrt()


def back(
    layers: Iterable[nn.Module], steps: Sequence[Step], start_LD: Tensor, word: Sequence[int]
) -> Shares:
    """Backpropagate `start_LD`, the gradient with respect to the last step's output, to the first step.

    The gradient with respect to a part's input is its transpose applied to the gradient with respect to
    its output. A contribution is the product of a gradient and the vector at that position.
    """
    slope_LD, bias = start_LD, start_LD.new_zeros(())
    by_layer = []
    for layer, step in reversed(list(zip(layers, steps, strict=True))):
        assert isinstance(layer, EncoderLayer)
        slope_LD, added = _network(layer, step, slope_LD)
        bias = bias + added
        slope_LD, added, moved_HLM = _attention(layer, step, slope_LD)
        bias = bias + added
        contributions_L = (slope_LD * step.x_LD).sum(-1)
        by_layer.append((contributions_L, bias, moved_HLM.sum(1), moved_HLM[:, list(word)].sum(1)))
    return Shares(*(torch.stack(parts[::-1]) for parts in zip(*by_layer, strict=True)))


def _network(layer: EncoderLayer, step: Step, slope_LD: Tensor) -> tuple[Tensor, Tensor]:
    """The gradient with respect to the input of the feed-forward sub-layer, and its biases' share."""
    network, norm = layer.feed_forward, layer.output_norm
    if network is None or norm is None:
        return slope_LD, slope_LD.new_zeros(())
    assert step.gate_LF is not None
    bias = slope_LD.new_zeros(())
    if not norm.norm_first:
        slope_LD, bias = _norm(norm, step.output_deviation_L1, slope_LD)
    slope_LF = slope_LD @ network.outer.weight * step.gate_LF
    bias = bias + (slope_LD @ network.outer.bias).sum() + (slope_LF @ network.inner.bias).sum()
    read_LD = slope_LF @ network.inner.weight
    if norm.norm_first:
        read_LD, added = _norm(norm, step.output_deviation_L1, read_LD)
        bias = bias + added
    return slope_LD + read_LD, bias


def _attention(layer: EncoderLayer, step: Step, slope_LD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The gradient with respect to the layer's input, the biases' share, and each weight's share."""
    attention, norm = layer.attention, layer.attention_norm
    bias = slope_LD.new_zeros(())
    if not norm.norm_first:
        slope_LD, bias = _norm(norm, step.attention_deviation_L1, slope_LD)
    bias = bias + (slope_LD @ attention.output.bias).sum()
    heads = attention.n_heads
    mixed_HLK = (slope_LD @ attention.output.weight).view(len(slope_LD), heads, -1).transpose(0, 1)
    value_HMK = step.weights_HLM.transpose(-2, -1) @ mixed_HLK  # gradient of each value
    own_D: Tensor = attention.value.bias
    bias = bias + (value_HMK * own_D.view(heads, 1, -1)).sum()
    read_LD = value_HMK.transpose(0, 1).flatten(1) @ attention.value.weight
    if norm.norm_first:
        own_D = own_D + attention.value.weight @ norm.bias
        read_LD, added = _norm(norm, step.attention_deviation_L1, read_LD)
        bias = bias + added
    brought_HMK = step.value_HMK - own_D.view(heads, 1, -1)  # minus the part that all share
    moved_HLM = step.weights_HLM * (mixed_HLK @ brought_HMK.transpose(-2, -1))
    return slope_LD + read_LD, bias, moved_HLM


def _norm(norm: nn.LayerNorm, deviation_L1: Tensor, slope_LD: Tensor) -> tuple[Tensor, Tensor]:
    """Back through γ·(x − mean)/deviation + β, deviation fixed: the gradient for x, and β's share."""
    bias = (slope_LD @ norm.bias).sum()
    scaled_LD = slope_LD * norm.weight / deviation_L1
    return scaled_LD - scaled_LD.mean(-1, keepdim=True), bias


def contributions(
    layers: Sequence[nn.Module], x_LD: Tensor, word: Sequence[int], direction_D: Tensor
) -> tuple[Tensor, Shares]:
    """Measure the mean of a word's output vectors along a direction, and split it into summands.

    Args:
        layers: the first layers of an encoder, at least one; each an `EncoderLayer`.
        x_LD: the input of the first layer, for one text.
        word: the tokens of the word.
        direction_D: the direction of the measurement.
    """
    return _measured(layers, walk(layers, x_LD), word, direction_D)


def contributions_by_layer(
    layers: Sequence[nn.Module], x_LD: Tensor, word: Sequence[int], directions: Mapping[int, Tensor]
) -> dict[int, tuple[Tensor, Shares]]:
    """`contributions` to the outputs of several layers, from 0, along a direction each.

    One forward pass serves all of them.
    """
    steps, output_LD = walk(layers[: max(directions, default=-1) + 1], x_LD)
    outputs_NLD = [*(step.x_LD for step in steps[1:]), output_LD]
    return {
        layer: _measured(
            layers[: layer + 1], Walk(steps[: layer + 1], outputs_NLD[layer]), word, direction_D
        )
        for layer, direction_D in directions.items()
    }


def _measured(
    layers: Sequence[nn.Module], forward: Walk, word: Sequence[int], direction_D: Tensor
) -> tuple[Tensor, Shares]:
    """The sum behind the output of a forward pass, by one backward pass."""
    tokens = list(word)
    whole = forward.output_LD[tokens].mean(0) @ direction_D
    start_LD = torch.zeros_like(forward.output_LD)
    start_LD[tokens] = direction_D / len(tokens)
    shares = back(layers, forward.steps, start_LD, tokens)
    last_L = (start_LD * forward.output_LD).sum(-1)  # afterwards, only the word contributes
    return whole, shares._replace(
        by_depth_NL=torch.cat([shares.by_depth_NL, last_L[None]]),
        biases_N=F.pad(shares.biases_N, (0, 1)),
    )
