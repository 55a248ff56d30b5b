"""Softmax taken apart: each row's log-sum-exp, so that any weight is exp(score − it)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...measures.attention.visible import missing, scaled
from ...records.trace import Array

_ROWS = 256  # of one head at a time
TOLERANCE = 1e-4
SCALED_TOLERANCE = 1e-3  # of what a few weights leave, scaled to 1
_LITTLE = 0.05  # what remains of a row: below, what it is scaled to is compared weight by weight


@dataclass(frozen=True)
class Sums:
    """Each row's log-sum, and how far what it leads to is from the weights that were given.

    Attributes:
        values: (heads, queries) float32, the log of the sum of exp(score), the sink in it where there
            is one; NaN of a row that is missing.
        off: how far the weights are from exp(score − log-sum), at most; 0 if none were given.
        off_scaled: the same of what remains of the rows once some keys are hidden, scaled to 1.
        empty: (rows, 2) head and query, where nothing remains of a row then.
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
    """The log of each row's sum of exp(score), without ever holding all scores.

    Args:
        query: (heads, queries, d_head) float32; NaN of a head that is none.
        key: (heads, keys, d_head) float32.
        scale: what q·k is multiplied with, mostly 1 / √d_head.
        bias: (heads or 1, queries, keys), added to the scaled products.
        softcap: c, where a scaled product x is squeezed to c·tanh(x/c) before that.
        masked: (queries, keys) bool, what is not seen; None where all is.
        weights: (heads, queries, keys), to be compared with.
        sink: (heads, queries), the share of each row that goes to no key.
        hidden: the keys that may be hidden; not all.
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
        with np.errstate(divide="ignore"):  # of a row that goes to its sink alone, exp(−∞) is 0
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
    """What a row's weights sum to: 1, or what its sink leaves; of the weights, it is exact if small."""
    if sink is None:
        return 1.0
    if weights is None:
        return 1 - sink.astype(np.float64)
    return weights.sum(axis=1, dtype=np.float64)


def diagonals(bias: Array) -> Array | None:
    """(heads, queries + keys − 1): a bias by distance, from key 0 at the last query; else None."""
    _, queries, keys = bias.shape
    line = np.concatenate([bias[:, :0:-1, 0], bias[:, 0]], axis=1)
    at = np.arange(keys)[None] - np.arange(queries)[:, None] + queries - 1
    same = all(np.array_equal(bias[head], line[head][at]) for head in range(len(bias)))
    return line if same else None


def of_keys(bias: Array) -> Array | None:
    """(heads, keys): a bias that is the same in every row, as of ALiBi in some models; else None."""
    return bias[:, 0] if np.array_equal(bias, np.broadcast_to(bias[:, :1], bias.shape)) else None


def _parts(heads: int, queries: int) -> Iterator[tuple[int, slice]]:
    for head in range(heads):
        for start in range(0, queries, _ROWS):
            yield head, slice(start, start + _ROWS)
