"""Principal components of the trajectories of a few words, with all their depths in one picture.

The projection shows how far a word travels, not how its meaning changes: learned and contextual vectors
differ so much that the first component is depth. `core.measures.senses.move` shows meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array, Record
from .trajectory import WordPath


@dataclass(frozen=True, eq=False)
class Projection(Record):
    """Paths projected onto the directions in which all their points vary most.

    Attributes:
        coordinates: (paths, depths, components) float32, relative to the mean of all points; NaN for a
            depth of another width (the learned vectors of ALBERT).
        shares: (components,) float32, 0 to 1, the largest first: the share of the total variance (the
            sum of squared distances from the mean) along each component.
    """

    coordinates: Array
    shares: Array

    def __post_init__(self) -> None:
        self._freeze("coordinates", "shares")

    @property
    def between(self) -> Array:
        """(2, components), the share of each component's variance between paths, and between depths.

        A share is the variance of the means, divided by the variance of all points; 0 if that is 0.
        """
        there = ~np.isnan(self.coordinates).any(axis=(0, 2))
        at = self.coordinates[:, there].astype(np.float64)
        means = np.stack([at.mean(axis=axis).var(axis=0) for axis in (1, 0)])
        total = at.var(axis=(0, 1))
        between: Array = np.divide(means, total, where=total > 0, out=np.zeros_like(means))
        return between


def pca(paths: Sequence[WordPath], components: int = 3) -> Projection:
    """The principal components of all points of these paths, by singular value decomposition.

    The sign of a component is arbitrary; here, the first path ends on its positive side.

    Args:
        paths: paths from one model.
        components: the number of components. Those beyond the rank of the points are 0.

    Raises:
        NotSupported: all points are identical.
        ValueError: see `points_of`.
    """
    points, depths = points_of(paths)
    flat = points.reshape(-1, points.shape[-1])
    points = points - flat.mean(axis=0)
    _, sizes, directions = np.linalg.svd(points.reshape(flat.shape), full_matrices=False)
    if not sizes[0] > 1e-9:
        raise NotSupported("All these vectors are identical: there is nothing to project.")
    scores = points @ directions[:components].T
    scores *= np.where(scores[0, -1] < 0, -1, 1)
    coordinates = np.full((len(paths), len(depths), components), np.nan)
    coordinates[:, depths] = 0
    coordinates[:, depths, : scores.shape[-1]] = scores
    shares = np.zeros(components)
    shares[: len(sizes)] = (sizes**2 / (sizes**2).sum())[:components]
    return Projection(coordinates, shares)


def points_of(paths: Sequence[WordPath]) -> tuple[Array, Array]:
    """All points of these paths that one projection can hold.

    Returns:
        (paths, depths that fit, d_model) float64; and (depths,) bool, whether each depth fits (the
        learned vectors of ALBERT have another width).

    Raises:
        ValueError: there are no paths, or they come from models of different shapes.
    """
    if not paths:
        raise ValueError("A projection needs at least one path.")
    width = paths[0].vectors[-1].size
    depths = np.array([vector.size == width for vector in paths[0].vectors])
    points = np.array(
        [[vector for vector, fits in zip(path.vectors, depths, strict=True) if fits] for path in paths],
        np.float64,
    )
    return points, depths
