"""Maps of attention made small: the strongest, or the mean, of each block of cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.trace import Array

Pool = Literal["max", "mean"]
_LEVELS = 255


@dataclass(frozen=True, eq=False)
class Pooled:
    """Every head of a model, small, and how much each looks to and from each token.

    Attributes:
        maps: (layers, heads, rows, columns) float32, each cell one block of weights.
        block: how many queries and how many keys a cell stands for, at most.
        to: (layers, heads, keys) float32, the mean over the queries of the weight on each key.
        away: (layers, heads, queries) float32, the largest weight of each query.
    """

    maps: Array
    block: tuple[int, int]
    to: Array
    away: Array


def pooled(weights: Array, most: int, how: Pool) -> Pooled:
    """Pool each head to at most `most` × `most` cells; one pass, a head at a time.

    Args:
        weights: (layers, heads, queries, keys) float32.
        most: cells along a side.
        how: what stands for a block.
    """
    layers, heads, queries, keys = weights.shape
    block = math.ceil(queries / most), math.ceil(keys / most)
    small, to, away = [], [], []
    for head in weights.reshape(-1, queries, keys):
        away.append(head.max(axis=1))
        to.append(head.mean(axis=0))
        rows = _blocks(head, block[0], how)
        small.append(_blocks(np.ascontiguousarray(rows.T), block[1], how).T)
    shape = layers, heads
    return Pooled(
        np.stack(small).reshape(*shape, *small[0].shape),
        block,
        np.stack(to).reshape(*shape, keys),
        np.stack(away).reshape(*shape, queries),
    )


def _blocks(rows: Array, size: int, how: Pool) -> Array:
    """Every `size` rows as one; the last block may have fewer."""
    if size == 1:
        return rows
    whole = len(rows) // size * size
    parts = [rows[:whole].reshape(-1, size, rows.shape[1]), rows[whole:][None]]
    kept = [part for part in parts if part.size]
    return np.concatenate([part.max(axis=1) if how == "max" else part.mean(axis=1) for part in kept])


def levels(values: Array, *, root: bool, end: float = 1.0) -> Array:
    """Numbers from 0 to `end` as uint8 from 0 to 255, by their square root if `root`."""
    share = np.clip(values / np.float32(end), 0, 1)
    found: Array = np.rint((np.sqrt(share) if root else share) * np.float32(_LEVELS)).astype(np.uint8)
    return found
