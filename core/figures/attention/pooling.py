"""Attention maps reduced in size: the maximum, or the mean, of each block of cells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...measures.attention.visible import mean_of_rows
from ...records.trace import Array

Pool = Literal["max", "mean"]
_LEVELS = 255


@dataclass(frozen=True, eq=False)
class Pooled:
    """The reduced map of every head, and how much each head attends to and from each token.

    Missing rows do not count in a block, a mean or a maximum; if there are no others, the result is
    NaN.

    Attributes:
        maps: (layers, heads, rows, columns) float32, each cell one block of weights.
        block: the largest number of queries and of keys in a cell.
        to: (layers, heads, keys) float32, the mean over the queries of the weight on each key.
        away: (layers, heads, queries) float32, the largest weight of each query.
    """

    maps: Array
    block: tuple[int, int]
    to: Array
    away: Array


def pooled(weights: Array, most: int, how: Pool) -> Pooled:
    """Pool each head to at most `most` × `most` cells, in one pass, one head at a time.

    Args:
        weights: (layers, heads, queries, keys) float32.
        most: the most cells along a side.
        how: how a block becomes one cell.
    """
    layers, heads, queries, keys = weights.shape
    block = math.ceil(queries / most), math.ceil(keys / most)
    small, to, away = [], [], []
    for head in weights.reshape(-1, queries, keys):
        away.append(head.max(axis=1))
        gone = np.isnan(away[-1])  # NaN for a missing row
        if gone.any():
            to.append(mean_of_rows(head))
            rows = _blocks_there(head, gone, block[0], how)
        else:
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
    """Combine every `size` rows into one; the last block may have fewer."""
    if size == 1:
        return rows
    whole = len(rows) // size * size
    parts = [rows[:whole].reshape(-1, size, rows.shape[1]), rows[whole:][None]]
    filled = [part for part in parts if part.size]
    return np.concatenate([part.max(axis=1) if how == "max" else part.mean(axis=1) for part in filled])


def _blocks_there(rows: Array, gone: Array, size: int, how: Pool) -> Array:
    """The same, without missing rows; NaN if a block has no others."""
    if size == 1:
        return rows
    zeros = np.where(gone[:, None], np.float32(0), rows)
    # the share of rows that are not missing
    there = _blocks((~gone[:, None]).astype(np.float32), size, "mean")
    of_blocks = _blocks(zeros, size, how)
    by = there if how == "mean" else (there > 0).astype(np.float32)
    pooled: Array = np.divide(of_blocks, by, out=np.full_like(of_blocks, np.nan), where=there > 0)
    return pooled


def levels(values: Array, *, root: bool, end: float = 1.0) -> Array:
    """Numbers from 0 to `end` as uint8 from 0 to 255, by their square root if `root`; 0 for NaN."""
    share = np.clip(np.nan_to_num(values, nan=0.0) / np.float32(end), 0, 1)
    scaled: Array = np.rint((np.sqrt(share) if root else share) * np.float32(_LEVELS)).astype(np.uint8)
    return scaled
