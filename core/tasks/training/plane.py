"""A table of word vectors, projected onto a plane for one snapshot after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...records.frozen import Array, frozen


class Plane(NamedTuple):
    """Word vectors, projected.

    Attributes:
        coordinates: (words, 2), relative to the mean of all words.
        share: the share of the variance (the sum of squared distances from the mean) in the plane.
    """

    coordinates: Array
    share: float


def plane(table: Array, before: Plane | None = None) -> Plane:
    """The plane in which the rows of a table vary most: their first two principal components.

    Directions in a plane are arbitrary: it is rotated, and mirrored if necessary, so that the words are
    as near as possible to their positions in `before` (orthogonal Procrustes; Schönemann 1966).

    Args:
        table: (words, D).
        before: the same words in the previous snapshot.
    """
    centred = table.astype(np.float64) - table.mean(axis=0, dtype=np.float64)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    coordinates = centred @ directions[:2].T
    if before is not None:
        left, _, right = np.linalg.svd(coordinates.T @ before.coordinates)
        coordinates = coordinates @ (left @ right)
    spread = float((sizes**2).sum())
    share = float((sizes[:2] ** 2).sum() / spread) if spread else 1.0
    return Plane(frozen(coordinates.astype(np.float32)), share)
