"""Maps of neighbours, t-SNE and UMAP, of the paths of a few words: all their points in one fit.

Both place points so that those which are near in the model are near on the map. Neither keeps distances
or directions between groups. Their libraries take seconds to import, so they are imported when asked
for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...deprecated import field
from ...errors import NotSupported
from ...records.trace import Array, Record
from .projection import points_of
from .trajectory import WordPath

SEED = 7
FEWEST = 7  # different points, more than the least perplexity
MOST_PERPLEXITY, MOST_NEIGHBOURS = 30.0, 15  # what the two libraries take where there are many points
LEAST_PERPLEXITY = 5.0
# scikit-learn's own steps are made for thousands of points; a few dozen they throw about, so that
# hardly a neighbour stays one (of 31 points in three dimensions: a trustworthiness of .57, now .99).
_GENTLE = {"learning_rate": 10.0, "early_exaggeration": 4.0}
_THREADS = 1
# (points, neighbours, components, seed) to the coordinates of the points.
Fit = Callable[[Array, int, int, int], Array]


@dataclass(frozen=True, eq=False)
class NeighbourMap(Record):
    """Paths on a map that keeps neighbours together.

    Attributes:
        coordinates: (paths, depths, components) float32, around a mean of 0; NaN where a depth has
            another width, as in `Projection`. Points that are one vector in the model coincide.
        near: how many neighbours of each point the map was asked to keep: t-SNE's perplexity, or
            UMAP's n_neighbors.
    """

    coordinates: Array
    near: float

    places = field("places", "coordinates")

    def __post_init__(self) -> None:
        self._freeze("coordinates")


def tsne(paths: Sequence[WordPath], components: int = 2) -> NeighbourMap:
    """t-SNE of every point of these paths (van der Maaten and Hinton 2008), by scikit-learn.

    It starts from the principal components; its perplexity is a sixth of the points, 5 to 30.

    Args:
        paths: from one model.
        components: 2 or 3.

    Raises:
        NotSupported: there are fewer than `FEWEST` different points.
        ValueError: see `points_of`.
    """
    return _map(paths, components, lambda points: tsne_of(points, components))


def umap(paths: Sequence[WordPath], components: int = 2, *, fit: Fit | None = None) -> NeighbourMap:
    """UMAP of every point of these paths (McInnes, Healy and Melville 2018), by umap-learn.

    It starts from the principal components and looks at up to 15 neighbours of each point. The first
    map of a process takes about a minute: the library is compiled then.

    Args:
        paths: from one model.
        components: 2 or 3.
        fit: what fits it: `umap_here`, in this process, or `UmapProcess.fit`, in one that is compiled.

    Raises:
        NotSupported: see `tsne`; or the library cannot be used on this computer.
        ValueError: see `points_of`.
    """
    return _map(paths, components, lambda points: umap_of(points, components, fit=fit))


def tsne_of(points: Array, components: int) -> tuple[Array, float]:
    """t-SNE of different points, (n, d) to (n, components), and the perplexity that it was given."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    near = min(MOST_PERPLEXITY, max(LEAST_PERPLEXITY, (len(points) - 1) / 6))
    same = {"init": "pca", "random_state": SEED, "n_jobs": _THREADS}
    fit = TSNE(components, perplexity=near, **same, **_GENTLE)
    with threadpool_limits(_THREADS):  # more threads than cores that are free spin and wait
        return fit.fit_transform(points), near


def umap_of(points: Array, components: int, *, fit: Fit | None = None) -> tuple[Array, float]:
    """UMAP of different points, (n, d) to (n, components), and the n_neighbors that it was given."""
    near = min(MOST_NEIGHBOURS, len(points) - 1)
    return (fit or umap_here)(points, near, components, SEED), float(near)


def umap_here(points: Array, near: int, components: int, seed: int) -> Array:
    """UMAP in this process: (n, d) float32 to (n, components) float32.

    Raises:
        NotSupported: the library cannot be used on this computer.
    """
    try:
        from umap import UMAP
    except (ImportError, OSError, RuntimeError) as error:  # RuntimeError: no folder for its code
        raise NotSupported(
            "UMAP cannot be used on this computer: the package umap-learn is not "
            "installed, or has no folder for its compiled code. Choose PCA or t-SNE."
        ) from error
    fit = UMAP(near, components, init="pca", random_state=seed, n_jobs=_THREADS)
    mapped: Array = fit.fit_transform(points)
    return mapped


def _map(
    paths: Sequence[WordPath], components: int, fitted: Callable[[Array], tuple[Array, float]]
) -> NeighbourMap:
    points, depths = points_of(paths)
    flat = points.reshape(-1, points.shape[-1]).astype(np.float32)
    # Each vector once: two points for one vector would be the map's doing, not the model's.
    different, which = np.unique(flat, axis=0, return_inverse=True)
    if len(different) < FEWEST:
        raise NotSupported(
            f"A map of neighbours needs at least {FEWEST} different points, and these words have "
            f"{len(different)}. Choose more words, or PCA."
        )
    mapped, near = fitted(different)
    placed = np.asarray(mapped, np.float64)[which.reshape(-1)].reshape(*points.shape[:2], components)
    placed -= placed.reshape(-1, components).mean(axis=0)
    coordinates = np.full((len(paths), len(depths), components), np.nan)
    coordinates[:, depths] = placed
    return NeighbourMap(coordinates, near)
