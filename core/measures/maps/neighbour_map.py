"""Neighbour maps, t-SNE and UMAP, of the paths of a few words: all their points in one fit.

Both place points so that neighbours in the model are neighbours on the map. Neither preserves distances
or directions between groups. The libraries take seconds to import, and are imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from ...errors import NotSupported
from ...localization import _
from ...records.trace import Array, Record
from .projection import points_of
from .trajectory import WordPath

SEED = 7
FEWEST = 7  # different points, more than the smallest perplexity
MOST_PERPLEXITY, MOST_NEIGHBOURS = 30.0, 15  # the defaults of the two libraries for many points
LEAST_PERPLEXITY = 5.0
# UMAP's neighbours of a point, itself included, are fewer than half of the points.
FEWEST_FOR_UMAP = 2 * MOST_NEIGHBOURS + 1
# scikit-learn's own step sizes are made for thousands of points; a few dozen are scattered so far that
# hardly any neighbours remain (for 31 points in three dimensions: a trustworthiness of .57, now .99).
_GENTLE = {"learning_rate": 10.0, "early_exaggeration": 4.0}
_THREADS = 1
# (points, neighbours, components, seed) -> the coordinates of the points
Fit = Callable[[Array, int, int, int], Array]


@dataclass(frozen=True, eq=False)
class NeighbourMap(Record):
    """Paths on a map that preserves neighbourhoods.

    Attributes:
        coordinates: (paths, depths, components) float32, with mean 0; NaN for a depth of another width,
            as in `Projection`. Identical vectors coincide.
        near: the number of neighbours of each point that the map tries to preserve: t-SNE's perplexity,
            or UMAP's n_neighbors.
    """

    coordinates: Array
    near: float

    def __post_init__(self) -> None:
        self._freeze("coordinates")


def tsne(paths: Sequence[WordPath], components: int = 2) -> NeighbourMap:
    """t-SNE of every point of these paths (van der Maaten and Hinton 2008), by scikit-learn.

    It starts from the principal components; its perplexity is a sixth of the number of points, from 5
    to 30.

    Args:
        paths: the paths, all from one model.
        components: 2 or 3.

    Raises:
        NotSupported: if there are fewer than `FEWEST` different points.
        ValueError: see `points_of`.
    """
    return _map(paths, components, lambda points: tsne_of(points, components))


def umap(paths: Sequence[WordPath], components: int = 2, *, fit: Fit | None = None) -> NeighbourMap:
    """UMAP of every point of these paths (McInnes, Healy and Melville 2018), by umap-learn.

    It starts from the principal components and considers up to 15 neighbours of each point. The first
    map in a process takes about a minute, because it compiles the library.

    Args:
        paths: the paths, all from one model.
        components: 2 or 3.
        fit: the function that fits it: `umap_here` in this process, or `UmapProcess.fit` in a warmed-up
            one.

    Raises:
        NotSupported: see `tsne`; or if the library cannot be used on this computer.
        ValueError: see `points_of`.
    """
    return _map(paths, components, lambda points: umap_of(points, components, fit=fit))


def different_points(paths: Sequence[WordPath]) -> int:
    """How many different points these paths have: words after a layer, equal vectors counted once.

    Raises:
        ValueError: see `points_of`.
    """
    points, _ = points_of(paths)
    return len(np.unique(points.reshape(-1, points.shape[-1]).astype(np.float32), axis=0))


def require_neighbours(paths: Sequence[WordPath]) -> None:
    """Refuse UMAP of so few points that each would count most others among its neighbours.

    Raises:
        NotSupported: there are fewer than `FEWEST_FOR_UMAP` different points; the message says what to
            choose instead.
        ValueError: see `points_of`.
    """
    count = different_points(paths)
    if count < FEWEST_FOR_UMAP:
        raise NotSupported(
            _(
                "UMAP keeps the {near} nearest neighbours of each point together; a point is a word "
                "after a layer. These words have {count} different points, too few for neighbours to "
                "be few: the map would be a tangle. Choose more words, until there are {enough} "
                "points, or PCA or t-SNE."
            ).format(near=MOST_NEIGHBOURS, count=count, enough=FEWEST_FOR_UMAP)
        )


def tsne_of(points: Array, components: int) -> tuple[Array, float]:
    """t-SNE of different points, (n, d) -> (n, components), and the perplexity used."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    near = min(MOST_PERPLEXITY, max(LEAST_PERPLEXITY, (len(points) - 1) / 6))
    same = {"init": "pca", "random_state": SEED, "n_jobs": _THREADS}
    fit = TSNE(components, perplexity=near, **same, **_GENTLE)
    with threadpool_limits(_THREADS):  # more threads than free cores spin and wait
        return fit.fit_transform(points), near


def umap_of(points: Array, components: int, *, fit: Fit | None = None) -> tuple[Array, float]:
    """UMAP of different points, (n, d) -> (n, components), and the n_neighbors used."""
    near = min(MOST_NEIGHBOURS, len(points) - 1)
    return (fit or umap_here)(points, near, components, SEED), float(near)


def has_umap() -> bool:
    """Whether the library is installed; a plain `pip install polysee` leaves it out."""
    return find_spec("umap") is not None


def require_umap() -> None:
    """Refuse UMAP where its library is not installed.

    Raises:
        NotSupported: it is not installed; the message says how to install it.
    """
    if not has_umap():
        raise NotSupported(
            _(
                "UMAP is not installed here. Install it with `{command}`, or choose PCA or t-SNE."
            ).format(command='pip install "polysee[maps]"')
        )


def umap_here(points: Array, near: int, components: int, seed: int) -> Array:
    """UMAP in this process: (n, d) float32 -> (n, components) float32.

    Raises:
        NotSupported: if the library is not installed, or cannot be used on this computer.
    """
    require_umap()
    try:
        from umap import UMAP
    # RuntimeError: no folder for its compiled code
    except (ImportError, OSError, RuntimeError) as error:
        raise NotSupported(
            _(
                "UMAP cannot be used on this computer: its library cannot be loaded, or has no folder "
                "for its compiled code. Choose PCA or t-SNE."
            )
        ) from error
    fit = UMAP(near, components, init="pca", random_state=seed, n_jobs=_THREADS)
    mapped: Array = fit.fit_transform(points)
    return mapped


def _map(
    paths: Sequence[WordPath], components: int, fitted: Callable[[Array], tuple[Array, float]]
) -> NeighbourMap:
    points, depths = points_of(paths)
    flat = points.reshape(-1, points.shape[-1]).astype(np.float32)
    # Each vector once: if one vector had two points, their distance would be an artefact of the map.
    different, which = np.unique(flat, axis=0, return_inverse=True)
    if len(different) < FEWEST:
        raise NotSupported(
            _(
                "A map of neighbours needs at least {least} different points, and these words have "
                "{count}. Choose more words, or PCA."
            ).format(least=FEWEST, count=len(different))
        )
    mapped, near = fitted(different)
    placed = np.asarray(mapped, np.float64)[which.reshape(-1)].reshape(*points.shape[:2], components)
    placed -= placed.reshape(-1, components).mean(axis=0)
    coordinates = np.full((len(paths), len(depths), components), np.nan)
    coordinates[:, depths] = placed
    return NeighbourMap(coordinates, near)
