"""A map of one layer: a word along its sense axis and in one direction across it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...records.sense_axis import SenseAxis
from ...records.trace import Array, frozen


@dataclass(frozen=True, eq=False)
class SenseMap:
    """Where some vectors stand in every layer, in units of half the distance of its two ends.

    Attributes:
        along: (vectors, layers) float32, `SenseAxis.coordinate`.
        across: (vectors, layers) float32, along the first principal component of what the axis leaves
            of these vectors; 0 on the axis. A step across is as long as a step along.
        share: (layers,) float32, how much of what the axis leaves lies along it, 0 to 1.
    """

    along: Array
    across: Array
    share: Array


def sense_map(axis: SenseAxis, vectors: Array) -> SenseMap:
    """The map of each layer.

    A principal component has no sign. At the first layer the last vector lies on the positive side of
    the first; at each later one the sign is that by which the vectors keep their sides.

    Args:
        axis: the sense axis of the word.
        vectors: (vectors, layers, d_model), the word in its frames and sentences.

    Raises:
        ValueError: the vectors do not fit the axis.
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
        if not sizes.size or not sizes[0] > 1e-6 * unit:
            continue  # nothing is left across the axis
        projected = rest @ directions[0] / unit
        turned = projected @ across[:, layer - 1] if layer else projected[-1] - projected[0]
        across[:, layer] = -projected if turned < 0 else projected
        share[layer] = sizes[0] ** 2 / (sizes**2).sum()
    return SenseMap(frozen(along), frozen(across), frozen(share))
