"""Attention among the visible tokens, once some are hidden; and the mean of several heads.

Every page, picture and file uses the same rule: each head's row is rescaled to 1 over the visible keys,
and only then are heads averaged. A row without any remaining weight is missing: NaN, and excluded from
means. `layer/attention.js` does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...records.trace import Array


def scaled(weights: Array) -> Array:
    """The rows rescaled to 1, each over the given keys.

    Args:
        weights: (…, keys), only of the visible keys.

    Returns:
        The same shape; a row is missing (NaN) if it was, or if all of its weights here are 0.
    """
    rest = weights.sum(axis=-1, keepdims=True)
    scaled_weights: Array = np.divide(weights, rest, out=np.full_like(weights, np.nan), where=rest > 0)
    return scaled_weights


def missing(weights: Array) -> Array:
    """(…), bool: the missing rows of (…, keys) weights; a row is missing as a whole."""
    return np.asarray(np.isnan(weights[..., :1]).any(axis=-1))  # without keys, none is missing


def mean_of_heads(maps: Iterable[Array]) -> Array:
    """The mean of several heads, for each row over the heads that have it.

    Args:
        maps: the maps, (queries, keys) each; may be a generator.

    Returns:
        (queries, keys) float32; a row is missing if all heads lack it.

    Raises:
        ValueError: if there is no map.
    """
    total: Array | None = None
    for one in maps:
        if total is None:
            total, counts = np.zeros(one.shape), np.zeros((len(one), 1))
        gone = missing(one)
        if gone.any():
            total[~gone] += one[~gone]
        else:
            total += one
        counts[~gone] += 1
    if total is None:
        raise ValueError("There is no head to average.")
    return _divided(total, counts).astype(np.float32)


def mean_of_rows(rows: Array) -> Array:
    """The mean of (…, rows, keys) over the rows that are not missing; missing if all are."""
    there = ~missing(rows)[..., None]
    counts = there.sum(axis=-2)
    total = np.where(there, rows, 0).sum(axis=-2, dtype=np.float64)
    return _divided(total, counts).astype(np.float32)


def _divided(total: Array, counts: Array) -> Array:
    """Sums divided by counts; NaN for a count of 0."""
    mean: Array = np.divide(total, counts, out=np.full(total.shape, np.nan), where=counts > 0)
    return mean
