"""What each part of a pre-norm stack writes straight into one number behind its final norm.

In a pre-norm stack every head and every feed-forward network adds its output to the residual stream,
and nothing is taken away from it (Elhage et al. 2021, "A Mathematical Framework for Transformer
Circuits", "Residual stream"). If the deviation of the final norm is held, a logit is therefore a sum
over them: direct logit attribution. Where a norm stands behind a sub-layer, its deviation is held too,
so that each head has a share of what the layer adds. The functions take one text, without a batch axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from ..transformer.layers import EncoderLayer
from . import adjoint


class Direct(NamedTuple):
    """The summands of one number, and the number itself.

    Attributes:
        whole: the number, as the run produced it.
        embedding: what the input of the first layer adds.
        by_head_NHM: what each head adds that it has read from each token; without its bias.
        feed_forward_N: what each network adds, its biases included; 0 where a layer has none.
        biases_N: what the biases of each attention add: those of its values, and of its output.
        final_bias: what the bias of the final norm adds.
    """

    whole: Tensor
    embedding: Tensor
    by_head_NHM: Tensor
    feed_forward_N: Tensor
    biases_N: Tensor
    final_bias: Tensor


def parts(
    layers: Sequence[nn.Module],
    forward: adjoint.Walk,
    position: int,
    direction_D: Tensor,
    final_norm: nn.Module,
) -> Direct:
    """Split what is measured along a direction, at one token, behind the final norm.

    Args:
        layers: all layers of a stack; each an `EncoderLayer` that normalises first.
        forward: their forward pass.
        position: the token.
        direction_D: see `adjoint.contributions`.
        final_norm: the norm behind the last layer.

    Raises:
        ValueError: a layer normalises last, and rescales what was added before it.
    """
    output_1D = forward.output_LD[position][None]
    # The gradient with respect to the residual stream, the deviation of the final norm held.
    along_1D, final_bias = adjoint.through_norm(final_norm, output_1D, direction_D[None])
    heads, networks, biases = [], [], []
    for layer, step in zip(layers, forward.steps, strict=True):
        assert isinstance(layer, EncoderLayer)
        if layer.attention_norm.of_sum is not None:
            raise ValueError("A layer normalises what was added before it: nothing adds up directly.")
        head_HM, bias, added_1D = _attention(layer, step, position, along_1D)
        heads.append(head_HM)
        biases.append(bias)
        x_1D = step.x_LD[position][None]
        entering_1D = x_1D if layer.parallel else layer.attention_norm.add(x_1D, added_1D)
        networks.append(_network(layer, entering_1D, along_1D))
    return Direct(
        final_norm(output_1D)[0] @ direction_D,
        (forward.steps[0].x_LD[position] * along_1D[0]).sum(),
        torch.stack(heads),
        torch.stack(networks),
        torch.stack(biases),
        final_bias,
    )


def _attention(
    layer: EncoderLayer, step: adjoint.Step, position: int, along_1D: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """(H, M) of the heads, the biases' share, and (1, D), the output of the attention."""
    attention, behind = layer.attention, layer.attention_norm.of_output
    weights_H1M = step.weights_HLM[:, position, None, :]
    mixed_H1K = weights_H1M @ step.value_HMK
    added_1D = attention.output(mixed_H1K.transpose(0, 1).flatten(1))
    bias = along_1D.new_zeros(())
    if behind is not None:
        along_1D, of_norm = adjoint.through_norm(behind, added_1D, along_1D)
        bias = of_norm.sum()
    read_HK = (along_1D @ attention.output.weight).view(attention.n_heads, -1)
    own_H1K = adjoint.own_values(attention, layer.attention_norm.of_input)
    brought_HM = ((step.value_HMK - own_H1K) @ read_HK[..., None])[..., 0]
    bias = bias + adjoint.of_bias(attention.output, along_1D).sum()
    bias = bias + (weights_H1M[:, 0].sum(-1) * (own_H1K[:, 0] * read_HK).sum(-1)).sum()
    return weights_H1M[:, 0] * brought_HM, bias, added_1D


def _network(layer: EncoderLayer, entering_1D: Tensor, along_1D: Tensor) -> Tensor:
    """What the feed-forward network adds."""
    norm = layer.output_norm
    if layer.feed_forward is None or norm is None:
        return along_1D.new_zeros(())
    changed_1D = layer.feed_forward(norm.sublayer_input(entering_1D))
    changed_1D = changed_1D if norm.of_output is None else norm.of_output(changed_1D)
    added: Tensor = (changed_1D * along_1D).sum()
    return added
