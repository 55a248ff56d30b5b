"""Which lines of a word are read: all, some at random, or every n-th."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Way = Literal["all", "random", "nth"]


@dataclass(frozen=True)
class Pick:
    """A choice among the lines of a word.

    Attributes:
        way: `all`; `random`, so many drawn without replacement; `nth`, one of each so many.
        size: how many are drawn, or the distance between two.
        seed: other seeds draw others.
    """

    way: Way = "all"
    size: int = 100
    seed: int = 0

    def of(self, count: int) -> npt.NDArray[np.int64]:
        """(picked,): the numbers of the picked lines among so many, ascending."""
        if self.way == "nth":
            return np.arange(0, count, max(1, self.size))
        if self.way == "all" or count <= self.size:
            return np.arange(count)
        drawn = np.random.default_rng(self.seed).choice(count, self.size, replace=False)
        return np.sort(drawn).astype(np.int64)


ALL = Pick()
