"""The vectors of a word, cached for all visitors by sentence (`core.memory`).

A query reuses every cached sentence, so that changing one sentence
runs the model for only that one. All vectors are held once, as float32: 10,000 sentences take 108 MB in
MiniLM, 400 MB in BERT base.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from core.localization import _
from core.measures.maps.neighbour_map import tsne_of, umap_of
from core.measures.senses.clusters import Agreed, Clusters, agreed, clusters, suggested
from core.measures.senses.occurrences import (
    Occurrences,
    maps,
    nearest_centroid_accuracy,
    neighbour_maps,
    scorable,
    some,
)
from core.measures.senses.shares import wilson
from core.memory import BUDGET, Cache, nbytes
from core.records.trace import Array
from ui.models.derived import Results
from ui.models.map_queue import FITTING, UMAP
from ui.models.work_queue import waiting_room

__all__ = ["CachedOccurrences", "LabelAccuracy", "OccurrenceQuery"]

_BESIDE = 1.1  # times its vectors: what a query takes with its sentences, or less
T = TypeVar("T")


class OccurrenceQuery(NamedTuple):
    """A query: everything that the vectors depend on."""

    model: str
    word: str
    texts: tuple[str, ...]


class LabelAccuracy(NamedTuple):
    """The nearest-centroid accuracy of labels, and the accuracy of guessing.

    Attributes:
        right: (depths,), 0 to 1.
        labels: the labels, the commonest first.
        n_occurrences: the number of occurrences.
        chance: the accuracy of a random guess among the labels.
        commonest: the accuracy of always answering with the commonest.
        alone: how many occurrences were left out, because they have no label or are the only one with
            theirs.
        low: (depths,), where the 95 % interval of each accuracy begins (Wilson 1927).
        high: (depths,), where it ends.
    """

    right: Array
    labels: tuple[str, ...]
    n_occurrences: int
    chance: float
    commonest: float
    alone: int
    low: Array
    high: Array


class CachedOccurrences:
    """The vectors of a query, and results derived from them, each computed once for all visitors.

    Attributes:
        asked: the query.
        found: the vectors.
        rows: sentence -> the rows of its occurrences.
    """

    def __init__(
        self, query: OccurrenceQuery, occurrences: Occurrences, rows: Mapping[str, slice]
    ) -> None:
        self.query, self.occurrences, self.rows = query, occurrences, rows
        self._results = Results()

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, cached under this key."""
        return self._results.once(key, make)

    def maps(self, components: int = 2) -> tuple[Array, Array]:
        """See `occurrences.maps`. Raises the same errors."""
        return self.once(("maps", components), lambda: maps(self.occurrences, components))

    def coordinates(self, how: str, components: int = 2) -> Array:
        """(occurrences, depths, components): the coordinates on a map by "pca", "umap" or "tsne".

        Raises:
            NotSupported: see `occurrences.maps` and `occurrences.neighbour_maps`.
        """
        if how == "pca":
            return self.maps(components)[0]
        return self.once(("coordinates", how, components), lambda: self._fitted(how, components))

    def _fitted(self, how: str, components: int) -> Array:
        def fit(points: Array) -> Array:
            umap = how == "umap"
            made = umap_of(points, components, fit=UMAP.fit) if umap else tsne_of(points, components)
            return made[0]

        with waiting_room(FITTING, _("A map")):
            return neighbour_maps(self.occurrences, fit, components)

    def clusters(self, k: int) -> Clusters:
        """The clusters at every depth, k of them; with 0, as many as the last layer suggests."""
        if not k:
            k = self.once("suggested", lambda: suggested(self.occurrences.depths[-1]))
        return self.once(("clusters", k), lambda: clusters(self.occurrences, k))

    def agreed(self, k: int, depth: int, labels: tuple[str, ...]) -> Agreed:
        """How well the clusters of one depth match the labels of the occurrences."""
        of = self.clusters(k)
        return self.once(("agreed", of.k, depth, labels), lambda: agreed(of.of[depth], labels, of.k))

    def label_accuracy(self, labels: tuple[str, ...]) -> LabelAccuracy | None:
        """The nearest-centroid accuracy; None without two labels of two occurrences each."""
        return self.once(("label accuracy", labels), lambda: self._label_accuracy(labels))

    def _label_accuracy(self, labels: Sequence[str]) -> LabelAccuracy | None:
        which = scorable(labels)
        if which is None:
            return None
        used = [label for label, taken in zip(labels, which, strict=True) if taken]
        names = sorted(dict.fromkeys(used), key=lambda name: -used.count(name))
        right = nearest_centroid_accuracy(some(self.occurrences, which), used)
        commonest = used.count(names[0]) / len(used)
        left = len(labels) - len(used)
        count = len(used)
        low, high = np.array([wilson(float(one) * count, count) for one in right], np.float32).T
        return LabelAccuracy(right, tuple(names), count, 1 / len(names), commonest, left, low, high)


def _weigh(made: CachedOccurrences) -> int:
    return nbytes((made.occurrences, made.rows))


_all: Cache[OccurrenceQuery, CachedOccurrences] = Cache(_weigh)


def get(query: OccurrenceQuery) -> CachedOccurrences | None:
    """The cached result of this query, if any."""
    return _all.get(query)


def put(made: CachedOccurrences) -> None:
    """Cache a result.

    Raises:
        ValueError: it is larger than the whole budget.
    """
    _all[made.query] = made


def most_bytes() -> int:
    """The bytes that the vectors of one query may take."""
    return int(BUDGET.limit / _BESIDE)


def reserve(count: int) -> bool:
    """Reserve room for so many bytes; False if other queries in progress occupy it."""
    return BUDGET.reserve(count)


def release(count: int) -> None:
    """Release reserved bytes, because they are filled, or were given up."""
    BUDGET.release(count)


def others(model: str, word: str) -> list[CachedOccurrences]:
    """All cached results for this word, the newest first, whatever their sentences."""
    alike = [query for query in _all if query[:2] == (model, word)]
    found = [_all.peek(query) for query in reversed(alike)]
    return [one for one in found if one is not None]


def forget() -> None:
    """Empty the cache, as in a new server."""
    _all.clear()
