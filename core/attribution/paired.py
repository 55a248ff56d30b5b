"""What source and target contribute to one number of a decoder that reads a source: see `adjoint`.

With its attention weights, deviations and gates held, an encoder–decoder is linear in two sets of
vectors at once: those of the target, and those of the source, which reach the decoder through the
cross-attention of every layer. One backward pass goes down the decoder and gathers what its layers take
from the encoder's output; from there, a second one goes down the encoder (Ferrando et al. 2022,
"Towards Opening the Black Box of Neural Machine Translation", for the question). The functions take one
text and its target, without a batch axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from ..transformer.layers import DecoderLayer
from ..transformer.stacks import DecoderStack, EncoderStack
from . import adjoint
from .adjoint import Biases, Held, Step


class Forward(NamedTuple):
    """The forward pass of a source and its target.

    Attributes:
        encoder: that of the source.
        memory_SD: the encoder's output, behind its final norm.
        steps: those of the decoder's layers.
        across: what the cross-attention of each is held at.
        output_LD: the last layer's, before the final norm.
    """

    encoder: adjoint.Walk
    memory_SD: Tensor
    steps: tuple[Step, ...]
    across: tuple[Held, ...]
    output_LD: Tensor


class PairShares(NamedTuple):
    """The summands of one number: see `core.records.pair_contributions.PairContributions`."""

    target_by_depth_NL: Tensor
    memory_by_depth_NS: Tensor
    biases_N: Tensor
    source_by_depth_NS: Tensor
    source_biases_N: Tensor
    by_head_NHM: Tensor
    by_cross_head_NHS: Tensor
    by_source_head_NHS: Tensor


def walk(
    encoder: EncoderStack,
    decoder: DecoderStack,
    source_SD: Tensor,
    target_LD: Tensor,
    biases: Sequence[Biases],
) -> Forward:
    """Run both stacks on their embeddings, and keep what the backward pass needs.

    `biases`: what the layers of the encoder, and those of the decoder among the target, add to scores.
    """
    source = adjoint.walk(encoder.layers, source_SD, biases[0])
    memory_SD = source.output_LD if encoder.norm is None else encoder.norm(source.output_LD)
    steps, across, x_BLD = [], [], target_LD[None]
    for layer, bias_BHLM in zip(decoder.layers, biases[1], strict=True):
        assert isinstance(layer, DecoderLayer)
        held, own_BLD = adjoint.attended(layer.attention, layer.attention_norm, x_BLD, None, bias_BHLM)
        other, middle_BLD = adjoint.attended(
            layer.cross, layer.cross_norm, own_BLD, memory_SD[None], None
        )
        gate_LF, second, output_BLD = adjoint.fed(layer, middle_BLD, middle_BLD)
        steps.append(adjoint.stepped(x_BLD, held, gate_LF, second))
        across.append(other)
        x_BLD = output_BLD
    return Forward(source, memory_SD, tuple(steps), tuple(across), x_BLD[0])


def contributions(
    encoder: EncoderStack,
    decoder: DecoderStack,
    forward: Forward,
    at: Sequence[int],
    direction_D: Tensor,
    *,
    layer: int | None = None,
) -> tuple[Tensor, PairShares]:
    """Split the mean of some target tokens' output vectors along a direction into its summands.

    Args:
        encoder: the stack that read the source.
        decoder: the stack that read the target.
        forward: see `walk`.
        at: the tokens of the target.
        direction_D: a row of the matrix that predicts tokens measures that token's logit.
        layer: the layer of the decoder whose output is measured, from 0; None: the last one's, behind
            the final norm.

    Returns:
        The number as the run produced it, and the summands.
    """
    count, tokens = len(forward.steps) if layer is None else layer + 1, [*at]
    outputs_NLD = [*(step.x_LD for step in forward.steps[1:]), forward.output_LD]
    output_LD = measured_LD = outputs_NLD[count - 1]
    slope_LD, bias = torch.zeros_like(output_LD), output_LD.new_zeros(())
    slope_LD[tokens] = direction_D / len(tokens)
    if layer is None and decoder.norm is not None:
        measured_LD = decoder.norm(output_LD)
        slope_LD, bias = adjoint.through_norm(decoder.norm, output_LD, slope_LD)
    whole = measured_LD[tokens].mean(0) @ direction_D
    memory_SD = torch.zeros_like(forward.memory_SD)
    rows = [((slope_LD * output_LD).sum(-1), (memory_SD * memory_SD).sum(-1), bias)]
    heads, slope_GLD = [], slope_LD[None]
    for number in range(count - 1, -1, -1):
        one = decoder.layers[number]
        assert isinstance(one, DecoderLayer)
        step, across = forward.steps[number], forward.across[number]
        slope_GLD, read_GLD, first = adjoint.through_network(one, step, slope_GLD)
        slope_GLD, taken_GSD, second, crossed_GHLS = adjoint.through_attention(
            one.cross, one.cross_norm, across, slope_GLD + read_GLD, across=True
        )
        memory_SD = memory_SD + taken_GSD[0]
        slope_GLD, read_GLD, third, moved_GHLM = adjoint.through_attention(
            one.attention, one.attention_norm, step.attention, slope_GLD
        )
        slope_GLD = slope_GLD + read_GLD
        bias = bias + (first + second + third).sum()
        memory_S = (memory_SD * forward.memory_SD).sum(-1)
        rows.append(((slope_GLD[0] * step.x_LD).sum(-1), memory_S, bias))
        heads.append((moved_GHLM[0].sum(-2), crossed_GHLS[0].sum(-2)))
    by_depth, by_memory, biases = (torch.stack(of) for of in zip(*rows[::-1], strict=True))
    own, cross = (torch.stack(of) for of in zip(*heads[::-1], strict=True))
    source = _of_source(encoder, forward, memory_SD)
    return whole, PairShares(by_depth, by_memory, biases, *source[:2], own, cross, source[2])


def _of_source(
    encoder: EncoderStack, forward: Forward, slope_SD: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Down the encoder: its vectors by depth, (N, S), what its biases add, (N,), and its heads."""
    output_SD, bias = forward.encoder.output_LD, slope_SD.new_zeros(())
    if encoder.norm is not None:
        slope_SD, bias = adjoint.through_norm(encoder.norm, output_SD, slope_SD)
    last = len(forward.encoder.steps) - 1
    shares = adjoint.back(encoder.layers, forward.encoder.steps, {last: slope_SD}, ())[last]
    by_depth_NS = torch.cat([shares.by_depth_NL, (slope_SD * output_SD).sum(-1)[None]])
    biases_N = torch.cat([shares.biases_N, bias.new_zeros(1)]) + bias.sum()
    return by_depth_NS, biases_N, shares.by_head_NHM
