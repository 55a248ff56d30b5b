"""Who looks at whom, and how much: one site of attention, and one head of it before softmax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.frozen import Array, Record, frozen

ROW_SUM_TOLERANCE = 1e-4


class Scores(NamedTuple):
    """One head before softmax.

    `values` is (queries, keys) float32: q·k as the model scales it, position bias included; always
    finite. `masked` is (queries, keys) bool: the cells that the head may not see, whose weight is 0
    whatever their score. Softmax over the cells of a row that are not masked gives its weights.
    """

    values: Array
    masked: Array


@dataclass(frozen=True, eq=False)
class Attention(Record):
    """One attention site: who looks at whom, and how much.

    Attributes:
        queries: row labels, one for each token that looks.
        keys: column labels, one for each token that is looked at.
        weights: (layers, heads, queries, keys) float32; each row sums to 1 within 1e-4.

    Raises:
        ValueError: a label is no string, or the labels do not fit the weights; or a row is no
            distribution.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    weights: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "queries", tuple(self.queries))
        object.__setattr__(self, "keys", tuple(self.keys))
        if not all(isinstance(label, str) for label in (*self.queries, *self.keys)):
            raise ValueError("The labels of queries and keys must be strings.")
        self._freeze("weights")
        if self.weights.ndim != 4 or self.weights.shape[2:] != (len(self.queries), len(self.keys)):
            raise ValueError(
                f"weights have the shape {self.weights.shape}; they must be (layers, heads, "
                f"{len(self.queries)} queries, {len(self.keys)} keys)."
            )
        # `not (… <= …)`, so that NaN is refused too.
        if self.weights.size and not self.weights.min() >= 0:
            raise ValueError("An attention weight is below 0 or not a number.")
        off = np.abs(self.weights.sum(axis=-1, dtype=np.float64) - 1).max(initial=0)
        if not off <= ROW_SUM_TOLERANCE:
            raise ValueError(
                f"A row of attention weights is off a sum of 1 by {off:.2g}: of half precision, divide "
                "each row by its own sum first."
            )


def before_softmax(
    query: Array, key: Array, *, scale: float | None, bias: Array | None, causal: bool
) -> Scores:
    """The scores of one head: query·key · scale + bias. Vaswani et al. 2017, equation 1.

    Args:
        query: (queries, d_head).
        key: (keys, d_head).
        scale: what the product is multiplied by; None for 1/√d_head.
        bias: (queries, keys), added after scaling (Raffel et al. 2020, section 2.1); None for none.
        causal: whether a token sees itself and those before it only.
    """
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    values = query @ key.T * np.float32(factor)
    if bias is not None:
        values = values + bias
    masked = np.triu(np.ones(values.shape, bool), k=1) if causal else np.zeros(values.shape, bool)
    return Scores(frozen(values), frozen(masked, bool))
