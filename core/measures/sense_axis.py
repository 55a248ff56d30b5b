"""Where a word stands between two groups of words in their contexts, at every depth of a model.

A cosine between two contextual vectors says little: it falls with depth whatever the words mean. This
axis is made anew at each depth from words that have nothing to do with the sentences on the screen:
anchor words of two senses, or the word itself in other sentences, some of each sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import NotSupported
from core.measures.word_path import WordPath
from core.trace import Array, frozen

CONTEXTUAL = 2  # the depth of the first layer's output: learned vector and "+ position" come before


@dataclass(frozen=True, eq=False)
class SenseAxis:
    """The line through the means of two groups of words, one line for each depth from the first on.

    Attributes:
        middle: halfway between the two means, (width of the depth,) each.
        half: from the middle to the mean of the high group, (width of the depth,) each.
        first: the depth of the first line. Above 0 where the groups are one word in other sentences.
    """

    middle: tuple[Array, ...]
    half: tuple[Array, ...]
    first: int = 0

    def place(self, path: WordPath) -> Array:
        """Where a word stands on each line, (depths − first,) float32, without unit.

        (x − middle)·half / |half|²: −1 at the mean of the low group, +1 at that of the high group.
        What the word does sideways of the line is not seen.

        Raises:
            ValueError: the word comes from a model with another number of layers.
        """
        depths = zip(path.vectors[self.first :], self.middle, self.half, strict=True)
        return frozen([(x - m) @ h / (h @ h) for x, m, h in depths])


def sense_axis(low: Sequence[WordPath], high: Sequence[WordPath], *, first: int = 0) -> SenseAxis:
    """The axis from the mean of the `low` words (−1) to the mean of the `high` words (+1).

    Args:
        low: the paths of the words at one end.
        high: those at the other end.
        first: the first depth at which the groups differ by what they mean. Where all are one and the
            same word, that is `CONTEXTUAL`: before, they differ by their places in their sentences.

    Raises:
        NotSupported: a group is empty, or the two groups have one mean, so that no line joins them.
    """
    if not low or not high:
        raise NotSupported("A sense axis needs at least one word in each of its two groups.")
    middle, half = [], []
    for depth in range(first, len(low[0].vectors)):
        a, b = (
            np.mean([path.vectors[depth] for path in group], axis=0, dtype=np.float64)
            for group in (low, high)
        )
        if not np.linalg.norm(b - a) > 1e-6 * np.linalg.norm(a):
            what = "sentences" if first else "anchor words"
            raise NotSupported(f"The two groups of {what} are one and the same. Change one of them.")
        middle.append(frozen((a + b) / 2))
        half.append(frozen((b - a) / 2))
    return SenseAxis(tuple(middle), tuple(half), first)
