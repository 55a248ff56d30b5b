"""Why a word attends to itself without learned weights: its scores with all words, in numbers.

A vector's product with itself is its squared length. With a random vector of the same length it is 0 on
average, and its standard deviation is the squared length over √d (each of d independent products has a
variance of ‖x‖⁴/d²). No torch here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...records.frozen import Array, Record, frozen


@dataclass(frozen=True, eq=False)
class OwnShare(Record):
    """One word of a text, attention without weights.

    Attributes:
        token: its position.
        width: d_model.
        products: (tokens,) float64: x · xⱼ.
        cosines: (tokens,) float64; 0 for a zero vector.
        weights: (tokens,) float64: the softmax of the products over √d.
    """

    token: int
    width: int
    products: Array
    cosines: Array
    weights: Array

    def __post_init__(self) -> None:
        for name in ("products", "cosines", "weights"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))

    @property
    def own(self) -> float:
        """The weight of the word on itself."""
        return float(self.weights[self.token])

    @property
    def squared_length(self) -> float:
        """‖x‖²: its product with itself."""
        return float(self.products[self.token])

    @property
    def spread(self) -> float:
        """‖x‖²/√d: the standard deviation of the product with a random vector of the same length."""
        return self.squared_length / float(np.sqrt(self.width))

    @property
    def others(self) -> tuple[int, ...]:
        """The positions of all others, the largest weight first; ties stay in order."""
        order = np.argsort(-self.products, kind="stable")
        return tuple(int(i) for i in order if i != self.token)

    def times(self, other: int) -> float:
        """The ratio of the word's weight on itself to that on another: e^((x·x − x·xⱼ)/√d)."""
        gap = (self.squared_length - float(self.products[other])) / float(np.sqrt(self.width))
        return float(np.exp(min(gap, 700.0)))


def own_share(vectors: Array, token: int) -> OwnShare:
    """The attention of one word to every word if Q = K = V = X.

    Args:
        vectors: (tokens, d_model).
        token: the position of the word.

    Raises:
        IndexError: if there is no such position.
    """
    rows = np.asarray(vectors, float)
    products = rows @ rows[token]
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(rows[token])
    cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    scores = products / np.sqrt(rows.shape[1])
    powers = np.exp(scores - scores.max())
    return OwnShare(token, rows.shape[1], products, cosines, powers / powers.sum())
