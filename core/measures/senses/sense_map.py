"""A map of one layer: a word along its sense axis and in one direction across it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...records.sense_axis import SenseAxis
from ...records.trace import Array, frozen

NOTHING = 1e-6  # of half the distance between the ends: less across the axis is rounding


@dataclass(frozen=True, eq=False)
class SenseMap:
    """The positions of some vectors in every layer, in units of half the distance between the two ends.

    Attributes:
        along: (vectors, layers) float32, `SenseAxis.coordinate`.
        across: (vectors, layers) float32, along the first principal component of what remains of the
            vectors without the axis; 0 on the axis. A step across is as long as a step along.
        share: (layers,) float32, 0 to 1, the share of the remaining variance along that component.
    """

    along: Array
    across: Array
    share: Array


def sense_map(axis: SenseAxis, vectors: Array) -> SenseMap:
    """The map of each layer.

    The sign of a principal component is arbitrary. At the first layer, the last vector is on the
    positive side of the first; at each later layer, the sign is chosen so that the vectors stay on
    their sides.

    Args:
        axis: the sense axis of the word.
        vectors: (vectors, layers, d_model), the word in its frames and sentences.

    Raises:
        ValueError: if the vectors do not fit the axis.
    """
    if vectors.ndim != 3 or vectors.shape[1:] != axis.halves.shape:
        raise ValueError(f"Vectors {vectors.shape} do not fit an axis of {axis.halves.shape}.")
    count, layers = vectors.shape[:2]
    along, across, share = np.zeros((count, layers)), np.zeros((count, layers)), np.zeros(layers)
    for layer in range(layers):
        half = axis.halves[layer].astype(np.float64)
        unit = np.linalg.norm(half)
        x = vectors[:, layer].astype(np.float64) - axis.midpoints[layer]
        along[:, layer] = x @ half / unit**2
        rest = x - np.outer(along[:, layer], half)
        _, sizes, directions = np.linalg.svd(rest - rest.mean(axis=0), full_matrices=False)
        if not sizes.size or not sizes[0] > NOTHING * unit:
            continue  # nothing remains across the axis
        projected = rest @ directions[0] / unit
        turned = projected @ across[:, layer - 1] if layer else projected[-1] - projected[0]
        across[:, layer] = -projected if turned < 0 else projected
        share[layer] = sizes[0] ** 2 / (sizes**2).sum()
    return SenseMap(frozen(along), frozen(across), frozen(share))
