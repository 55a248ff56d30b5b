"""All heads ranked by one weight: how strongly each attends from one token to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...records.indices import index
from ...records.trace import Array, Record, frozen
from .blocks import AttentionBlock
from .visible import missing


@dataclass(frozen=True, eq=False)
class RankedHeads(Record):
    """The heads that have the row of a query, from the largest weight on a key to the smallest.

    Attributes:
        layers: (heads,) int64, the layer of each head, from 0.
        heads: (heads,) int64, its number within the layer, from 0.
        weights: (heads,) float32, its weight on the key, 0 to 1; equal ones in the order of layers.
        uniform: (heads,) float32, the weight of a head that spreads its attention evenly over the keys
            that its layer can see; 0 where the key is masked.
        masked: (heads,) bool, whether a mask hides the key from the query in the layer of the head.
        absent: the number of heads that have no such row, as in layers without attention.
    """

    layers: Array
    heads: Array
    weights: Array
    uniform: Array
    masked: Array
    absent: int

    def __post_init__(self) -> None:
        self._freeze("weights", "uniform")
        for name, kind in (("layers", np.int64), ("heads", np.int64), ("masked", bool)):
            object.__setattr__(self, name, frozen(getattr(self, name), kind))


def rank_heads(block: AttentionBlock, query: int, key: int) -> RankedHeads:
    """Rank all heads of a block by the weight from one token to another.

    Args:
        block: self-attention, cross-attention, or one part of a pair; its rows are taken as they are.
        query: the row of the token that attends, from 0.
        key: the column of the token that is attended to, from 0.

    Raises:
        IndexError: there is no such row or column.
    """
    weights = block.attention.weights
    n_layers, n_heads, queries, keys = weights.shape
    query = index(query, queries, "row", from_end=False)
    key = index(key, keys, "column", from_end=False)
    masks = [block.mask(layer) for layer in range(n_layers)]
    hidden = np.array([mask is not None and bool(mask[query, key]) for mask in masks])
    seen = np.array([keys if mask is None else keys - int(mask[query].sum()) for mask in masks])
    uniform = np.where(hidden, 0, 1 / np.maximum(seen, 1))
    rows = weights[:, :, query]
    there = np.flatnonzero(~missing(rows).ravel())
    values = rows[:, :, key].ravel()[there]
    order = there[np.argsort(-values, kind="stable")]
    layers, heads = np.divmod(order, n_heads)
    return RankedHeads(
        layers,
        heads,
        rows[:, :, key].ravel()[order],
        uniform[layers],
        hidden[layers],
        absent=n_layers * n_heads - len(order),
    )


def strongest_key(block: AttentionBlock, query: int) -> int:
    """The other token of the text that receives the largest weight of a row in any head, from 0.

    Special tokens and the token itself count only if there is no other.
    """
    rows = block.attention.weights[:, :, query]
    best = np.nan_to_num(rows, nan=0.0).max(axis=(0, 1))
    own = block.marks[0][query]
    others = [
        key
        for key, mark in enumerate(block.marks[1])
        if key not in block.special[1] and mark != own and best[key] > 0
    ]
    return max(others or range(len(best)), key=lambda key: float(best[key]))
