"""Log-sum-exp of each row of a softmax, so that any weight is exp(score − log-sum)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...measures.attention.visible import missing, scaled
from ...records.trace import Array

_ROWS = 256  # of one head at a time
TOLERANCE = 1e-4
SCALED_TOLERANCE = 1e-3  # for small remainders of a row, rescaled to 1
_LITTLE = 0.05  # if less than this remains of a row, its rescaled weights are compared one by one


@dataclass(frozen=True)
class Sums:
    """The log-sum of each row, and the largest deviation from the given weights.

    Attributes:
        values: (heads, queries) float32, the log of the sum of exp(score), including the sink if there
            is one; NaN for a missing row.
        off: the largest difference between a weight and exp(score − log-sum); 0 if no weights were
            given.
        off_scaled: the same for the rows without the hidden keys, rescaled to 1.
        empty: (rows, 2), head and query of each row of which nothing then remains.
    """

    values: Array
    off: float
    off_scaled: float
    empty: Array


def row_sums(
    query: Array,
    key: Array,
    scale: float,
    *,
    bias: Array | None = None,
    softcap: float | None = None,
    masked: Array | None = None,
    weights: Array | None = None,
    sink: Array | None = None,
    hidden: Sequence[int] = (),
) -> Sums:
    """The log of each row's sum of exp(score), computed without holding all scores.

    Args:
        query: (heads, queries, d_head) float32; NaN for a missing head.
        key: (heads, keys, d_head) float32.
        scale: the factor of q·k, usually 1 / √d_head.
        bias: (heads or 1, queries, keys), added to the scaled products.
        softcap: c, if a scaled product x is squashed to c·tanh(x/c) before the bias is added.
        masked: (queries, keys) bool, the masked cells; None if there are none.
        weights: (heads, queries, keys), the weights to compare with.
        sink: (heads, queries), the share of each row that goes to no key.
        hidden: the keys that a visitor can hide; not all keys.
    """
    heads, queries, _ = query.shape
    log_sums = np.full((heads, queries), np.nan, np.float32)
    shown = np.delete(np.arange(key.shape[1]), hidden) if len(hidden) else None
    off, off_scaled = 0.0, 0.0
    empty = []
    for head, rows in _parts(heads, queries):
        if np.isnan(query[head, rows]).any():
            continue
        scores = _scores(query[head, rows], key[head], scale, softcap)
        if bias is not None:
            scores += bias[head if len(bias) > 1 else 0, rows]
        if masked is not None:
            scores[masked[rows]] = -np.inf
        most = scores.max(axis=1)
        there = np.isfinite(most)  # a row that sees nothing is missing
        most[~there] = 0
        scores -= most[:, None]
        np.exp(scores, out=scores)
        sums = scores.sum(axis=1, dtype=np.float64)
        given = None if weights is None else weights[head, rows]
        if given is not None:
            there &= ~missing(given)
        total = _row_sums(given, None if sink is None else sink[head, rows])
        sums = np.maximum(sums, 1e-300)
        with np.errstate(divide="ignore"):  # for a row that goes entirely to its sink, exp(−∞) is 0
            log_sums[head, rows] = np.where(there, most + np.log(sums / total), np.nan)
        if given is None or not there.any():
            continue
        scores *= (total / sums).astype(np.float32)[:, None]
        scores -= given
        apart = np.maximum(scores.max(axis=1), -scores.min(axis=1))
        off = max(off, float(apart[there].max()))
        if shown is None:
            continue
        left = total - given[:, list(hidden)].sum(axis=1)
        off_scaled = max(off_scaled, float((apart / np.maximum(left, _LITTLE))[there].max()))
        little = np.flatnonzero(there & (left < _LITTLE))
        if little.size:
            own = scaled((scores[little] + given[little])[:, shown])
            other = scaled(given[little][:, shown])
            gone = missing(other)
            empty += [(head, rows.start + int(row)) for row in little[gone]]
            if not gone.all():
                worst = np.nan_to_num(np.abs(own - other)[~gone], nan=np.inf)
                off_scaled = max(off_scaled, float(worst.max()))
    return Sums(log_sums, off, off_scaled, np.array(empty, np.int64).reshape(-1, 2))


def _scores(query: Array, key: Array, scale: float, softcap: float | None) -> Array:
    scores: Array = query @ key.T
    scores *= np.float32(scale)
    if softcap is not None:
        scores /= np.float32(softcap)
        np.tanh(scores, out=scores)
        scores *= np.float32(softcap)
    return scores


def _row_sums(weights: Array | None, sink: Array | None) -> Any:
    """The sum of a row's weights: 1 minus its sink; computed from the weights, it is exact if small."""
    if sink is None:
        return 1.0
    if weights is None:
        return 1 - sink.astype(np.float64)
    return weights.sum(axis=1, dtype=np.float64)


def diagonals(bias: Array) -> Array | None:
    """(heads, queries + keys − 1): a bias by distance, from key 0 at the last query; otherwise None."""
    _, queries, keys = bias.shape
    line = np.concatenate([bias[:, :0:-1, 0], bias[:, 0]], axis=1)
    at = np.arange(keys)[None] - np.arange(queries)[:, None] + queries - 1
    same = all(np.array_equal(bias[head], line[head][at]) for head in range(len(bias)))
    return line if same else None


def of_keys(bias: Array) -> Array | None:
    """(heads, keys): a bias that is equal in every row, like some models' ALiBi; otherwise None."""
    return bias[:, 0] if np.array_equal(bias, np.broadcast_to(bias[:, :1], bias.shape)) else None


def _parts(heads: int, queries: int) -> Iterator[tuple[int, slice]]:
    for head in range(heads):
        for start in range(0, queries, _ROWS):
            yield head, slice(start, start + _ROWS)
