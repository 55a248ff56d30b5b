"""One sentence through one layer, every step a record, by the transformer's own functions.

Vaswani et al. (2017), section 3 and Figures 1 (left) and 2; the embeddings are BERT's (Devlin et al.
2019, Figure 2). Layers that norm after the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...transformer import Encoder, EncoderLayer, causal_mask, mask_bias, scaled_dot_product_attention
from ...transformer.layers import ACTIVATIONS, AddNorm
from .make import matrix, normed, product, step
from .record import LOWEST, Matrix, Step


def embedding_steps(
    encoder: Encoder,
    ids: Sequence[int],
    tokens: Sequence[str],
    segments: Sequence[int] | None = None,
    notes: Sequence[str] = (),
) -> tuple[Step, ...]:
    """From pieces to what layer 0 receives; the last result is `Trace.embedded`.

    Args:
        encoder: the encoder.
        ids: the token ids, at least one.
        tokens: their names.
        segments: of each token, 0 or 1; None: all 0.
        notes: of each token, where it is from, in a sentence.
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
    """One-hot rows: of all columns those of the ids in `used`, the others being 0 throughout."""
    hot = np.array([[float(i == j) for j in used] for i in ids], np.float32)
    return matrix("one-hot", hot, tokens, names, weights=True, whole=whole)


def activation_of(layer: EncoderLayer) -> str:
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
    """What one layer does with its input, one head in full.

    Args:
        layer: an encoder layer with a feed-forward network, its norms behind the sums.
        x_LD: what it receives, (tokens, d_model).
        tokens: their names.
        head: from 0.
        causal: hide what comes after each token, as in a decoder.
        block: of a product that is too wide to be shown, the columns from 32 · block on.

    Returns:
        The steps from "query" to "norm2", whose result is what the layer returns.

    Raises:
        ValueError: a layer of another kind; or there is no such head.
    """
    if not (isinstance(layer.output_norm, AddNorm) and layer.feed_forward is not None):
        raise ValueError("The layer has no feed-forward network.")
    if layer.attention_norm.norm_first:
        raise ValueError("The layer norms before the sum.")
    attention = layer.attention
    if not 0 <= head < attention.n_heads:
        raise ValueError(f"There is no head {head}: there are {attention.n_heads}.")
    bias = mask_bias(causal_mask(len(tokens))) if causal else None
    x_LD = x_LD.detach()
    done = attention(x_LD[None], x_LD[None], bias)
    d_head = done.query_BHLK.shape[-1]
    x, steps, parts = matrix("x", x_LD, tokens), [], {}
    own = slice(head * d_head, (head + 1) * d_head)
    for name, letter, linear, values in (
        ("query", "Q", attention.query, done.query_BHLK),
        ("key", "K", attention.key, done.key_BHMK),
        ("value", "V", attention.value, done.value_BHMK),
    ):
        parts[letter] = matrix(letter, values[0, head], tokens)
        steps.append(product(name, x, linear, f"W_{letter}", f"b_{letter}", parts[letter], own))
    steps += _attended(done, parts, tokens, head, causal)
    joined_LD = done.weights_BHLM[0] @ done.value_BHMK[0]
    joined = matrix("Z", joined_LD.transpose(0, 1).flatten(1), tokens)
    of_heads = [matrix(f"Z_{i + 1}", z_LK, tokens) for i, z_LK in enumerate(joined_LD)]
    steps.append(step("join", "join", of_heads, joined))
    output = matrix("O", done.output_BLD[0], tokens)
    steps.append(product("output", joined, attention.output, "W_O", "b_O", output, block=block))
    summed = matrix("r", x_LD + done.output_BLD[0], tokens)
    steps.append(step("residual", "sum", [x, output], summed))
    normed_LD = layer.attention_norm.add(x_LD, done.output_BLD[0])
    steps.append(normed("norm", summed, layer.attention_norm, matrix("n", normed_LD, tokens)))
    return (*steps, *_fed(layer, normed_LD, tokens, block))


def _attended(
    done: Any, parts: dict[str, Matrix], tokens: Sequence[str], head: int, causal: bool
) -> list[Step]:
    """Scores, scale, mask, softmax, mix: one head."""
    query_LK, key_MK, value_MK = (x[0, head] for x in (done.query_BHLK, done.key_BHMK, done.value_BHMK))
    scale = query_LK.shape[-1] ** -0.5
    keys = matrix("Kᵀ", key_MK.T, None, tokens)
    raw = matrix("S", query_LK @ key_MK.T, tokens, tokens)
    scaled_LM = query_LK @ key_MK.T * scale
    scaled = matrix("S/√d", scaled_LM, tokens, tokens)
    steps = [
        step("scores", "product", [parts["Q"], keys], raw),
        step("scale", "scale", [raw], scaled, number=scale, detail=str(query_LK.shape[-1])),
    ]
    hidden = None
    if causal:
        seen = causal_mask(len(tokens))
        hidden = ~seen.numpy()
        masked = scaled_LM.masked_fill(~seen, LOWEST)
        scaled = matrix("masked", masked, tokens, tokens, hidden=hidden)
        steps.append(step("mask", "mask", [steps[-1].result], scaled))
    weights = matrix("A", done.weights_BHLM[0, head], tokens, tokens, weights=True, hidden=hidden)
    steps.append(step("weights", "softmax", [scaled], weights))
    bias = mask_bias(causal_mask(len(tokens))) if causal else None
    mixed_LK, _ = scaled_dot_product_attention(query_LK, key_MK, value_MK, bias)
    mixed = matrix(f"Z_{head + 1}", mixed_LK, tokens)
    steps.append(step("mix", "product", [weights, parts["V"]], mixed))
    return steps


def _fed(layer: EncoderLayer, x_LD: Tensor, tokens: Sequence[str], block: int) -> list[Step]:
    """The feed-forward network, its sum and its norm."""
    network, norm = layer.feed_forward, layer.output_norm
    assert network is not None
    assert norm is not None
    x = matrix("n", x_LD, tokens)
    inner_LF = network.inner(x_LD)
    inner = matrix("u", inner_LF, tokens)
    active = matrix("a", network.activation(inner_LF), tokens)
    outer_LD = network(x_LD)
    outer = matrix("o", outer_LD, tokens)
    summed = matrix("r", x_LD + outer_LD, tokens)
    return [
        product("inner", x, network.inner, "W_1", "b_1", inner, block=block),
        step("activation", "activation", [inner], active, detail=activation_of(layer)),
        product("outer", active, network.outer, "W_2", "b_2", outer, block=block),
        step("residual2", "sum", [x, outer], summed),
        normed("norm2", summed, norm, matrix("y", norm.add(x_LD, outer_LD), tokens)),
    ]
