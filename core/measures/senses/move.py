"""The path of a word in a plane: along its sense axis, and along one direction across it.

Several words share the plane: each has its own axis; the direction across is common to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported
from ...records.sense_axis import SenseAxis
from ...records.trace import Array, frozen


@dataclass(frozen=True, eq=False)
class Across:
    """One direction across the sense axes of one or more words, the same at every depth.

    Attributes:
        direction: (d_model,), of length 1, orthogonal to each axis of the last layer.
        share: the share, 0 to 1, along this direction of the points' variance (the sum of their squared
            distances) that the axes of the last layer leave.
    """

    direction: Array
    share: float


def across(axes: Sequence[SenseAxis], words: Sequence[Array]) -> Across:
    """The direction in which these words differ most at the last layer, apart from their axes.

    It is the first principal component of the remainder. Its sign, which is arbitrary, is fixed: the
    last word is on the positive side of the first.

    Args:
        axes: the sense axes, at least one.
        words: (layers, d_model) for each word: its vectors after each layer.

    Raises:
        NotSupported: if nothing is left to show, for example with fewer than two different words.
    """
    halves = np.array([axis.halves[-1] for axis in axes], np.float64)
    points = np.array([vectors[-1] for vectors in words], dtype=np.float64)
    points -= points.mean(axis=0)
    # The axes of two forms of a word nearly coincide: count only the dimensions that they really span.
    _, sizes, along = np.linalg.svd(halves, full_matrices=False)
    along = along[sizes > 1e-6 * sizes[0]]
    points -= points @ along.T @ along
    _, sizes, directions = np.linalg.svd(points, full_matrices=False)
    if not sizes.size or not sizes[0] > 1e-6 * np.linalg.norm(halves, axis=1).max():
        raise NotSupported("These words leave nothing to show across the axis.")
    direction = directions[0]
    if (points[-1] - points[0]) @ direction < 0:
        direction = -direction
    share = float(sizes[0] ** 2 / (sizes**2).sum())
    return Across(frozen(direction), share)


def plane(axis: SenseAxis, up: Across, word: Array) -> Array:
    """(layers, 2) float32, the coordinates of a word after each layer, without unit.

    x is its position on the axis of that layer (−1 and +1 at the two ends); y is its distance from the
    middle of that axis along `up`, in units of the last layer's half axis: in that layer, a step up is
    as long as a step along the axis.

    Args:
        axis: the word's sense axis.
        up: the direction across the axis.
        word: (layers, d_model), its vectors after each layer.
    """
    x = [axis.coordinate(vector, layer) for layer, vector in enumerate(word)]
    unit = np.linalg.norm(axis.halves[-1].astype(np.float64))
    y = (word - axis.midpoints).astype(np.float64) @ up.direction / unit
    return frozen(np.stack([np.array(x), y], axis=1))
