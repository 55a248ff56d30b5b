"""Clusters of a word's vectors, found without labels: k-means at every depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...records.trace import Array, Record
from .occurrences import Occurrences

LEAST, MOST = 2, 8  # clusters
FITTED = 1_000  # vectors to which the centroids are fitted; all are then assigned to the nearest one
SEED = 0
_BLOCK = 1_024  # rows whose vectors fit about into the cache of a core
TRIES = 3  # initialisations of k-means, of which the best counts


@dataclass(frozen=True, eq=False)
class Clusters(Record):
    """The cluster of each occurrence, at every depth.

    Attributes:
        of: (depths, occurrences) uint8, from 0. At neighbouring depths, the clusters that overlap most
            have the same number; at the last depth, cluster 0 is the largest.
        typical: (depths, k) int32, the occurrence nearest to the mean of each cluster; −1 if it is
            empty.
        k: the requested number of clusters.
    """

    of: Array
    typical: Array
    k: int

    def __post_init__(self) -> None:
        for name, dtype in (("of", np.uint8), ("typical", np.int32)):
            own = np.array(getattr(self, name), dtype)
            own.flags.writeable = False
            object.__setattr__(self, name, own)


@dataclass(frozen=True)
class Agreed:
    """How well clusters match labels: `counts[label][cluster]`, and the adjusted Rand index.

    The index is 1 for identical groups, and about 0 for random ones (Hubert and Arabie 1985).
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    index: float


def suggested(vectors: Array, most: int | None = None) -> int:
    """The number of clusters with the highest mean silhouette.

    A silhouette (Rousseeuw 1987) says how much nearer a vector is to its own cluster than to the next.
    The mean is over at most 1,000 vectors, drawn with a fixed seed.

    Args:
        vectors: (n, d).
        most: the largest number that may be suggested; None for `MOST`.

    Returns:
        2 to 8; 2 if there are too few different vectors.
    """
    from sklearn.metrics import silhouette_score

    x = _sample(vectors, FITTED)
    best, best_score = LEAST, -np.inf
    for k in range(LEAST, min(MOST if most is None else most, _different(x) - 1) + 1):
        of = _k_means(x, x, k)[0]
        score = float(silhouette_score(x, of)) if len(np.unique(of)) > 1 else -1.0
        if score > best_score + 1e-9:
            best, best_score = k, score
    return best


def clusters(occurrences: Occurrences, k: int) -> Clusters:
    """Group the vectors of each depth into k clusters, by k-means with a fixed seed.

    The centroids are fitted to at most 1,000 vectors. If there are fewer different vectors than k, as
    at the learned depth, there are only that many clusters.
    """
    groups, typical = [], []
    after: Array | None = None
    for x in reversed(occurrences.depths):
        fitted = _sample(x, FITTED)
        of, means = _k_means(fitted, x, min(k, _different(fitted)))
        if after is None:
            to = np.argsort(np.argsort(-np.bincount(of, minlength=k), kind="stable"))
        else:
            to = _overlapping(of, after, k)
        of = after = to[of]
        far = np.full(k, -1, np.int32)
        for number, mean in enumerate(means):
            members = np.flatnonzero(of == to[number])
            if members.size:
                far[to[number]] = members[np.argmin(((x[members] - mean) ** 2).sum(axis=1))]
        groups.append(of)
        typical.append(far)
    return Clusters(np.array(groups[::-1]), np.array(typical[::-1]), k)


def cluster(vectors: Array, k: int) -> tuple[npt.NDArray[np.int64], Array]:
    """Vectors of one depth in k clusters, the largest first; see `clusters`.

    Args:
        vectors: (n, d).
        k: the number of clusters; there are fewer if there are fewer different vectors.

    Returns:
        (n,) the cluster of each vector, from 0; and (n,) its distance from the mean of its cluster.
    """
    fitted = _sample(vectors, FITTED)
    of, _ = _k_means(fitted, vectors, min(k, _different(fitted)))
    of = np.argsort(np.argsort(-np.bincount(of), kind="stable"))[of]
    return of, from_means(vectors, of)


def split_by_halves(
    x: Array, halves: Sequence[npt.NDArray[np.int64]], k: int
) -> tuple[npt.NDArray[np.int64], ...]:
    """(n,) for each half of the rows of x: the cluster of every row, by clusters found in that half."""
    parts = [_k_means(x[half], x, min(k, _different(x[half])))[0] for half in halves]
    return tuple(part.astype(np.int64) for part in parts)


def sample(count: int, most: int) -> npt.NDArray[np.int64]:
    """All of so many rows, or `most` of them, drawn with a fixed seed, in their order."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(SEED).choice(count, most, replace=False))


def agreed(of: Array, labels: Sequence[str], k: int) -> Agreed:
    """The table of labels by cluster, the commonest label first, and the adjusted Rand index.

    Args:
        of: (occurrences,), the cluster of each occurrence.
        labels: the label of each occurrence; those without one ("") are left out.
        k: the number of clusters.
    """
    from sklearn.metrics import adjusted_rand_score

    both = Counter((label, int(one)) for label, one in zip(labels, of, strict=True) if label)
    names = tuple(name for name, _ in Counter(label for label in labels if label).most_common())
    counts = tuple(tuple(both[name, one] for one in range(k)) for name in names)
    labelled = [(label, int(one)) for label, one in zip(labels, of, strict=True) if label]
    index = adjusted_rand_score([a for a, _ in labelled], [b for _, b in labelled]) if labelled else 0.0
    return Agreed(names, counts, float(index))


def _k_means(fitted: Array, x: Array, k: int) -> tuple[Array, Array]:
    """The cluster of each row of x, by centroids fitted to `fitted`; and the centroids."""
    if k < 2:
        return np.zeros(len(x), np.int64), x[:1]
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # additional threads spin and wait on a busy machine
        model = KMeans(k, n_init=TRIES, random_state=SEED).fit(np.ascontiguousarray(fitted))
        of = model.predict(np.ascontiguousarray(x))
    return of.astype(np.int64), model.cluster_centers_


def from_means(x: Array, of: npt.NDArray[np.int64]) -> Array:
    """(n,) float32: the distance of each row from the mean of its cluster, block by block."""
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(x), _BLOCK)]
    numbers = np.arange(of.max() + 1)
    sums = np.zeros((len(numbers), x.shape[1]))
    for own in blocks:
        sums += (of[own] == numbers[:, None]).astype(x.dtype) @ x[own]
    means = (sums / np.bincount(of)[:, None]).astype(x.dtype)
    distances = np.empty(len(x), np.float32)
    for own in blocks:
        away = x[own] - means[of[own]]
        distances[own] = np.sqrt(np.vecdot(away, away))
    return distances


def _different(x: Array) -> int:
    """The number of different vectors, up to 9; differences by rounding do not count."""
    least = 1e-5 * max(1.0, float(np.abs(x).max()))
    far, count = np.abs(x - x[0]).max(axis=1), 1
    while count <= MOST and far.max() > least:
        far = np.minimum(far, np.abs(x - x[np.argmax(far)]).max(axis=1))
        count += 1
    return count


def _sample(x: Array, most: int) -> Array:
    return x if len(x) <= most else x[sample(len(x), most)]


def _overlapping(of: Array, after: Array, k: int) -> Array:
    """New numbers for clusters, (k,): each gets the number of the cluster that it overlaps most."""
    common = np.zeros((k, k))
    np.add.at(common, (of, after), 1)
    matched = np.zeros(k, np.int64)
    for _ in range(k):
        own, other = np.unravel_index(np.argmax(common), common.shape)
        matched[own] = other
        common[own], common[:, other] = -1, -1
    return matched
