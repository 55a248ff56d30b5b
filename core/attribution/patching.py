"""Activation patching: what one run has computed is put into another, and the rest runs again.

Vig et al. (2020, "Investigating Gender Bias in Language Models Using Causal Mediation Analysis") and
Meng et al. (2022, section 2, "causal tracing"). Run A and run B read two texts of equal length in a
causal model. What stands before the position that is patched, and below the layer, is that of run B
already: keys and values of earlier tokens come from its cache, and no layer runs twice for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from ..transformer import EncoderLayer, EncoderLayerOutput, LanguageModel, StackOutput

Stack = StackOutput[EncoderLayerOutput]
TOKENS_AT_ONCE = 4096  # of all rows of a batch: bounds what the feed-forward network holds at a time


def nothing() -> None:
    """Called before each layer if a caller has nothing to ask."""


def states(stack: Stack) -> list[Tensor]:
    """The residual stream of a run at each depth, (1, L, D): the input, then after each layer."""
    return [stack.embedded_BLD, *(layer.output_BLD for layer in stack.layers)]


def first_difference(a: Sequence[int], b: Sequence[int]) -> int:
    """The first position at which two lists of ids differ; their length if they do not."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), len(a))


def patched(decoder: LanguageModel, a: Stack, b: Stack, depth: int, positions: Sequence[int]) -> Tensor:
    """(D,): the vector that predicts the next token in run B, with some of its states those of run A.

    Args:
        decoder: the model.
        a: its run over the first text, one text alone.
        b: its run over the second text, of equal length.
        depth: where the states are exchanged: 0 for the input of the first layer, i for what layer i
            returns.
        positions: the tokens whose states are exchanged; none leaves run B as it is.
    """
    x_BLD = states(b)[depth].clone()
    x_BLD[:, list(positions)] = states(a)[depth][:, list(positions)]
    for number in range(depth, len(b.layers)):
        x_BLD = _through(decoder, b, number, x_BLD, 0)
    return _last(decoder, x_BLD)[0]


def by_depth(
    decoder: LanguageModel,
    a: Stack,
    b: Stack,
    position: int,
    before_each: Callable[[], None] = nothing,
) -> Tensor:
    """(N + 1, D): `patched` at one position, for each depth; all depths share the layers above them.

    Args:
        decoder: see `patched`.
        a: see `patched`.
        b: see `patched`.
        position: the token whose state is exchanged.
        before_each: called before each layer runs.
    """
    rows_BLD: list[Tensor] = []
    for depth, (of_a, of_b) in enumerate(zip(states(a), states(b), strict=True)):
        new_BLD = of_b[:, position:].clone()
        new_BLD[:, 0] = of_a[:, position]
        rows_BLD = [torch.cat([*rows_BLD, new_BLD])]
        if depth < len(b.layers):
            before_each()
            rows_BLD = [_through(decoder, b, depth, rows_BLD[0], position)]
    return _last(decoder, rows_BLD[0])


def by_head(
    decoder: LanguageModel,
    a: Stack,
    b: Stack,
    number: int,
    positions: Sequence[int],
    before_each: Callable[[], None] = nothing,
) -> Tensor:
    """(H, D): as `patched`, with the output of each head of one layer exchanged, one head at a time.

    The output of a head is the mean of its values, before the matrix that joins the heads.

    Args:
        decoder: see `patched`.
        a: see `patched`.
        b: see `patched`.
        number: the layer, from 0.
        positions: the tokens at which it is exchanged, in ascending order, at least one.
        before_each: see `by_depth`.
    """
    start = positions[0]
    layer, entering_BLD = _layer(decoder, number), states(b)[number]
    bias_BHLM = decoder.masks(entering_BLD)[number]
    mixed_AB: list[Tensor] = []
    for run in (a, b):
        out = run.layers[number].attention
        every_BHLK = layer.attention.mixed(out.query_BHLK, out.key_BHMK, out.value_BHMK, bias_BHLM)
        mixed_AB.append(every_BHLK[0, :, start:])
    heads = len(mixed_AB[0])
    mixed_HHLK = mixed_AB[1].expand(heads, *mixed_AB[1].shape).clone()
    at = torch.tensor([position - start for position in positions], device=mixed_HHLK.device)
    for head in range(heads):
        mixed_HHLK[head, head, at] = mixed_AB[0][head, at]
    x_HLD = layer.after_attention(
        entering_BLD[:, start:], layer.attention.output(mixed_HHLK.transpose(1, 2).flatten(2))
    )
    for above in range(number + 1, len(b.layers)):
        before_each()
        x_HLD = _through(decoder, b, above, x_HLD, start)
    return _last(decoder, x_HLD)


def _layer(decoder: LanguageModel, number: int) -> EncoderLayer:
    layer = decoder.stack.layers[number]
    assert isinstance(layer, EncoderLayer)
    return layer


def _through(decoder: LanguageModel, b: Stack, number: int, x_BLD: Tensor, start: int) -> Tensor:
    """(B, L, D): one layer over the tokens from `start` on; those before are in the cache of run B."""
    layer, past = _layer(decoder, number), b.layers[number]
    mask_BHLM = decoder.masks(x_BLD[:1], None, start)[number]
    key_BHMK, value_BHMK = (
        kept[:, :, :start] for kept in (past.attention.key_BHMK, past.attention.value_BHMK)
    )
    some: list[Tensor] = []
    at_once = max(1, TOKENS_AT_ONCE // x_BLD.shape[1])
    for first in range(0, len(x_BLD), at_once):
        rows_BLD = x_BLD[first : first + at_once]
        kept = past.attention._replace(
            key_BHMK=key_BHMK.expand(len(rows_BLD), -1, -1, -1),
            value_BHMK=value_BHMK.expand(len(rows_BLD), -1, -1, -1),
        )
        out = layer(rows_BLD, mask_BHLM, past=past._replace(attention=kept), need_weights=False)
        some.append(out.output_BLD)
    return torch.cat(some) if len(some) > 1 else some[0]


def _last(decoder: LanguageModel, x_BLD: Tensor) -> Tensor:
    """(B, D): the vectors of the last token, behind the final norm."""
    norm, last_BD = decoder.stack.norm, x_BLD[:, -1]
    return last_BD if norm is None else norm(last_BD)
