"""A table of word vectors seen in a plane, one snapshot after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...records.frozen import Array, frozen


class Plane(NamedTuple):
    """Word vectors, projected.

    Attributes:
        coordinates: (words, 2), from the mean of all words.
        share: how much of the spread (the sum of squared distances from the mean) lies in the plane.
    """

    coordinates: Array
    share: float


def plane(table: Array, before: Plane | None = None) -> Plane:
    """The plane in which the rows of a table differ most: their first two principal components.

    A plane has no "right" and "up" of its own: it is turned, and mirrored if need be, so that the words
    stand as near as can be to where they stood `before` (orthogonal Procrustes; Schönemann 1966).

    Args:
        table: (words, D).
        before: the same words, a snapshot earlier.
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
