"""The vectors of a word, kept for all visitors: a bounded number of bytes, sentence by sentence.

What was asked last stays; a question about a word takes every sentence that is kept from there, so that
changing one sentence asks the model for one. Everything is held once, as float32: of 10,000 sentences
in MiniLM 108 MB, in BERT base 400 MB.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from threading import Lock, RLock
from typing import Any, NamedTuple, TypeVar

import cachetools

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
from core.records.trace import Array
from ui.models.map_queue import FITTING, UMAP
from ui.models.sentence_files import Sentence, read
from ui.models.work_queue import waiting_room

__all__ = ["CACHE_BYTES", "CachedOccurrences", "LabelAccuracy", "OccurrenceQuery", "Sentence", "read"]

CACHE_BYTES = 420 * 10**6  # of all questions together, those that are being answered included
_DERIVED = 14  # maps, pictures and so on of one question
T = TypeVar("T")


class OccurrenceQuery(NamedTuple):
    """A question: all that the vectors depend on."""

    model: str
    word: str
    texts: tuple[str, ...]


class LabelAccuracy(NamedTuple):
    """How often labels are told, and what guessing gives.

    Attributes:
        right: (depths,), 0 to 1.
        labels: which there are, the commonest first.
        n_occurrences: of how many occurrences.
        chance: what a guess among the labels gives.
        commonest: what always saying the commonest gives.
        alone: how many occurrences were left out, without a label or the only one with theirs.
    """

    right: Array
    labels: tuple[str, ...]
    n_occurrences: int
    chance: float
    commonest: float
    alone: int


class CachedOccurrences:
    """The vectors of a question, and what was worked out of them, once for all who ask.

    Attributes:
        asked: the question.
        found: the vectors.
        rows: sentence -> its occurrences among them.
    """

    def __init__(
        self, query: OccurrenceQuery, occurrences: Occurrences, rows: Mapping[str, slice]
    ) -> None:
        self.query, self.occurrences, self.rows = query, occurrences, rows
        self._derived: cachetools.LRUCache[Hashable, Any] = cachetools.LRUCache(_DERIVED)
        self._lock = RLock()

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, which is kept under this name."""
        with self._lock:
            if key not in self._derived:
                self._derived[key] = make()
            made: T = self._derived[key]
            return made

    def maps(self, components: int = 2) -> tuple[Array, Array]:
        """As `occurrences.maps`. Raises as that."""
        return self.once(("maps", components), lambda: maps(self.occurrences, components))

    def coordinates(self, how: str, components: int = 2) -> Array:
        """(occurrences, depths, components): where all lie on a map by "pca", "umap" or "tsne".

        Raises:
            NotSupported: as `occurrences.maps` and `occurrences.neighbour_maps`.
        """
        if how == "pca":
            return self.maps(components)[0]
        return self.once(("coordinates", how, components), lambda: self._fitted(how, components))

    def _fitted(self, how: str, components: int) -> Array:
        def fit(points: Array) -> Array:
            umap = how == "umap"
            made = umap_of(points, components, fit=UMAP.fit) if umap else tsne_of(points, components)
            return made[0]

        with waiting_room(FITTING, "A map"):
            return neighbour_maps(self.occurrences, fit, components)

    def clusters(self, k: int) -> Clusters:
        """At every depth, k of them; with 0 as many as the last layer falls into."""
        if not k:
            k = self.once("suggested", lambda: suggested(self.occurrences.depths[-1]))
        return self.once(("clusters", k), lambda: clusters(self.occurrences, k))

    def agreed(self, k: int, depth: int, labels: tuple[str, ...]) -> Agreed:
        """How the clusters of one depth fit the labels of the occurrences."""
        of = self.clusters(k)
        return self.once(("agreed", of.k, depth, labels), lambda: agreed(of.of[depth], labels, of.k))

    def label_accuracy(self, labels: tuple[str, ...]) -> LabelAccuracy | None:
        """How often each label is told; None where there are no two labels of two occurrences each."""
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
        return LabelAccuracy(right, tuple(names), len(used), 1 / len(names), commonest, left)


_all: OrderedDict[OccurrenceQuery, CachedOccurrences] = OrderedDict()
_reserved = {"bytes": 0}  # by questions that are being answered
_lock = Lock()


def get(query: OccurrenceQuery) -> CachedOccurrences | None:
    """The answer to this question, if it is still there."""
    with _lock:
        if query in _all:
            _all.move_to_end(query)
        return _all.get(query)


def put(made: CachedOccurrences) -> None:
    """Keep it; what was asked longest ago goes."""
    with _lock:
        _all[made.query] = made
        _make_room(made.query)


def reserve(count: int) -> bool:
    """Make room for so many bytes that are about to be filled; False where others fill them now."""
    with _lock:
        if _reserved["bytes"] + count > CACHE_BYTES:
            return False
        _reserved["bytes"] += count
        _make_room(None)
        return True


def release(count: int) -> None:
    """They are filled, or were given up."""
    with _lock:
        _reserved["bytes"] -= count


def _make_room(but: OccurrenceQuery | None) -> None:
    size = _reserved["bytes"] + sum(one.occurrences.nbytes for one in _all.values())
    for query in list(_all):
        if size <= CACHE_BYTES:
            return
        if query != but:
            size -= _all.pop(query).occurrences.nbytes


def others(model: str, word: str) -> list[CachedOccurrences]:
    """All answers about this word, the newest first, whatever their sentences."""
    with _lock:
        return [one for one in reversed(_all.values()) if one.query[:2] == (model, word)]


def forget() -> None:
    """Let go of all, as a new server would begin."""
    with _lock:
        _all.clear()
