"""The move of a word in the plane: along its sense axis, and along one direction across it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import NotSupported
from core.measures.sense_axis import SenseAxis
from core.measures.word_path import WordPath
from core.trace import Array, frozen


@dataclass(frozen=True, eq=False)
class Across:
    """One direction across the sense axis, the same at every depth.

    Attributes:
        direction: (d_model,), of length 1, at right angles to the axis of the last layer.
        unit: half the distance between the two group means at the last layer, so that a step up is as
            long as a step along the axis there.
        share: how much of what the axis of the last layer leaves of the points' spread (the sum of
            their squared distances) lies along this direction, 0 to 1.
    """

    direction: Array
    unit: float
    share: float


def across(axis: SenseAxis, paths: Sequence[WordPath]) -> Across:
    """The direction in which these words differ most at the last layer, once the axis is taken out.

    The first principal component of what is left. Its sign, which a principal component does not
    have, is fixed: the last path lies on the positive side of the first.

    Raises:
        NotSupported: nothing is left to show, as with fewer than two different words.
    """
    half = axis.half[-1]
    along = half / np.linalg.norm(half)
    points = np.array([path.vectors[-1] for path in paths], dtype=np.float64)
    points -= points.mean(axis=0)
    points -= np.outer(points @ along, along)
    _, sizes, directions = np.linalg.svd(points, full_matrices=False)
    if not sizes.size or not sizes[0] > 1e-6 * np.linalg.norm(half):
        raise NotSupported("These words leave nothing to show across the axis.")
    direction = directions[0]
    if (points[-1] - points[0]) @ direction < 0:
        direction = -direction
    share = float(sizes[0] ** 2 / (sizes**2).sum())
    return Across(frozen(direction), float(np.linalg.norm(half)), share)


def plane(axis: SenseAxis, up: Across, path: WordPath) -> Array:
    """Where a word stands at every depth, (depths, 2) float32, without unit.

    x is its place on the axis of that depth (−1 and +1 at the two group means); y is its distance
    from the middle of that axis along `up`, in units of the last layer's half axis. NaN where the
    depth has another width (the learned vectors of ALBERT).
    """
    y = [
        (vector - middle) @ up.direction / up.unit if vector.size == up.direction.size else np.nan
        for vector, middle in zip(path.vectors, axis.middle, strict=True)
    ]
    return frozen(np.stack([axis.place(path), np.array(y)], axis=1))
