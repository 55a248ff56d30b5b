"""One sentence through a transformer of the paper's own size, with random weights, never trained.

Vaswani et al. (2017), Figure 1, sections 3.1 to 3.5, and Table 3, first line: six layers,
d_model 512, eight heads of 64, d_ff 2048.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from ..memory import cached
from ..transformer import (
    DecoderLayer,
    DecoderStack,
    Embeddings,
    EncoderLayer,
    LanguageModel,
    TransformerConfig,
    causal_mask,
    mask_bias,
    sinusoidal,
)
from ..transformer.model import initialise
from .steps.decoder import decoder_layer_steps
from .steps.layer import layer_steps, one_hot, picked
from .steps.make import matrix, step
from .steps.record import Step

CONFIG = TransformerConfig.paper()
SEED = 2017


@cached()
def _model() -> LanguageModel:
    """The encoder's layers, 76 MB; its table, as large again, is left to `learned`."""
    config = replace(CONFIG, n_vocabulary=1, n_decoder_layers=0)
    # it outlives the request, and `depth` computes gradients through it
    with torch.inference_mode(False):
        made = LanguageModel(config, torch.Generator().manual_seed(SEED))
    return made.eval().requires_grad_(False)


@cached()
def _decoder() -> DecoderStack:
    """The decoder's six layers, 101 MB; created only on first use."""
    made = DecoderStack(CONFIG)
    initialise(made, torch.Generator().manual_seed(SEED + 1))
    return made.eval().requires_grad_(False)


def decoder_layers() -> tuple[DecoderLayer, ...]:
    """The six layers of the decoder; always the same numbers."""
    return tuple(_decoder().layers)  # type: ignore[arg-type]


def memory(source_ids: Sequence[int]) -> Tensor:
    """(S, 512): the encoder's output for a source; every layer of the decoder attends to it."""
    return hidden(embedded(source_ids), CONFIG.n_encoder_layers)


def decoder_hidden(x_LD: Tensor, memory_SD: Tensor, layer: int) -> Tensor:
    """(L, 512): the input of a decoder layer, from 0, if the input of the first one is `x_LD`."""
    x_BLD: Tensor = x_LD[None]
    bias = mask_bias(causal_mask(len(x_LD)))
    for one in decoder_layers()[:layer]:
        x_BLD = one(x_BLD, memory_SD[None], bias).output_BLD
    return x_BLD[0]


def layers() -> tuple[EncoderLayer, ...]:
    """The six layers; always the same numbers."""
    return tuple(_model().stack.layers)  # type: ignore[arg-type]


def learned(ids: Sequence[int]) -> Tensor:
    """(L, 512): rows as at the start of training, N(0, 1/512); each id always has the same one."""
    rows = [torch.randn(CONFIG.d_model, generator=torch.Generator().manual_seed(i)) for i in ids]
    rows_LD: Tensor = torch.stack(rows) * CONFIG.d_model**-0.5
    return rows_LD


def embeddings(ids: Sequence[int]) -> Embeddings:
    """The paper's embeddings with only the rows of these ids: row 0 belongs to the first id."""
    made = Embeddings(CONFIG, len(ids)).eval().requires_grad_(False)
    made.tokens.weight.copy_(learned(ids))
    return made


def embedded(ids: Sequence[int], *, positions: bool = True) -> Tensor:
    """(L, 512): the input of layer 1; with or without the positions."""
    x_LD: Tensor = learned(ids) * CONFIG.d_model**0.5
    return x_LD + sinusoidal(len(ids), CONFIG.d_model).float() if positions else x_LD


def hidden(x_LD: Tensor, layer: int, *, causal: bool = False) -> Tensor:
    """(L, 512): the input of a layer, from 0, if the input of the first one is `x_LD`.

    `causal` hides later tokens in every layer, as in a decoder.
    """
    x_BLD: Tensor = x_LD[None]
    bias = mask_bias(causal_mask(len(x_LD))) if causal else None
    for one in layers()[:layer]:
        x_BLD = one(x_BLD, bias).output_BLD
    return x_BLD[0]


def paper_steps(
    ids: Sequence[int],
    tokens: Sequence[str],
    notes: Sequence[str],
    n_vocabulary: int,
    *,
    layer: int = 0,
    head: int = 0,
    block: int = 0,
    causal: bool = False,
) -> tuple[Step, ...]:
    """Every step from word pieces to the output of an encoder layer.

    Args:
        ids: the ids of the pieces.
        tokens: their names.
        notes: for each, its origin, in a sentence.
        n_vocabulary: the size of the vocabulary.
        layer: from 0.
        head: from 0.
        block: see `layer_steps`.
        causal: whether to hide later tokens, as in a decoder.
    """
    x_LD = embedded(ids)
    return (
        *_embedding_steps(ids, tokens, notes, n_vocabulary),
        *layer_steps(
            layers()[layer],
            hidden(x_LD, layer, causal=causal),
            tokens,
            head=head,
            block=block,
            causal=causal,
        ),
    )


def decoder_steps(
    ids: Sequence[int],
    tokens: Sequence[str],
    notes: Sequence[str],
    n_vocabulary: int,
    source: tuple[Sequence[int], Sequence[str]],
    *,
    layer: int = 0,
    head: int = 0,
    block: int = 0,
) -> tuple[Step, ...]:
    """Every step from the word pieces of a target to the output of a decoder layer.

    Args:
        ids: the ids of the target's pieces; for the other arguments, see `paper_steps`.
        tokens: their names.
        notes: for each, its origin, in a sentence.
        n_vocabulary: the size of the vocabulary.
        source: ids and names of the pieces that the encoder reads.
        layer: from 0.
        head: from 0.
        block: see `layer_steps`.
    """
    source_ids, names = source
    memory_SD = memory(source_ids)
    return (
        *_embedding_steps(ids, tokens, notes, n_vocabulary),
        *decoder_layer_steps(
            decoder_layers()[layer],
            decoder_hidden(embedded(ids), memory_SD, layer),
            memory_SD,
            tokens,
            names,
            head=head,
            block=block,
        ),
    )


def _embedding_steps(
    ids: Sequence[int], tokens: Sequence[str], notes: Sequence[str], n_vocabulary: int
) -> tuple[Step, ...]:
    """From word pieces to the input of layer 1: the same in encoder and decoder."""
    d_model, used = CONFIG.d_model, sorted(set(ids))
    names = [str(i) for i in used]
    rows = matrix("learned", learned(ids), tokens)
    table = matrix("E", learned(used), names, whole=(n_vocabulary, d_model))
    hot = one_hot(ids, used, tokens, names, whole=(len(ids), n_vocabulary))
    scaled = matrix("scaled", embedded(ids, positions=False), tokens)
    position = matrix("position", sinusoidal(len(ids), d_model).float(), tokens)
    return (
        picked(ids, tokens, rows, notes),
        step("learned", "product", [hot, table], rows),
        step("root", "scale", [rows], scaled, number=d_model**0.5, detail=str(d_model)),
        step("position", "sum", [scaled, position], matrix("x", embedded(ids), tokens)),
    )
