"""Heads that share their keys: grouped-query attention, read off the keys themselves."""

from __future__ import annotations

import numpy as np

from ...records.frozen import Array


def heads_per_key(key: Array | None) -> int:
    """How many neighbouring heads share a key, in every layer (Ainslie et al. 2023, Figure 2).

    Args:
        key: (layers, heads, tokens, d_head) of a trace or of a part of its tokens, where a shared key
            stands once for each head of the queries, as equal numbers; None if there are none.

    Returns:
        1 if each head has its own, or if there are no keys; all heads if they share a single one.
    """
    if key is None or not key.size:
        return 1
    heads = key.shape[1]

    def same(one: int, other: int) -> bool:
        return np.array_equal(key[:, one], key[:, other], equal_nan=True)

    size = next((head for head in range(1, heads) if not same(head, 0)), heads)
    if heads % size or not all(same(head, head // size * size) for head in range(heads)):
        return 1
    return size
