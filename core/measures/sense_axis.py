"""Where a word stands between two groups of anchor words, at every depth of a model.

A cosine between two contextual vectors says little: it falls with depth whatever the words mean. This
axis is made anew at each depth from words that have nothing to do with the sentences on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import NotSupported
from core.measures.word_path import WordPath
from core.trace import Array, frozen


@dataclass(frozen=True, eq=False)
class SenseAxis:
    """The line through the means of two groups of anchor words, one line for each depth.

    Attributes:
        middle: halfway between the two means, (width of the depth,) each.
        half: from the middle to the mean of the high group, (width of the depth,) each.
    """

    middle: tuple[Array, ...]
    half: tuple[Array, ...]

    def place(self, path: WordPath) -> Array:
        """Where a word stands on the line at every depth, (depths,) float32, without unit.

        (x − middle)·half / |half|²: −1 at the mean of the low group, +1 at that of the high group.
        What the word does sideways of the line is not seen.

        Raises:
            ValueError: the word comes from a model with another number of layers.
        """
        depths = zip(path.vectors, self.middle, self.half, strict=True)
        return frozen([(x - m) @ h / (h @ h) for x, m, h in depths])


def sense_axis(low: Sequence[WordPath], high: Sequence[WordPath]) -> SenseAxis:
    """The axis from the mean of the `low` words (−1) to the mean of the `high` words (+1).

    Raises:
        NotSupported: a group is empty, or the two groups have one mean, so that no line joins them.
    """
    if not low or not high:
        raise NotSupported("A sense axis needs at least one word in each of its two groups.")
    middle, half = [], []
    for depth in range(len(low[0].vectors)):
        a, b = (
            np.mean([path.vectors[depth] for path in group], axis=0, dtype=np.float64)
            for group in (low, high)
        )
        if not np.linalg.norm(b - a) > 1e-6 * np.linalg.norm(a):
            raise NotSupported("The two groups of anchor words are one and the same. Change a word.")
        middle.append(frozen((a + b) / 2))
        half.append(frozen((b - a) / 2))
    return SenseAxis(tuple(middle), tuple(half))
