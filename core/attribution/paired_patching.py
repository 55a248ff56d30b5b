"""Activation patching in an encoder–decoder: what one source's run has computed, put into another's.

As in `patching` (Vig et al. 2020; Meng et al. 2022, section 2), for two sources and one target that the
decoder has read behind both. What is exchanged is a state of the encoder, a state of the decoder, or
the output of one head of the cross-attention; all above it runs again, the decoder behind an exchange
in the encoder as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from ..transformer import (
    DecoderLayer,
    DecoderLayerOutput,
    DecoderStack,
    EncoderLayerOutput,
    EncoderStack,
    StackOutput,
    Transformer,
    causal_mask,
    mask_bias,
    total_bias,
)
from .patching import nothing


class PairRun(NamedTuple):
    """One source and its target through both stacks, one text each."""

    ids_BL: Tensor
    encoder: StackOutput[EncoderLayerOutput]
    decoder: StackOutput[DecoderLayerOutput]


def run(net: Transformer, source_BS: Tensor, target_BL: Tensor) -> PairRun:
    """Read a source and its target."""
    encoder = net.encode(source_BS, need_weights=False)
    decoder = net.read(target_BL, encoder.final_BLD, need_weights=False)
    return PairRun(target_BL, encoder, decoder)


def states(stack: StackOutput[EncoderLayerOutput] | StackOutput[DecoderLayerOutput]) -> list[Tensor]:
    """The residual stream at each depth, (1, L, D): the input, then after each layer."""
    return [stack.embedded_BLD, *(layer.output_BLD for layer in stack.layers)]


def of_encoder(
    net: Transformer,
    a: PairRun,
    b: PairRun,
    position: int,
    before_each: Callable[[], None] = nothing,
) -> Tensor:
    """(N + 1, D): what predicts behind source B with one state of A, for each depth of the encoder.

    Args:
        net: the model.
        a: its run over source A.
        b: its run over source B, of equal length, and the same target.
        position: the token of the source whose state is exchanged.
        before_each: called before each layer runs.
    """
    biases = _biases(net.encoder, b.encoder.embedded_BLD)
    rows_RSD = b.encoder.embedded_BLD[:0]
    for depth, (of_a, of_b) in enumerate(zip(states(a.encoder), states(b.encoder), strict=True)):
        rows_RSD = torch.cat([rows_RSD, _exchanged(of_a, of_b, position)])
        if depth < len(biases):
            before_each()
            layer = net.encoder.layers[depth]
            rows_RSD = layer(rows_RSD, biases[depth], need_weights=False).output_BLD
    memory_RSD = rows_RSD if net.encoder.norm is None else net.encoder.norm(rows_RSD)
    before_each()
    target_RL = b.ids_BL.expand(len(memory_RSD), -1)
    return net.read(target_RL, memory_RSD, need_weights=False).final_BLD[:, -1]


def of_decoder(
    net: Transformer,
    a: PairRun,
    b: PairRun,
    position: int,
    before_each: Callable[[], None] = nothing,
) -> Tensor:
    """(N + 1, D): as `of_encoder`, for each depth of the decoder, which still reads source B."""
    rows_RLD = b.decoder.embedded_BLD[:0]
    biases = _causal(net.decoder, b.decoder.embedded_BLD)
    for depth, (of_a, of_b) in enumerate(zip(states(a.decoder), states(b.decoder), strict=True)):
        rows_RLD = torch.cat([rows_RLD, _exchanged(of_a, of_b, position)])
        if depth < len(biases):
            before_each()
            rows_RLD = _through(net, b, depth, rows_RLD, biases[depth])
    return _last(net, rows_RLD)


def of_cross_heads(
    net: Transformer,
    a: PairRun,
    b: PairRun,
    number: int,
    positions: Sequence[int],
    before_each: Callable[[], None] = nothing,
) -> Tensor:
    """(H, D): as `of_encoder`, with what each head of one cross-attention takes from its source.

    Args:
        net: see `of_encoder`.
        a: see `of_encoder`.
        b: see `of_encoder`.
        number: the layer of the decoder, from 0.
        positions: the tokens of the target at which it is exchanged.
        before_each: see `of_encoder`.
    """
    layer, entering_BLD = _layer(net, number), states(b.decoder)[number]
    mixed_AB = [
        layer.cross.mixed(out.query_BHLK, out.key_BHMK, out.value_BHMK, None)[0]
        for out in (one.decoder.layers[number].cross for one in (a, b))
    ]
    heads = len(mixed_AB[1])
    mixed_HHLK = mixed_AB[1].expand(heads, *mixed_AB[1].shape).clone()
    for head in range(heads):
        mixed_HHLK[head, head, list(positions)] = mixed_AB[0][head, list(positions)]
    read_BLD = layer.attention_norm.add(entering_BLD, b.decoder.layers[number].attention.output_BLD)
    cross_HLD = layer.cross.output(mixed_HHLK.transpose(1, 2).flatten(2))
    x_HLD = layer.after_cross(read_BLD, cross_HLD)
    biases = _causal(net.decoder, entering_BLD)
    for above in range(number + 1, len(biases)):
        before_each()
        x_HLD = _through(net, b, above, x_HLD, biases[above])
    return _last(net, x_HLD)


def _exchanged(of_a: Tensor, of_b: Tensor, position: int) -> Tensor:
    new_BLD = of_b.clone()
    new_BLD[:, position] = of_a[:, position]
    return new_BLD


def _through(
    net: Transformer, b: PairRun, number: int, x_RLD: Tensor, bias_BHLM: Tensor | None
) -> Tensor:
    """(R, L, D): one layer of the decoder over rows that all read source B."""
    memory_RSD = b.encoder.final_BLD.expand(len(x_RLD), -1, -1)
    output_RLD: Tensor = _layer(net, number)(
        x_RLD, memory_RSD, bias_BHLM, need_weights=False
    ).output_BLD
    return output_RLD


def _layer(net: Transformer, number: int) -> DecoderLayer:
    layer = net.decoder.layers[number]
    assert isinstance(layer, DecoderLayer)
    return layer


def _last(net: Transformer, x_RLD: Tensor) -> Tensor:
    """(R, D): the vectors of the last token, behind the final norm."""
    norm, last_RD = net.decoder.norm, x_RLD[:, -1]
    return last_RD if norm is None else norm(last_RD)


def _biases(stack: EncoderStack | DecoderStack, like_BLD: Tensor) -> list[Tensor | None]:
    """What distances add to the scores of each layer; None: nothing."""
    found = None if stack.relative is None else stack.relative(like_BLD.shape[1])
    return [*found] if isinstance(found, list) else [found] * len(stack.layers)


def _causal(stack: DecoderStack, like_BLD: Tensor) -> list[Tensor | None]:
    """The same, with the mask of later tokens."""
    later = mask_bias(causal_mask(like_BLD.shape[1], device=like_BLD.device))[None, None]
    return [total_bias(later, one) for one in _biases(stack, like_BLD)]
