"""Attention by the distance between a token and the one that it attends to."""

from __future__ import annotations

import numpy as np

from ...records.trace import Array


def by_distance(weights: Array, *, first: bool = True) -> Array:
    """The mean weight at each distance back, from 0 (the token itself).

    Args:
        weights: (queries, keys), of one head or a mean of several; missing rows are NaN.
        first: whether the first token counts as one that is attended to. In a decoder it often takes
            what no other token gets (Xiao et al. 2023, "attention sink"), whatever its distance.

    Returns:
        (queries,) float64; NaN where there is no such pair.
    """
    numbers = np.asarray(weights, np.float64)
    if not first:
        numbers = numbers.copy()
        numbers[:, 0] = np.nan
    found = np.full(len(numbers), np.nan)
    for distance in range(len(numbers)):
        pairs = np.diagonal(numbers, -distance)
        pairs = pairs[~np.isnan(pairs)]
        if pairs.size:
            found[distance] = pairs.mean()
    return found
