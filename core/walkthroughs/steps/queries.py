"""The queries of pages: numbers in, records out; beyond this module there are no torch tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch

from ...records.frozen import Array
from ...transformer import Encoder, EncoderLayer, LanguageModel, causal_mask
from .. import paper, tiny
from ..tiny_numbers import names_of
from . import ablations, decoder_alone
from .ablations import Order, WhatIf
from .decoder_alone import Next
from .layer import Rows, embedding_steps, layer_steps
from .record import Step

_WHAT_IFS = {"no-scale": ablations.no_scale, "one-head": ablations.one_head}


@torch.inference_mode()
def pass_of(
    encoder: Encoder,
    pieces: tuple[Sequence[int], Sequence[str], Sequence[int], Sequence[str]],
    x: Array,
    layer: int,
    head: int,
    block: int,
    causal: bool = False,
) -> tuple[Step, ...]:
    """All steps of a text through one layer.

    Args:
        encoder: the model.
        pieces: ids, tokens, segments and notes, see `embedding_steps`.
        x: (tokens, d_model), the input of the layer.
        layer: from 0.
        head: from 0.
        block: see `layer_steps`.
        causal: whether to hide later tokens in this layer; `x` must then come from masked layers, too.
    """
    ids, tokens, segments, notes = pieces
    first = embedding_steps(encoder, ids, tokens, segments, notes)
    own = _layer(encoder, layer)
    steps = layer_steps(own, torch.tensor(x), tokens, head=head, block=block, causal=causal)
    return (*first, *steps)


@torch.inference_mode()
def pass_of_decoder(
    decoder: LanguageModel,
    pieces: tuple[Sequence[int], Sequence[str], Sequence[str]],
    rows: tuple[Array, Array],
    layer: int,
    head: int,
    block: int,
    shown: Next | None,
) -> tuple[Step, ...]:
    """All steps of a text through one layer of a decoder alone, and to the next token.

    Args:
        decoder: the model.
        pieces: ids, tokens and notes, see `decoder_alone.embedding_steps`.
        rows: (tokens, d_model) each: the input of the layer, and the output of the last one.
        layer: from 0.
        head: from 0.
        block: see `layer_steps`.
        shown: the head, and the tokens whose probabilities are shown; None: it predicts nothing.
    """
    ids, tokens, notes = pieces
    x, last = (torch.tensor(one) for one in rows)
    layers = decoder.stack.layers
    own, windows = cast(EncoderLayer, layers[layer]), decoder.config.windows
    named = f"y_{len(layers)}"
    return (
        *decoder_alone.embedding_steps(decoder, ids, tokens, notes),
        *decoder_alone.decoder_alone_steps(
            own, x, tokens, head=head, window=windows[layer] if windows else 0, block=block
        ),
        *decoder_alone.prediction_steps(
            decoder, Rows(named, last, tuple(tokens)), shown, is_layer=layer == len(layers) - 1
        ),
    )


@torch.inference_mode()
def decoder_what_if(
    what: str, decoder: LanguageModel, x: Array, tokens: Sequence[str], layer: int, head: int
) -> WhatIf:
    """`what_if` for a layer of a decoder alone, with its mask."""
    windows = decoder.config.windows
    return _WHAT_IFS[what](
        cast(EncoderLayer, decoder.stack.layers[layer]),
        torch.tensor(x),
        tokens,
        head=head,
        seen_LM=causal_mask(len(tokens), window=windows[layer] if windows else 0),
    )


@torch.inference_mode()
def what_if(
    what: str, encoder: Encoder, x: Array, tokens: Sequence[str], layer: int, head: int
) -> WhatIf:
    """A model's layer without its scale ("no-scale"), or with one head ("one-head")."""
    return _WHAT_IFS[what](_layer(encoder, layer), torch.tensor(x), tokens, head=head)


@torch.inference_mode()
def in_two_orders(
    encoder: Encoder, first: Sequence[int], second: Sequence[int], tokens: Sequence[str], layer: int
) -> Order:
    """See `ablations.no_positions`."""
    return ablations.no_positions(encoder, first, second, tokens, layer=layer)


@torch.inference_mode()
def tiny_pass(ids: Sequence[int], numbers: tiny.Numbers, head: int, causal: bool) -> tuple[Step, ...]:
    """See `tiny.tiny_steps`."""
    return tiny.tiny_steps(ids, numbers, head=head, causal=causal)


@torch.inference_mode()
def tiny_vectors(ids: Sequence[int], numbers: tiny.Numbers, *, positions: bool) -> Array:
    """(tokens, 6): the input of the layer, or the table's rows."""
    vectors: Array = tiny.embedded(ids, numbers, positions=positions).numpy()
    return vectors


@torch.inference_mode()
def tiny_what_if(what: str, ids: Sequence[int], numbers: tiny.Numbers, head: int) -> WhatIf:
    """See `what_if`, for the tiny model."""
    x_LD = tiny.embedded(ids, numbers)
    return _WHAT_IFS[what](tiny.layer(numbers), x_LD, names_of(ids), head=head)


@torch.inference_mode()
def tiny_in_two_orders(ids: Sequence[int], numbers: tiny.Numbers) -> Order:
    """The words, and the same in reverse order."""
    return ablations.no_positions_tiny(numbers, ids, ids[::-1], names_of(ids))


@torch.inference_mode()
def paper_pass(
    pieces: tuple[Sequence[int], Sequence[str], Sequence[str]],
    n_vocabulary: int,
    layer: int,
    head: int,
    block: int,
    causal: bool = False,
) -> tuple[tuple[Step, ...], Array]:
    """See `paper.paper_steps`, for ids, tokens and notes; also returns the layer's own output."""
    ids, tokens, notes = pieces
    steps = paper.paper_steps(
        ids, tokens, notes, n_vocabulary, layer=layer, head=head, block=block, causal=causal
    )
    returned: Array = paper.hidden(paper.embedded(ids), layer + 1, causal=causal).numpy()
    return steps, returned


@torch.inference_mode()
def decoder_pass(
    pieces: tuple[Sequence[int], Sequence[str], Sequence[str]],
    n_vocabulary: int,
    source: tuple[Sequence[int], Sequence[str]],
    layer: int,
    head: int,
    block: int,
) -> tuple[tuple[Step, ...], Array]:
    """See `paper.decoder_steps`, for ids, tokens and notes; also returns the layer's own output."""
    ids, tokens, notes = pieces
    steps = paper.decoder_steps(
        ids, tokens, notes, n_vocabulary, source, layer=layer, head=head, block=block
    )
    memory_SD = paper.memory(source[0])
    returned: Array = paper.decoder_hidden(paper.embedded(ids), memory_SD, layer + 1).numpy()
    return steps, returned


@torch.inference_mode()
def paper_vectors(ids: Sequence[int], *, positions: bool) -> Array:
    """(tokens, 512): the input of layer 1, or the table's rows."""
    vectors: Array = (paper.embedded(ids) if positions else paper.learned(ids)).numpy()
    return vectors


@torch.inference_mode()
def paper_what_if(
    what: str, ids: Sequence[int], tokens: Sequence[str], layer: int, head: int
) -> WhatIf:
    """See `what_if`, for the model of the paper's size."""
    x_LD = paper.hidden(paper.embedded(ids), layer)
    return _WHAT_IFS[what](paper.layers()[layer], x_LD, tokens, head=head)


@torch.inference_mode()
def paper_in_two_orders(
    first: Sequence[int], second: Sequence[int], tokens: Sequence[str], layer: int
) -> Order:
    """See `ablations.no_positions`."""

    def run(ids: Sequence[int], positions: bool) -> torch.Tensor:
        return paper.hidden(paper.embedded(ids, positions=positions), layer + 1)

    return ablations.in_orders(first, second, tokens, run)


def _layer(encoder: Encoder, layer: int) -> EncoderLayer:
    return cast(EncoderLayer, encoder.layers[layer])
