"""Layers in which the two ends of an axis hardly differ, and in which its unit is therefore tiny.

Positions are measured in units of the layer's own axis. In the first layers of some models the word is
nearly the same beside both ends; half of the small distance between them is the unit, and any other
difference becomes a large number. Such numbers are exact, and say nothing about meaning.
"""

from __future__ import annotations

import numpy as np

from ..records.sense_axis import SenseAxis
from ..records.trace import Array

# Against the length of the word's vectors, the ends of such a layer are less than a third as far apart
# as those of the layer of the verdict. Of MiniLM no layer is, with any word that we tried; of SmolLM2
# the first three or four are.
CLOSE = 3


def apart(axis: SenseAxis) -> Array:
    """(layers,) how far apart the ends are, in lengths of the word's vectors beside them."""
    assert axis.vectors is not None  # a model has read the contexts
    lengths = np.linalg.norm(axis.vectors.astype(np.float64), axis=2).mean(axis=0)
    share: Array = axis.distance / np.maximum(lengths, np.finfo(np.float64).tiny)
    return share


def close_layers(axis: SenseAxis, judged: int) -> tuple[int, ...]:
    """The layers, from 1, before that of the verdict in which the ends hardly differ.

    Args:
        axis: the axis.
        judged: the layer of the verdict, from 1.
    """
    share = apart(axis)
    return tuple(i + 1 for i in range(judged - 1) if CLOSE * share[i] < share[judged - 1])
