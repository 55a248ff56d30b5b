"""Whether clusters of a word's vectors separate, or k-means only cuts a continuum into parts.

k-means finds as many clusters as it is asked for, in any cloud. Two numbers say whether these are in
the data: the silhouette, and whether clusters found in one half of the vectors return in the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...records.trace import Array
from .clusters import FITTED, SEED, sample, split_by_halves

# What Kaufman and Rousseeuw (1990) call a reasonable structure, and one that is weak.
REASONABLE, WEAK = 0.5, 0.25
AGREEING = 0.9  # share of the vectors that both halves must give the same cluster
SPLITS = 5


@dataclass(frozen=True)
class Separation:
    """How well some clusters separate.

    Attributes:
        silhouette: the mean silhouette, −1 to 1 (Rousseeuw 1987): how much nearer a vector is to its
            own cluster than to the next.
        agreement: the share of vectors, 0 to 1, to which clusters found in one half of the vectors and
            those found in the other half give the same cluster; the mean over `SPLITS` random halvings.
    """

    silhouette: float
    agreement: float

    @property
    def level(self) -> str:
        """Whether they are "clear", "weak", because they touch, or "none": not in the data."""
        if self.silhouette <= WEAK or self.agreement < AGREEING:
            return "none"
        return "clear" if self.silhouette > REASONABLE else "weak"


def separation(vectors: Array, of: npt.NDArray[np.int64]) -> Separation | None:
    """How well clusters of some vectors separate; None if fewer than two have members.

    Args:
        vectors: (n, d), each once: copies of one sentence would count as a cluster.
        of: (n,), the cluster of each, from 0.
    """
    from sklearn.metrics import silhouette_score

    which = sample(len(vectors), FITTED)
    x, own = vectors[which], of[which]
    k = len(np.unique(own))
    if not 2 <= k < len(x):
        return None
    rng = np.random.default_rng(SEED)
    shares = []
    for _ in range(SPLITS):
        mixed = rng.permutation(len(x))
        halves = mixed[: len(x) // 2], mixed[len(x) // 2 :]
        one, other = split_by_halves(x, halves, k)
        shares.append(_agreeing(one, other, k))
    return Separation(float(silhouette_score(x, own)), float(np.mean(shares)))


def _agreeing(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], k: int) -> float:
    """The share of equal numbers, once the numbers of the one are matched to those of the other."""
    common = np.zeros((k, k), np.int64)
    np.add.at(common, (one, other), 1)
    # The best matching, row by row: the columns that are taken -> how many vectors agree at most.
    best = {0: 0}
    for row in common.tolist():
        after: dict[int, int] = {}
        for taken, agree in best.items():
            for column, count in enumerate(row):
                if not taken >> column & 1:
                    now = taken | 1 << column
                    after[now] = max(after.get(now, 0), agree + count)
        best = after
    return max(best.values()) / len(one)
