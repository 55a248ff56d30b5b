"""Softmax taken apart: each row's log-sum-exp, so that any weight is exp(score − it)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from core.trace import Array

_ROWS = 256  # of one head at a time
TOLERANCE = 1e-4


def row_sums(
    query: Array,
    key: Array,
    scale: float,
    *,
    bias: Array | None = None,
    causal: bool = False,
    weights: Array | None = None,
) -> tuple[Array, float]:
    """The log of each row's sum of exp(score), without ever holding all scores.

    Args:
        query: (heads, queries, d_head) float32.
        key: (heads, keys, d_head) float32.
        scale: what q·k is multiplied with, mostly 1 / √d_head.
        bias: (heads or 1, queries, keys), added to the scaled products.
        causal: each query sees the keys up to its own, the last query all of them.
        weights: (heads, queries, keys), to be compared with.

    Returns:
        (heads, queries) float32, and how far the weights are from exp(score − log-sum) at most.
    """
    heads, queries, _ = query.shape
    found = np.empty((heads, queries), np.float32)
    off = 0.0
    for head, rows in _parts(heads, queries):
        scores = query[head, rows] @ key[head].T
        scores *= np.float32(scale)
        if bias is not None:
            scores += bias[head if len(bias) > 1 else 0, rows]
        if causal:
            scores[masked(queries, key.shape[1], rows)] = -np.inf
        most = scores.max(axis=1)
        scores -= most[:, None]
        np.exp(scores, out=scores)
        sums = scores.sum(axis=1, dtype=np.float64)
        found[head, rows] = most + np.log(sums)
        if weights is not None:
            scores /= sums[:, None].astype(np.float32)
            scores -= weights[head, rows]
            off = max(off, float(scores.max()), -float(scores.min()))
    return found, off


def masked(queries: int, keys: int, rows: slice = slice(None)) -> Array:
    """(queries, keys) bool: which keys come after their query; the last query sees them all."""
    at = np.arange(queries)[rows, None] + (keys - queries)
    later: npt.NDArray[np.bool_] = np.arange(keys)[None] > at
    return later


def diagonals(bias: Array) -> Array | None:
    """(heads, queries + keys − 1): a bias by distance, from key 0 at the last query; else None."""
    _, queries, keys = bias.shape
    line = np.concatenate([bias[:, :0:-1, 0], bias[:, 0]], axis=1)
    at = np.arange(keys)[None] - np.arange(queries)[:, None] + queries - 1
    same = all(np.array_equal(bias[head], line[head][at]) for head in range(len(bias)))
    return line if same else None


def _parts(heads: int, queries: int) -> Iterator[tuple[int, slice]]:
    for head in range(heads):
        for start in range(0, queries, _ROWS):
            yield head, slice(start, start + _ROWS)
