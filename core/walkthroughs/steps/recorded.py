"""The attention of a model that runs on another engine, step by step, from its trace.

Queries, keys, values and weights are the model's own; everything between them follows from the records
alone. A trace contains neither the computation of the queries, nor what happens after the heads. No
torch here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...errors import NotSupported
from ...localization import _
from ...records.frozen import Array
from ...records.trace import Trace
from .descriptions import RECORDED, Words
from .layer import one_hot, picked
from .make import matrix, step
from .record import LOWEST, Step


class Recorded(NamedTuple):
    """The steps, and how much their weights differ from the model's own.

    Attributes:
        steps: from "pieces" to "join".
        apart: the largest difference between the softmax of the scores and the model's own weights.
    """

    steps: tuple[Step, ...]
    apart: float


def recorded_steps(
    trace: Trace,
    ids: Sequence[int],
    tokens: Sequence[str],
    notes: Sequence[str],
    n_vocabulary: int,
    *,
    layer: int,
    head: int,
) -> Recorded:
    """The steps of one layer from a trace, with one head in full.

    Args:
        trace: the trace of one text, with keep="all".
        ids: the ids of its tokens.
        tokens: their names.
        notes: for each, its origin, in a sentence.
        n_vocabulary: the size of the vocabulary.
        layer: from 0.
        head: from 0.

    Raises:
        NotSupported: if the model exposes no query and key, if this layer has no such head, or if a
            share of its rows goes to no token.
    """
    scores = trace.scores(layer, head)  # raises an error with the reason, if there are none
    assert trace.attention is not None
    assert trace.query is not None
    assert trace.key is not None
    assert trace.value is not None
    weights, value = trace.attention.weights[layer], trace.value[layer]
    if trace.attention.sink is not None:
        raise NotSupported(
            _(
                "In “{model}”, a part of each row of weights goes to no token, and the steps would not "
                "add up. The page Heads shows this model."
            ).format(model=trace.model)
        )
    used = sorted(set(ids))
    names = [str(i) for i in used]
    rows = {number: trace.learned[list(ids).index(number)] for number in used}
    learned = matrix("learned", trace.learned, tokens)
    width = trace.learned.shape[1]
    table = matrix("E", np.stack([rows[i] for i in used]), names, whole=(n_vocabulary, width))
    hot = one_hot(ids, used, tokens, names, whole=(len(ids), n_vocabulary))
    steps = [picked(ids, tokens, learned, notes), step("learned", "product", [hot, table], learned)]
    steps += _scored(trace, layer, head, tokens)
    hidden = scores.masked if scores.masked.any() else None
    before = steps[-1].result
    if hidden is not None:
        masked = np.where(hidden, np.float32(LOWEST), before.values)
        after = matrix("masked", masked, tokens, tokens, hidden=hidden, unmasked=before.values)
        words = RECORDED["mask"] if trace.masked is not None else None
        steps.append(step("mask", "mask", [before], after, words=words))
        before = after
    own = matrix("A", weights[head], tokens, tokens, weights=True, hidden=hidden)
    softmax = step("weights", "softmax", [before], own)
    apart = float(np.abs(softmax.again() - weights[head]).max())
    v = matrix("V", value[head], tokens)
    mixed = [matrix(f"Z_{i + 1}", z, tokens) for i, z in enumerate(_mixed(weights, value))]
    steps += [softmax, step("mix", "product", [own, v], mixed[head])]
    joined = matrix("Z", np.concatenate([one.values for one in mixed], axis=1), tokens)
    return Recorded((*steps, step("join", "join", mixed, joined)), apart)


def _mixed(weights: Array, value: Array) -> Array:
    """(heads, tokens, d_head): weights · V for each head; 0 for a missing head."""
    mixed: Array = np.nan_to_num(weights @ value)
    return mixed


def _scored(trace: Trace, layer: int, head: int, tokens: Sequence[str]) -> list[Step]:
    """From query and key to the scores before the mask."""
    assert trace.query is not None
    assert trace.key is not None
    query, key = trace.query[layer, head], trace.key[layer, head]
    usual = query.shape[-1] ** -0.5
    factor = usual if trace.scale is None else trace.scale[layer]
    words = None if abs(factor - usual) < 1e-6 else RECORDED["scale"]
    square = tuple(tokens), tuple(tokens)
    raw = matrix("S", query @ key.T, *square)
    operands = [matrix("Q", query, tokens), matrix("Kᵀ", key.T, None, tokens)]
    steps = [step("scores", "product", operands, raw, words=RECORDED["scores"])]

    def scaled(name: str, by: float, result_name: str, words: Words | None) -> None:
        given = steps[-1].result
        root = f"{(by if by >= 1 else 1 / by) ** 2:.6g}"  # the number whose root is the divisor
        made = matrix(result_name, given.values * np.float32(by), *square)
        steps.append(step(name, "scale", [given], made, number=by, detail=root, words=words))

    if trace.softcap is None:
        scaled("scale", factor, "S/√d" if words is None else "scaled", words)
    else:
        scaled("scale", factor / trace.softcap, "scaled", RECORDED["scale"])
        given = steps[-1].result
        capped = matrix("tanh", np.tanh(given.values), *square)
        words = RECORDED["capped"]
        steps.append(step("capped", "activation", [given], capped, detail="tanh", words=words))
        scaled("uncapped", trace.softcap, "capped", RECORDED["uncapped"])
    bias = _bias(trace, layer, head)
    if bias is not None:
        given = steps[-1].result
        sum_of = matrix("S + B", given.values + bias, *square)
        added = [given, matrix("B", bias, *square)]
        steps.append(step("bias", "sum", added, sum_of, words=RECORDED["bias"]))
    return steps


def _bias(trace: Trace, layer: int, head: int) -> Array | None:
    """(queries, keys), the bias added to the scores of this head; None without one."""
    if trace.bias is None:
        return None
    of_layer = trace.bias[layer] if trace.bias.ndim == 4 else trace.bias
    bias: Array = of_layer[head if len(of_layer) > 1 else 0]
    return bias
