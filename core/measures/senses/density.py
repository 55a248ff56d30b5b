"""Dense clusters of a word's vectors (HDBSCAN): as many as there are, and lines that belong to none.

k-means gives every line a cluster, and as many clusters as one asks for. HDBSCAN (Campello, Moulavi and
Sander 2013) looks for regions in which lines lie close together, down to several densities, finds their
number, and leaves out what lies between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...records.trace import Array
from .clusters import SEED, from_means, sample

NONE = -1  # the cluster of a vector that belongs to none
LEAST = 5  # vectors of a cluster
SHARE = 0.04  # of all vectors that a cluster has at least
# Distances between vectors of hundreds of coordinates hardly differ; in their first principal
# components they do (the usual advice for HDBSCAN: fewer than 50).
COMPONENTS = 8
MOST_FITTED = 3_000  # vectors; of more, the others join the cluster of the nearest of these
DRAWS, DRAWN = 5, 0.8  # for the stability: how many samples, and the share of the vectors in each


@dataclass(frozen=True, eq=False)
class Dense:
    """Dense clusters of n vectors.

    Attributes:
        of: (n,) int64, the cluster of each, the largest first from 0; `NONE` for none.
        distance: (n,) float32, the Euclidean distance from the mean of its cluster; of those in none,
            from the mean of all of them.
        count: how many clusters there are.
        stability: the mean adjusted Rand index (Hubert and Arabie 1985) between these clusters and
            those found anew in a random 80 % of the vectors: 1 if they are the same, about 0 if they
            have nothing to do with each other. "None" counts as a cluster. None if there is no cluster.
        counts: how many clusters each of these samples has.
    """

    of: npt.NDArray[np.int64]
    distance: Array
    count: int
    stability: float | None
    counts: tuple[int, ...]


def dense(vectors: Array) -> Dense:
    """Dense clusters, by HDBSCAN of scikit-learn on the first principal components.

    A cluster has at least `LEAST` vectors, and at least `SHARE` of all. One cluster that holds all is
    not looked for: a word with one sense has no cluster.

    Args:
        vectors: (n, d), each once: copies of one sentence would be a dense region.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # additional threads spin and wait on a busy machine
        return _dense(vectors)


def _dense(vectors: Array) -> Dense:
    fitted = sample(len(vectors), MOST_FITTED)
    x = _components(vectors[fitted])
    of = np.full(len(vectors), NONE, np.int64)
    own = _found(x)
    of[fitted] = own
    rest = np.setdiff1d(np.arange(len(vectors)), fitted, assume_unique=True)
    if len(rest):
        of[rest] = own[_nearest(vectors[fitted], vectors[rest])]
    of = _largest_first(of)
    counts, indices = [], []
    rng = np.random.default_rng(SEED)
    for _ in range(DRAWS if of.max(initial=NONE) > NONE else 0):
        drawn = np.sort(rng.choice(len(x), max(2, round(DRAWN * len(x))), replace=False))
        again = _found(_components(vectors[fitted[drawn]]))
        counts.append(int(again.max(initial=NONE)) + 1)
        indices.append(_adjusted_rand(of[fitted[drawn]], again))
    stability = float(np.mean(indices)) if indices else None
    shifted = np.where(of == NONE, of.max(initial=NONE) + 1, of)
    return Dense(
        of, _distance(vectors, shifted), int(of.max(initial=NONE)) + 1, stability, tuple(counts)
    )


def _distance(vectors: Array, of: npt.NDArray[np.int64]) -> Array:
    """(n,) the distance of each from the mean of its group; groups may leave numbers out."""
    _, numbers = np.unique(of, return_inverse=True)
    return from_means(vectors, numbers.astype(np.int64))


def _components(vectors: Array) -> Array:
    """(n, c) float64: the first principal components."""
    x: Array = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    if min(x.shape) <= COMPONENTS:
        return x
    _, _, directions = np.linalg.svd(x[sample(len(x), 1_000)], full_matrices=False)
    projected: Array = x @ directions[:COMPONENTS].T
    return projected


def _found(x: Array) -> npt.NDArray[np.int64]:
    """(n,) the cluster of each row, `NONE` for none."""
    least = max(LEAST, round(SHARE * len(x)))
    if len(x) < 2 * least:
        return np.full(len(x), NONE, np.int64)
    from sklearn.cluster import HDBSCAN

    model = HDBSCAN(min_cluster_size=least, min_samples=LEAST, n_jobs=1, copy=True)
    found: npt.NDArray[np.int64] = model.fit_predict(x).astype(np.int64)
    return found


def _nearest(to: Array, vectors: Array) -> npt.NDArray[np.int64]:
    """(n,) for each vector, the nearest one of others."""
    lengths = np.einsum("nd,nd->n", to, to)
    step = 1_024
    parts = [
        np.argmin(lengths - 2 * vectors[start : start + step] @ to.T, axis=1)
        for start in range(0, len(vectors), step)
    ]
    return np.concatenate(parts)


def _largest_first(of: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    if of.max(initial=NONE) == NONE:
        return of
    sizes = np.bincount(of[of != NONE])
    number = np.argsort(np.argsort(-sizes, kind="stable"))
    return np.where(of == NONE, NONE, number[of])


def _adjusted_rand(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> float:
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(one, other))
