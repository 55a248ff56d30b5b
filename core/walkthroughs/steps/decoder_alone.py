"""One text through one layer of a decoder alone, and from the last layer to the next token.

GPT-2 (Radford et al. 2019) and the Llama family (Touvron et al. 2023): each norm stands before its
sub-layer (Xiong et al. 2020, Figure 1), later tokens are hidden, and there is no encoder. RMSNorm is
Zhang and Sennrich (2019), rotary positions are Su et al. (2021), shared keys and values are Ainslie et
al. (2023), and the gate is Shazeer (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ...transformer import EncoderLayer, LanguageModel, MultiHeadAttention, causal_mask, mask_bias
from ...transformer.layers import AddNorm, AddRMSNorm, GatedFeedForward
from ...transformer.positions import LearnedPositions, Rotation
from .descriptions import ALONE
from .layer import Rows, activation_of, one_hot, picked
from .make import matrix, normed, product, step
from .record import LOWEST, Groups, Matrix, Step

MOST_NEXT = 12  # tokens whose logits are shown


class Next(NamedTuple):
    """The matrix that predicts tokens, and those tokens of its vocabulary whose logits are shown.

    Attributes:
        head_VD: its rows, times a vector, are the logits; `LanguageModel` may not have them itself.
        tied: whether it is the table that reads tokens.
        ids: their ids.
        names: their names.
    """

    head_VD: Tensor
    tied: bool
    ids: tuple[int, ...]
    names: tuple[str, ...]


def explained(decoder: LanguageModel) -> bool:
    """Whether these steps show all that a decoder computes; other families have further parts."""
    config = decoder.config
    usual = config.positions in ("learned", "rotary") and not config.rotations
    plain = not (_scaled(decoder) or config.embedding_norm or config.logit_cap)
    plain = plain and config.logit_scale == 1
    return usual and plain and all(map(_explained, decoder.stack.layers))


def _scaled(decoder: LanguageModel) -> bool:
    config = decoder.config
    return config.scale_embeddings or bool(config.embedding_scale)


def _explained(layer: Any) -> bool:
    attention, norms = layer.attention, (layer.attention_norm, layer.output_norm)
    turns = attention.rotation
    other = attention.query_norm is not None or attention.scale or attention.score_cap
    return not (
        other
        or layer.parallel
        or (turns is not None and turns.width)
        or any(type(norm) not in (AddNorm, AddRMSNorm) for norm in norms)
    )


def embedding_steps(
    decoder: LanguageModel, ids: Sequence[int], tokens: Sequence[str], notes: Sequence[str] = ()
) -> tuple[Step, ...]:
    """From tokens to the input of layer 0, whose result is `Trace.embedded`.

    Args:
        decoder: the decoder. Without learned positions, its rows of the table are that input.
        ids: the token ids, at least one.
        tokens: their names.
        notes: for each token, its origin, in a sentence.

    Raises:
        ValueError: the embeddings are scaled, or positions are neither learned nor rotary.
    """
    embeddings, config = decoder.embeddings, decoder.config
    known = config.positions in ("learned", "rotary")
    if not known or _scaled(decoder) or config.embedding_norm:
        raise ValueError("The embeddings are of another kind.")
    learned_LD, embedded_LD = (x_BLD[0] for x_BLD in embeddings(torch.tensor([list(ids)])))
    positions = embeddings.positions
    alone = positions is None
    learned = matrix("x" if alone else "learned", learned_LD, tokens)
    used = sorted(set(ids))
    names = [str(i) for i in used]
    table = matrix(
        "E",
        embeddings.tokens.weight[used],
        names,
        whole=(config.n_vocabulary, config.d_model),
    )
    hot = one_hot(ids, used, tokens, names, whole=(len(ids), config.n_vocabulary))
    words = ALONE["learned"] if alone else None
    steps = [
        picked(ids, tokens, learned, notes),
        step("learned", "product", [hot, table], learned, words=words),
    ]
    if isinstance(positions, LearnedPositions):
        position = matrix("position", positions(len(ids)), tokens)
        embedded = matrix("x", embedded_LD, tokens)
        words = ALONE["position"]
        steps.append(step("position", "sum", [learned, position], embedded, words=words))
    return tuple(steps)


def decoder_alone_steps(
    layer: EncoderLayer,
    x_LD: Tensor,
    tokens: Sequence[str],
    *,
    head: int = 0,
    window: int = 0,
    block: int = 0,
) -> tuple[Step, ...]:
    """The steps of one layer, with one head in full.

    Args:
        layer: a pre-LN layer with a feed-forward network.
        x_LD: its input, (tokens, d_model).
        tokens: their names.
        head: a head of the queries, from 0.
        window: to how many tokens each attends at most; 0: to all before it.
        block: for a product too wide to be shown, the columns from 32 · block onwards.

    Returns:
        The steps from "pre-norm" to "residual2", whose result is the layer's output.

    Raises:
        ValueError: if the layer is of another kind, or there is no such head.
    """
    norm, last_norm, network = layer.attention_norm, layer.output_norm, layer.feed_forward
    if network is None or last_norm is None:
        raise ValueError("The layer has no feed-forward network.")
    if not norm.norm_first:
        raise ValueError("The layer normalizes after the sum.")
    if not _explained(layer):
        raise ValueError("The layer has parts that these steps do not show.")
    x = Rows("x", x_LD.detach(), tuple(tokens))
    read = Rows("n", norm(x.values_LD), x.tokens)
    steps = [_normed("pre-norm", x.matrix, norm, read.matrix)]
    made, output_LD = _attention(layer.attention, read, head, window, block)
    steps += made
    summed = Rows("r", x.values_LD + output_LD, x.tokens)
    added = [x.matrix, matrix("O", output_LD, tokens)]
    steps.append(step("residual", "sum", added, summed.matrix, words=ALONE["residual"]))
    again = Rows("n′", last_norm(summed.values_LD), x.tokens)
    steps.append(_normed("pre-norm2", summed.matrix, last_norm, again.matrix))
    steps += _fed(layer, again, block)
    outer_LD = network(again.values_LD)
    output = matrix("y", summed.values_LD + outer_LD, tokens)
    added = [summed.matrix, matrix("o", outer_LD, tokens)]
    steps.append(step("residual2", "sum", added, output, words=ALONE["residual2"]))
    return tuple(steps)


def prediction_steps(
    decoder: LanguageModel, last: Rows, shown: Next | None, *, is_layer: bool
) -> tuple[Step, ...]:
    """From the output of the last layer to the probabilities of the next token.

    Args:
        decoder: the decoder.
        last: that output; each row predicts the token after its own.
        shown: the head, and the tokens whose probabilities are shown; None: only the final norm.
        is_layer: whether it is the layer whose steps come before.

    Returns:
        "final-norm", whose result is `Trace.final`; "logits"; and "next".

    Raises:
        ValueError: there is no norm after the last layer, or logits are capped or scaled.
    """
    norm, tokens, width = decoder.stack.norm, last.tokens, decoder.config.d_model
    if norm is None:
        raise ValueError("There is no norm after the last layer.")
    if decoder.config.logit_cap or decoder.config.logit_scale != 1:
        raise ValueError("The logits are capped, or scaled.")
    final_LD = norm(last.values_LD)
    given = last._replace(name="y" if is_layer else last.name).matrix
    final = matrix("f", final_LD, tokens)
    steps = [_normed("final-norm", given, norm, final)]
    if shown is None:
        return tuple(steps)
    logits_LV = final_LD @ shown.head_VD.T
    own, known = [*shown.ids], logits_LV.shape[1]
    name = "Eᵀ" if shown.tied else "W_U"
    table = matrix(name, shown.head_VD[own].T, None, shown.names, whole=(width, known))
    whole = (len(tokens), known)
    logits = matrix("ℓ", logits_LV[:, own], tokens, shown.names, whole=whole)
    words = ALONE["logits" if shown.tied else "logits-untied"]
    steps.append(step("logits", "product", [final, table], logits, words=words))
    sums = matrix("ln Σ", torch.logsumexp(logits_LV, 1)[:, None], tokens, ("ln Σ",))
    chances = logits_LV.softmax(1)[:, own]
    next_of = matrix("P", chances, tokens, shown.names, weights=True, whole=whole)
    steps.append(step("next", "share", [logits, sums], next_of, words=ALONE["next"], detail=str(known)))
    return tuple(steps)


def _normed(name: str, given: Matrix, norm: Any, result: Matrix) -> Step:
    """A layer norm, or RMSNorm, which has no mean and no β."""
    if isinstance(norm, AddRMSNorm | torch.nn.RMSNorm):
        operands = [given, matrix("γ", norm.weight)]
        return step(name, "rms", operands, result, number=float(norm.eps or 0), words=ALONE[name])
    return normed(name, given, norm, result, words=ALONE[f"{name}-mean"])


def _attention(
    attention: MultiHeadAttention, read: Rows, head: int, window: int, block: int
) -> tuple[list[Step], Tensor]:
    """The attention with one head in full, and its output, (tokens, d_model)."""
    if not 0 <= head < attention.n_heads:
        raise ValueError(f"There is no head {head}: there are {attention.n_heads}.")
    x_LD, tokens, n = read.values_LD, read.tokens, read.matrix
    seen_LM = causal_mask(len(tokens), window=window)
    bias = mask_bias(seen_LM)
    done = attention(x_LD[None], x_LD[None], bias)
    shared = attention.n_heads // attention.n_kv_heads
    own = head // shared
    groups = Groups(attention.n_heads, attention.n_kv_heads, head) if shared > 1 else None
    d_head, rotation = attention.d_head, attention.rotation
    steps: list[Step] = []
    made: dict[str, Matrix] = {}
    rows: dict[str, Tensor] = {}
    for name, letter, linear, at in (
        ("query", "Q", attention.query, head),
        ("key", "K", attention.key, own),
        ("value", "V", attention.value, own),
    ):
        width = slice(at * d_head, (at + 1) * d_head)
        rows[letter] = attention._split(linear(x_LD[None]))[0, at]
        made[letter] = matrix(letter, rows[letter], tokens)
        words, of, plus = ALONE[name], f"W_{letter}", f"b_{letter}"
        one = product(name, n, linear, of, plus, made[letter], width, words=words)
        steps.append(one.of_group(groups))
    query, key = "Q", "K"
    rows["Q"], rows["K"] = done.query_BHLK[0, head], done.key_BHMK[0, own]
    if rotation is not None:
        for name, letter in (("turn-query", "Q"), ("turn-key", "K")):
            turned = matrix(f"{letter}′", rows[letter], tokens)
            steps.append(_turned(name, made[letter], rotation, turned))
            made[turned.name] = turned
        query, key = "Q′", "K′"
    steps += _weighted(done, rows, (made[query], f"{key}ᵀ", made["V"]), seen_LM, head, groups)
    each = attention.for_each_head(done.value_BHMK)[0]
    joined_HLK = done.weights_BHLM[0] @ each
    joined = matrix("Z", joined_HLK.transpose(0, 1).flatten(1), tokens)
    of_heads = [matrix(f"Z_{i + 1}", z_LK, tokens) for i, z_LK in enumerate(joined_HLK)]
    steps.append(step("join", "join", of_heads, joined).of_group(groups))
    output = matrix("O", done.output_BLD[0], tokens)
    steps.append(product("output", joined, attention.output, "W_O", "b_O", output, block=block))
    return steps, done.output_BLD[0]


def _turned(name: str, given: Matrix, rotation: Rotation, result: Matrix) -> Step:
    """A query or a key, each pair of its numbers turned by position · θ."""
    length, d_head = given.values.shape
    angles = matrix("m·θ", rotation.angles(torch.arange(length), d_head), given.rows)
    words, detail = ALONE[name], rotation.pairs
    return step(name, "rotation", [given, angles], result, detail=detail, words=words)


def _weighted(
    done: Any,
    rows: dict[str, Tensor],
    given: tuple[Matrix, str, Matrix],
    seen_LM: Tensor,
    head: int,
    groups: Groups | None,
) -> list[Step]:
    """Scores, scale, mask, softmax, weighted mean: one head."""
    query, key_name, value = given
    query_LK, key_MK, tokens = rows["Q"], rows["K"], query.rows
    scale = query_LK.shape[-1] ** -0.5
    raw = matrix("S", query_LK @ key_MK.T, tokens, tokens)
    scaled_LM = query_LK @ key_MK.T * scale
    scaled = matrix("S/√d", scaled_LM, tokens, tokens)
    masked_LM = scaled_LM.masked_fill(~seen_LM, LOWEST)
    hidden = ~seen_LM.numpy()
    masked = matrix(
        "masked", masked_LM, tokens, tokens, hidden=hidden, unmasked=np.asarray(scaled.values)
    )
    weights = matrix("A", done.weights_BHLM[0, head], tokens, tokens, weights=True, hidden=hidden)
    mixed = matrix(f"Z_{head + 1}", done.weights_BHLM[0, head] @ rows["V"], tokens)
    keys = matrix(key_name, key_MK.T, None, tokens)
    words = ALONE["scores"] if key_name.startswith("K′") else None
    width = str(query_LK.shape[-1])
    return [
        step("scores", "product", [query, keys], raw, words=words).of_group(groups),
        step("scale", "scale", [raw], scaled, number=scale, detail=width),
        step("mask", "mask", [scaled], masked, words=ALONE["mask"]),
        step("weights", "softmax", [masked], weights),
        step("mix", "product", [weights, value], mixed).of_group(groups),
    ]


def _fed(layer: EncoderLayer, read: Rows, block: int) -> list[Step]:
    """The feed-forward network: with a gate, act(gate) ⊙ up; or two products."""
    network = layer.feed_forward
    assert network is not None
    x, x_LD, tokens = read.matrix, read.values_LD, read.tokens
    inner_LF, act = network.inner(x_LD), activation_of(layer)
    inner = matrix("u", inner_LF, tokens)
    outer = matrix("o", network(x_LD), tokens)
    if not isinstance(network, GatedFeedForward):
        active = matrix("a", network.activation(inner_LF), tokens)
        return [
            product("inner", x, network.inner, "W_1", "b_1", inner, block=block, words=ALONE["inner"]),
            step("activation", "activation", [inner], active, detail=act),
            product("outer", active, network.outer, "W_2", "b_2", outer, block=block),
        ]
    gate_LF = network.gate(x_LD)
    gate = matrix("g", gate_LF, tokens)
    opened_LF = network.activation(gate_LF)
    opened = matrix("s", opened_LF, tokens)
    active = matrix("a", opened_LF * inner_LF, tokens)
    return [
        product("gate", x, network.gate, "W_gate", "b_gate", gate, block=block, words=ALONE["gate"]),
        step("opened", "activation", [gate], opened, detail=act, words=ALONE["opened"]),
        product("up", x, network.inner, "W_up", "b_up", inner, block=block, words=ALONE["up"]),
        step("gated", "times", [opened, inner], active, words=ALONE["gated"]),
        product(
            "outer", active, network.outer, "W_down", "b_down", outer, block=block, words=ALONE["outer"]
        ),
    ]
