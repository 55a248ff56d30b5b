"""Traces made by hand of models unlike BERT: masks, sinks, soft-capped scores, missing heads.

Their weights are computed here, independently of the code that draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.records.trace import Attention, Trace

LAYERS, HEADS, D_HEAD = 3, 5, 7
WORDS = ("on", "the", "river", "bank", "she", "sat", "with", "her", "bank", "book")


def tokens_of(n: int) -> tuple[str, ...]:
    """Words with a special token at either end."""
    return ("[CLS]", *(WORDS[i % len(WORDS)] for i in range(n - 2)), "[SEP]")


def window(n: int, before: int, after: int) -> np.ndarray:
    """(n, n) bool: True, or masked, outside a window."""
    apart = np.subtract.outer(np.arange(n), np.arange(n))
    found: np.ndarray = (apart > before) | (-apart > after)
    return found


def scores(
    query: np.ndarray,
    key: np.ndarray,
    *,
    scale: float | None = None,
    softcap: float | None = None,
    bias: np.ndarray | None = None,
) -> np.ndarray:
    """(layers, heads, n, n) float64, before softmax."""
    by = query.shape[-1] ** -0.5 if scale is None else scale
    found: np.ndarray = np.einsum("lhid,lhjd->lhij", query.astype(float), key.astype(float)) * by
    if softcap is not None:
        found = softcap * np.tanh(found / softcap)
    if bias is not None:
        found = found + bias
    return found


def softmax(
    scores: np.ndarray, masked: np.ndarray | None = None, sinks: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The weights, and the share of the sink with the score `sinks`, as a model computes them."""
    if masked is not None:
        scores = np.where(masked, -np.inf, scores)
    most = scores.max(axis=-1, keepdims=True)
    raised = np.exp(scores - most)
    sunk = np.zeros(most.shape) if sinks is None else np.exp(sinks - most)
    whole = raised.sum(axis=-1, keepdims=True) + sunk
    return (raised / whole).astype(np.float32), (sunk / whole)[..., 0].astype(np.float32)


def traced(
    n: int = 8,
    *,
    layers: int = LAYERS,
    heads: int = HEADS,
    tokens: Sequence[str] | None = None,
    masked: np.ndarray | None = None,
    causal: bool = False,
    softcap: float | None = None,
    bias: np.ndarray | None = None,
    sinks: bool = False,
    products: bool = True,
    gone: Sequence[tuple[int, int | None]] = (),
    lost: Sequence[tuple[int, int, int]] = (),
    **other: Any,
) -> Trace:
    """A text of `n` tokens.

    Args:
        n: the number of tokens.
        layers: the number of layers.
        heads: the number of heads in each layer.
        tokens: their names; the first and the last are special ones.
        masked: (layers, n, n) bool.
        causal: whether later tokens are masked.
        softcap: as in `core.Trace`.
        bias: as in `core.Trace`.
        sinks: whether each head has one.
        products: whether the trace has query and key.
        gone: (layer, head) of missing heads; None for all heads of the layer.
        lost: (layer, head, query) of rows whose weight goes to the first token alone.
        **other: other fields of the trace.
    """
    names = tokens_of(n) if tokens is None else tuple(tokens)
    random = np.random.default_rng(n)
    query, key = random.normal(size=(2, layers, heads, n, D_HEAD)).astype(np.float32) * 2
    for layer, head, place in lost:  # so much more than the others that these are 0 in float32
        query[layer, head, place] = 900 * key[layer, head, 0] / (key[layer, head, 0] ** 2).sum()
        for j in range(1, n):  # and none of them looks the same way
            along = key[layer, head, j] @ key[layer, head, 0] / (key[layer, head, 0] ** 2).sum()
            key[layer, head, j] -= max(along, 0) * key[layer, head, 0]
    unseen = np.broadcast_to(np.triu(np.ones((n, n), bool), 1), (layers, n, n)) if causal else None
    unseen = masked if masked is not None else unseen
    weights, sunk = softmax(
        scores(
            query, key, softcap=softcap, bias=bias if bias is None or bias.ndim == 4 else bias[None]
        ),
        None if unseen is None else unseen[:, None],
        random.normal(size=(layers, heads, n, 1)) if sinks else None,
    )
    for layer, which in gone:
        here: Any = (layer, slice(None) if which is None else which)
        for array in (weights, sunk, query, key):
            array[here] = np.nan
    special = tuple(name in ("[CLS]", "[SEP]") for name in names)
    ends = np.cumsum([len(name) + 1 for name in names])
    fields: dict[str, Any] = {
        "tokens": names,
        "word_ids": tuple(None if mark else i for i, mark in enumerate(special)),
        "segments": (0,) * n,
        "offsets": tuple(
            (0, 0) if mark else (int(end) - len(name) - 1, int(end) - 1)
            for name, mark, end in zip(names, special, ends, strict=True)
        ),
        "special": special,
        "left_out": None,
        "learned": random.normal(size=(n, 4)),
        "embedded": random.normal(size=(n, 4)),
        "hidden": random.normal(size=(layers, n, 4)),
        "final": None,
        "attention": Attention(names, names, weights, sunk if sinks else None),
        "query": query if products else None,
        "key": key if products else None,
        "value": None,
        "model": "by hand",
        "texts": (" ".join(names),),
        "causal": causal,
        "bias": bias,
        "softcap": softcap,
        "masked": masked,
        "products": products,
    }
    return Trace(**{**fields, **other})
