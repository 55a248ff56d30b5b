"""How near vectors are to one another, by the three usual measures; and one vector of a whole text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..records.frozen import Array, Record, frozen
from ..records.trace import Trace

_MEASURES = ("dot", "cosine", "distance")


@dataclass(frozen=True, eq=False)
class Similarity(Record):
    """The similarities of some vectors, each array (vectors, vectors) float32 and symmetric.

    Attributes:
        dot: x · y, the sum of the products number by number.
        cosine: x · y / (|x| |y|), −1 to 1; 0 for a zero vector, which has no direction.
        distance: |x − y|, Euclidean; 0 means the same vector.
        lengths: (vectors,), |x|.
    """

    dot: Array
    cosine: Array
    distance: Array
    lengths: Array

    def __post_init__(self) -> None:
        self._freeze(*_MEASURES, "lengths")

    def nearest(self, measure: str, of: int) -> tuple[int, ...]:
        """All other vectors, the nearest to one of them first; ties stay in order.

        Args:
            measure: "dot", "cosine" or "distance".
            of: the index of that vector.

        Raises:
            ValueError: if there is no such measure.
        """
        if measure not in _MEASURES:
            raise ValueError(f"There is no measure {measure}: choose one of {', '.join(_MEASURES)}.")
        row = getattr(self, measure)[of]
        order = np.argsort(row if measure == "distance" else -row, kind="stable")
        return tuple(int(i) for i in order if i != of)


def pairwise_similarity(vectors: npt.ArrayLike) -> Similarity:
    """Compare every vector with every other, in 64-bit floats.

    Args:
        vectors: (vectors, d).

    Raises:
        ValueError: if there are no vectors, or a number is not finite.
    """
    x = np.asarray(vectors, np.float64)
    if x.ndim != 2 or not x.size:
        raise ValueError(f"Vectors are (vectors, d), at least one of each, not {x.shape}.")
    if not np.isfinite(x).all():
        raise ValueError("Only finite numbers can be compared.")
    lengths = np.linalg.norm(x, axis=1)
    # From differences: √(|x|² + |y|² − 2 x·y) loses precision for nearly equal vectors.
    distance = np.stack([np.linalg.norm(x - row, axis=1) for row in x])
    return Similarity(x @ x.T, cosine(x, x), distance, lengths)


def cosine(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """(n, d) and (m, d) -> (n, m) float64, −1 to 1; 0 for a zero vector."""
    a, b = (np.asarray(x, np.float64) for x in (a, b))
    lengths = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=1)
    cosines: Array = np.divide(a @ b.T, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return np.clip(cosines, -1, 1, out=cosines)


def sentence_vector(trace: Trace) -> Array:
    """(d_model,): the mean of a text's contextual vectors, special tokens included.

    A first token that is the sink (`Trace.first_is_sink`) is left out: it says nothing about the text.
    `sentence-transformers` calls this mean pooling, and then scales the vector to length 1.

    Raises:
        NotSupported: see `Trace.contextual`.
    """
    first = int(trace.first_is_sink)
    return frozen(trace.contextual[first:].mean(axis=0, dtype=np.float64))
