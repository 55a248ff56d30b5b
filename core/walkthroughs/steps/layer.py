"""One sentence through one layer, every step a record, by the transformer's own functions.

Vaswani et al. (2017), section 3 and Figures 1 (left) and 2; the embeddings are BERT's (Devlin et al.
2019, Figure 2). The layers are post-LN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ...transformer import (
    DecoderLayer,
    Encoder,
    EncoderLayer,
    MultiHeadAttention,
    causal_mask,
    mask_bias,
    scaled_dot_product_attention,
)
from ...transformer.layers import ACTIVATIONS, AddNorm
from .descriptions import Words
from .make import matrix, normed, product, step
from .record import LOWEST, Matrix, Step

NONE_OF_ITS_OWN: Mapping[str, Words] = MappingProxyType({})


def embedding_steps(
    encoder: Encoder,
    ids: Sequence[int],
    tokens: Sequence[str],
    segments: Sequence[int] | None = None,
    notes: Sequence[str] = (),
) -> tuple[Step, ...]:
    """From word pieces to the input of layer 0; the last result is `Trace.embedded`.

    Args:
        encoder: the encoder.
        ids: the token ids, at least one.
        tokens: their names.
        segments: for each token, 0 or 1; None for all 0.
        notes: for each token, its origin, in a sentence.
    """
    ids_L = torch.tensor(list(ids))
    learned = matrix("learned", encoder.tokens(ids_L), tokens)
    steps = [picked(ids, tokens, learned, notes)]
    used = sorted(set(ids))
    known = encoder.config.n_vocabulary
    names = [str(i) for i in used]
    table = matrix("E", encoder.tokens.weight[used], names, whole=(known, encoder.config.d_model))
    hot = one_hot(ids, used, tokens, names, whole=(len(ids), known))
    steps.append(step("learned", "product", [hot, table], learned))
    assert encoder.positions is not None
    position = matrix("position", encoder.positions(len(ids)), tokens)
    parts, total_LD = [learned], encoder.tokens(ids_L)
    if encoder.segments is not None:
        rows = encoder.segments(torch.tensor(list(segments or [0] * len(ids))))
        parts.append(matrix("segment", rows, tokens))
        total_LD = total_LD + rows
    total_LD = total_LD + encoder.positions(len(ids))
    total = matrix("sum", total_LD, tokens)
    steps.append(step("position", "sum", [*parts, position], total))
    embedded = matrix("x", encoder.norm(total_LD), tokens)
    steps.append(normed("embedded", total, encoder.norm, embedded))
    return tuple(steps)


def picked(
    ids: Sequence[int], tokens: Sequence[str], learned: Matrix, notes: Sequence[str] = ()
) -> Step:
    """The first step: each piece and its id."""
    column = matrix("id", np.array(ids, np.float32)[:, None], tokens, ("id",))
    return step("pieces", "pieces", [], column, notes=tuple(notes or ["" for _ in ids]))


def one_hot(
    ids: Sequence[int],
    used: Sequence[int],
    tokens: Sequence[str],
    names: Sequence[str],
    whole: tuple[int, int] | None = None,
) -> Matrix:
    """One-hot rows, with only the columns of the ids in `used`; all others are 0 throughout."""
    hot = np.array([[float(i == j) for j in used] for i in ids], np.float32)
    return matrix("one-hot", hot, tokens, names, weights=True, whole=whole)


def activation_of(layer: EncoderLayer | DecoderLayer) -> str:
    """The name of a layer's activation."""
    assert layer.feed_forward is not None
    activation: Callable[[Tensor], Tensor] = layer.feed_forward.activation
    return next(name for name, act in ACTIVATIONS.items() if act is activation)


def layer_steps(
    layer: EncoderLayer,
    x_LD: Tensor,
    tokens: Sequence[str],
    *,
    head: int = 0,
    causal: bool = False,
    block: int = 0,
) -> tuple[Step, ...]:
    """The steps of one layer, with one head in full.

    Args:
        layer: a post-LN encoder layer with a feed-forward network.
        x_LD: its input, (tokens, d_model).
        tokens: their names.
        head: from 0.
        causal: whether to hide later tokens, as in a decoder.
        block: for a product too wide to be shown, the columns from 32 · block onwards.

    Returns:
        The steps from "query" to "norm2", whose result is the layer's output.

    Raises:
        ValueError: if the layer is of another kind, or there is no such head.
    """
    refuse_other_kinds(layer)
    assert isinstance(layer.attention_norm, AddNorm)
    x = Rows("x", x_LD.detach(), tuple(tokens))
    steps, normed_x = attention_steps(
        layer.attention, layer.attention_norm, x, x, result="n", head=head, causal=causal, block=block
    )
    return (*steps, *fed(layer, normed_x, block))


def refuse_other_kinds(layer: EncoderLayer | DecoderLayer) -> None:
    """Raise ValueError for a layer that these steps do not describe."""
    if not (isinstance(layer.output_norm, AddNorm) and layer.feed_forward is not None):
        raise ValueError("The layer has no feed-forward network.")
    if layer.attention_norm.norm_first:
        raise ValueError("The layer normalizes before the sum.")


class Rows(NamedTuple):
    """Vectors inside a layer.

    Attributes:
        name: their name in a formula: "x", "n", "m".
        values_LD: (tokens, d_model).
        tokens: their names.
    """

    name: str
    values_LD: Tensor
    tokens: tuple[str, ...]

    @property
    def matrix(self) -> Matrix:
        """The rows as a record."""
        return matrix(self.name, self.values_LD, self.tokens)


def attention_steps(
    attention: MultiHeadAttention,
    norm: AddNorm,
    reads: Rows,
    memory: Rows,
    *,
    result: str,
    prefix: str = "",
    head: int = 0,
    causal: bool = False,
    block: int = 0,
    words: Mapping[str, Words] = NONE_OF_ITS_OWN,
) -> tuple[list[Step], Rows]:
    """Attention with its residual connection and norm, with one head in full.

    Args:
        attention: the attention of a layer.
        norm: the norm after the sum.
        reads: the tokens that attend.
        memory: the tokens that are attended to; the same ones in self-attention.
        result: the name of the norm's output in a formula.
        prefix: the prefix of the names of the steps.
        head: from 0.
        causal: whether to hide later tokens.
        block: see `layer_steps`.
        words: the texts of steps that differ from the usual ones, by name.

    Returns:
        The steps from "query" to "norm", and the result of the last one.

    Raises:
        ValueError: if there is no such head.
    """
    if not 0 <= head < attention.n_heads:
        raise ValueError(f"There is no head {head}: there are {attention.n_heads}.")
    x_LD, tokens = reads.values_LD, reads.tokens
    bias = mask_bias(causal_mask(len(tokens))) if causal else None
    done = attention(x_LD[None], memory.values_LD[None], bias)
    d_head = done.query_BHLK.shape[-1]
    x, parts = reads.matrix, {}
    own = slice(head * d_head, (head + 1) * d_head)
    steps: list[Step] = []
    for name, letter, linear, values, rows in (
        ("query", "Q", attention.query, done.query_BHLK, reads),
        ("key", "K", attention.key, done.key_BHMK, memory),
        ("value", "V", attention.value, done.value_BHMK, memory),
    ):
        parts[letter] = matrix(letter, values[0, head], rows.tokens)
        given = x if rows is reads else rows.matrix
        named = f"{prefix}{name}"
        steps.append(product(named, given, linear, f"W_{letter}", f"b_{letter}", parts[letter], own))
    steps += _attended(done, parts, (reads, memory), prefix, head, causal, words)
    joined_LD = done.weights_BHLM[0] @ done.value_BHMK[0]
    joined = matrix("Z", joined_LD.transpose(0, 1).flatten(1), tokens)
    of_heads = [matrix(f"Z_{i + 1}", z_LK, tokens) for i, z_LK in enumerate(joined_LD)]
    steps.append(step(f"{prefix}join", "join", of_heads, joined))
    output = matrix("O", done.output_BLD[0], tokens)
    steps.append(
        product(f"{prefix}output", joined, attention.output, "W_O", "b_O", output, block=block)
    )
    summed = matrix("r", x_LD + done.output_BLD[0], tokens)
    steps.append(step(f"{prefix}residual", "sum", [x, output], summed))
    after = Rows(result, norm.add(x_LD, done.output_BLD[0]), tokens)
    steps.append(normed(f"{prefix}norm", summed, norm, after.matrix))
    return steps, after


def _attended(
    done: Any,
    parts: dict[str, Matrix],
    rows: tuple[Rows, Rows],
    prefix: str,
    head: int,
    causal: bool,
    words: Mapping[str, Words],
) -> list[Step]:
    """Scores, scale, mask, softmax, mix: one head."""
    tokens, others = (one.tokens for one in rows)
    query_LK, key_MK, value_MK = (x[0, head] for x in (done.query_BHLK, done.key_BHMK, done.value_BHMK))
    scale = query_LK.shape[-1] ** -0.5
    keys = matrix("Kᵀ", key_MK.T, None, others)
    raw = matrix("S", query_LK @ key_MK.T, tokens, others)
    scaled_LM = query_LK @ key_MK.T * scale
    scaled = matrix("S/√d", scaled_LM, tokens, others)
    width = str(query_LK.shape[-1])
    steps = [
        step(f"{prefix}scores", "product", [parts["Q"], keys], raw),
        step(f"{prefix}scale", "scale", [raw], scaled, number=scale, detail=width),
    ]
    hidden = None
    if causal:
        seen = causal_mask(len(tokens))
        hidden = ~seen.numpy()
        masked = scaled_LM.masked_fill(~seen, LOWEST)
        before = scaled.values
        scaled = matrix("masked", masked, tokens, others, hidden=hidden, unmasked=before)
        steps.append(step("mask", "mask", [steps[-1].result], scaled, words=words.get("mask")))
    weights = matrix("A", done.weights_BHLM[0, head], tokens, others, weights=True, hidden=hidden)
    steps.append(step(f"{prefix}weights", "softmax", [scaled], weights))
    bias = mask_bias(causal_mask(len(tokens))) if causal else None
    mixed_LK, _ = scaled_dot_product_attention(query_LK, key_MK, value_MK, bias)
    mixed = matrix(f"Z_{head + 1}", mixed_LK, tokens)
    steps.append(step(f"{prefix}mix", "product", [weights, parts["V"]], mixed))
    return steps


def fed(
    layer: EncoderLayer | DecoderLayer,
    reads: Rows,
    block: int,
    words: Mapping[str, Words] = NONE_OF_ITS_OWN,
) -> list[Step]:
    """The feed-forward network, its sum and its norm; for `words`, see `attention_steps`."""
    network, norm = layer.feed_forward, layer.output_norm
    assert network is not None
    assert norm is not None
    x, x_LD, tokens = reads.matrix, reads.values_LD, reads.tokens
    inner_LF = network.inner(x_LD)
    inner = matrix("u", inner_LF, tokens)
    active = matrix("a", network.activation(inner_LF), tokens)
    outer_LD = network(x_LD)
    outer = matrix("o", outer_LD, tokens)
    summed = matrix("r", x_LD + outer_LD, tokens)
    output = matrix("y", norm.add(x_LD, outer_LD), tokens)
    return [
        product("inner", x, network.inner, "W_1", "b_1", inner, block=block, words=words.get("inner")),
        step("activation", "activation", [inner], active, detail=activation_of(layer)),
        product("outer", active, network.outer, "W_2", "b_2", outer, block=block),
        step("residual2", "sum", [x, outer], summed, words=words.get("residual2")),
        normed("norm2", summed, norm, output, words=words.get("norm2")),
    ]
