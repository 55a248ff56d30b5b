"""The adjoint of a stack of layers, written by hand: what each vector contributes to one number.

If the attention weights, the deviations of the norms and the gates of the networks are held fixed, a
stack is a linear map, and any linear function of its output is a sum over its inputs. One forward and
one backward pass compute the summands; the backward pass applies the transpose of each part (Elhage et
al. 2021, "A Mathematical Framework for Transformer Circuits", for the frozen weights; Ancona et al.
2018, section 3, for gate = output / input; in a gated network, the gate is the activation of its own
projection). Norms come after each sum (post-LN) or before each sub-layer (pre-LN), and divide by the
deviation or by the root mean square. The functions take one text, without a batch axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..transformer.attention import MultiHeadAttention
from ..transformer.layers import EncoderLayer, FeedForward, GatedFeedForward

Norm = nn.LayerNorm | nn.RMSNorm
Biases = Sequence[Tensor | None]  # what each layer adds to its scores: the masks of a decoder


class Step(NamedTuple):
    """The activations of one layer on which its linear map depends.

    A value that several heads share is repeated for each. A layer without a feed-forward network has no
    gate, and its second deviation is 1.
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


def walk(layers: Iterable[nn.Module], x_LD: Tensor, biases: Biases = ()) -> Walk:
    """Run the layers on the embeddings, and keep the activations that the backward pass needs."""
    every, steps, x_BLD = list(layers), [], x_LD[None]
    for layer, bias_BHLM in zip(every, biases or [None] * len(every), strict=True):
        step, x_BLD = _through(layer, x_BLD, bias_BHLM)
        steps.append(step)
    return Walk(tuple(steps), x_BLD[0])


def _through(layer: nn.Module, x_BLD: Tensor, bias_BHLM: Tensor | None) -> tuple[Step, Tensor]:
    assert isinstance(layer, EncoderLayer)
    norm, network, last = layer.attention_norm, layer.feed_forward, layer.output_norm
    read_BLD = norm.sublayer_input(x_BLD)
    attention = layer.attention(read_BLD, read_BLD, bias_BHLM)
    middle_BLD = norm.add(x_BLD, attention.output_BLD)
    normed_BLD = x_BLD if norm.norm_first else x_BLD + attention.output_BLD
    gate_LF, second_L1, output_BLD = None, torch.ones_like(x_BLD[0, :, :1]), middle_BLD
    if network is not None and last is not None:
        read_BLD = last.sublayer_input(middle_BLD)
        changed_BLD = network(read_BLD)
        gate_LF = _gate(network, read_BLD[0])
        second_BLD = middle_BLD if last.norm_first else middle_BLD + changed_BLD
        second_L1 = _deviation(last, second_BLD[0])
        output_BLD = last.add(middle_BLD, changed_BLD)
    assert attention.weights_BHLM is not None
    step = Step(
        x_BLD[0],
        attention.weights_BHLM[0],
        layer.attention.for_each_head(attention.value_BHMK)[0],
        _deviation(norm, normed_BLD[0]),
        gate_LF,
        second_L1,
    )
    return step, output_BLD


def _gate(network: FeedForward, read_LD: Tensor) -> Tensor:
    """(L, F): the factor by which a network lets each number of its inner layer through."""
    if isinstance(network, GatedFeedForward):
        gate_LF: Tensor = network.activation(network.gate(read_LD))
        return gate_LF
    inner_LF = network.inner(read_LD)
    # Any gate will do where the input is 0, since the output is then 0 as well; 0 is finite.
    return torch.where(inner_LF == 0, 0.0, network.activation(inner_LF) / inner_LF)


def _deviation(norm: nn.Module, x_LD: Tensor) -> Tensor:
    """(L, 1): what a norm divides by."""
    if isinstance(norm, nn.RMSNorm):
        return (x_LD.square().mean(-1, keepdim=True) + (norm.eps or 0.0)).sqrt()
    assert isinstance(norm, nn.LayerNorm)
    return (x_LD.var(-1, keepdim=True, correction=0) + norm.eps).sqrt()


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
    bias = bias + _of_bias(network.outer, slope_LD) + _of_bias(network.inner, slope_LF)
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
    bias = bias + _of_bias(attention.output, slope_LD)
    heads, shared = attention.n_heads, attention.n_kv_heads
    mixed_HLK = (slope_LD @ attention.output.weight).view(len(slope_LD), heads, -1).transpose(0, 1)
    value_HMK = step.weights_HLM.transpose(-2, -1) @ mixed_HLK  # gradient of each head's values
    # Heads that share a value add up their gradients for it.
    value_MS = value_HMK.reshape(shared, -1, *value_HMK.shape[1:]).sum(1).transpose(0, 1).flatten(1)
    bias = bias + _of_bias(attention.value, value_MS)
    read_LD = value_MS @ attention.value.weight
    own_H1K = _own_values(attention, norm)
    if norm.norm_first:
        read_LD, added = _norm(norm, step.attention_deviation_L1, read_LD)
        bias = bias + added
    brought_HMK = step.value_HMK - own_H1K
    moved_HLM = step.weights_HLM * (mixed_HLK @ brought_HMK.transpose(-2, -1))
    return slope_LD + read_LD, bias, moved_HLM


def _own_values(attention: MultiHeadAttention, norm: nn.Module) -> Tensor:
    """(H, 1, K): the part of each head's values that all tokens share; it comes from biases alone."""
    weight = attention.value.weight
    own = weight.new_zeros(len(weight)) if attention.value.bias is None else attention.value.bias
    shift = getattr(norm, "bias", None)
    if getattr(norm, "norm_first", False) and shift is not None:
        own = own + weight @ shift
    own_BHMK = own.view(1, attention.n_kv_heads, 1, -1)
    return attention.for_each_head(own_BHMK)[0]


def _of_bias(linear: nn.Linear, slope: Tensor) -> Tensor:
    """The share of a layer's bias, given the gradient with respect to its output."""
    return slope.new_zeros(()) if linear.bias is None else (slope @ linear.bias).sum()


def _norm(norm: nn.Module, deviation_L1: Tensor, slope_LD: Tensor) -> tuple[Tensor, Tensor]:
    """Back through γ·(x − mean)/deviation + β, deviation fixed: the gradient for x, and β's share.

    RMSNorm subtracts no mean and has no β.
    """
    assert isinstance(norm, Norm)
    scaled_LD = slope_LD * norm.weight / deviation_L1
    if isinstance(norm, nn.RMSNorm):
        return scaled_LD, slope_LD.new_zeros(())
    bias = (slope_LD @ norm.bias).sum()
    return scaled_LD - scaled_LD.mean(-1, keepdim=True), bias


def contributions(
    layers: Sequence[nn.Module],
    x_LD: Tensor,
    word: Sequence[int],
    direction_D: Tensor,
    *,
    biases: Biases = (),
    final_norm: nn.Module | None = None,
) -> tuple[Tensor, Shares]:
    """Measure the mean of a word's output vectors along a direction, and split it into summands.

    Args:
        layers: the first layers of a stack, at least one; each an `EncoderLayer`.
        x_LD: the input of the first layer, for one text.
        word: the tokens of the word.
        direction_D: the direction of the measurement. A row of the matrix that predicts tokens measures
            that token's logit, and the difference of two rows the difference of two logits.
        biases: one for each layer; empty if none hides anything.
        final_norm: the norm after the last layer, if the measurement is behind it, as a logit is.
    """
    return _measured(layers, walk(layers, x_LD, biases), word, direction_D, final_norm)


def contributions_by_layer(
    layers: Sequence[nn.Module],
    x_LD: Tensor,
    word: Sequence[int],
    directions: Mapping[int, Tensor],
    *,
    biases: Biases = (),
) -> dict[int, tuple[Tensor, Shares]]:
    """`contributions` to the outputs of several layers, from 0, along a direction each.

    One forward pass serves all of them.
    """
    n_layers = max(directions, default=-1) + 1
    steps, output_LD = walk(layers[:n_layers], x_LD, biases[:n_layers])
    outputs_NLD = [*(step.x_LD for step in steps[1:]), output_LD]
    return {
        layer: _measured(
            layers[: layer + 1], Walk(steps[: layer + 1], outputs_NLD[layer]), word, direction_D
        )
        for layer, direction_D in directions.items()
    }


def _measured(
    layers: Sequence[nn.Module],
    forward: Walk,
    word: Sequence[int],
    direction_D: Tensor,
    final_norm: nn.Module | None = None,
) -> tuple[Tensor, Shares]:
    """The sum behind the output of a forward pass, by one backward pass."""
    tokens, output_LD = list(word), forward.output_LD
    start_LD = torch.zeros_like(output_LD)
    start_LD[tokens] = direction_D / len(tokens)
    bias = start_LD.new_zeros(())
    measured_LD = output_LD
    if final_norm is not None:
        measured_LD = final_norm(output_LD)
        start_LD, bias = _norm(final_norm, _deviation(final_norm, output_LD), start_LD)
    whole = measured_LD[tokens].mean(0) @ direction_D
    shares = back(layers, forward.steps, start_LD, tokens)
    last_L = (start_LD * output_LD).sum(-1)  # afterwards, only the word contributes
    return whole, shares._replace(
        by_depth_NL=torch.cat([shares.by_depth_NL, last_L[None]]),
        biases_N=F.pad(shares.biases_N, (0, 1)) + bias,
    )
