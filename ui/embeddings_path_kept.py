"""The ways of the words that the page of embeddings follows: computed once and kept."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Condition
from typing import NamedTuple

import cachetools

from core.figures.word_ways import Frame
from core.measures import NeighbourMap, Projection, WordPath, across, pca, plane, tsne, umap
from core.trace import Array
from ui import answers, shelf
from ui.comparison import Chosen
from ui.line import Line, waiting_room
from ui.senses import Groups

KEPT_BYTES = 8 * 10**6  # eight words of twelve layers in three dimensions are 1.3 kB
LEAST_BYTES = 4_000  # what a kept map takes besides its numbers, its question included
FEW = 3  # anchor words, to which alone a direction across the axis can be fitted
_fitting = Line(1)  # each takes a core, and the first UMAP is compiled


class Asked(NamedTuple):
    """All that these ways depend on: strings and numbers."""

    model: str
    words: tuple[Chosen, ...]


@dataclass(frozen=True, eq=False)
class Framed:
    """The ways between two senses.

    Attributes:
        places: of each word, (depths, 2), as `core.measures.plane` gives them.
        among: the anchor words around them.
        few: whether there were too few anchor words to fit the direction across to them alone.
    """

    places: tuple[Array, ...]
    among: Frame
    few: bool


def paths(asked: Asked) -> tuple[WordPath, ...]:
    """The path of each word. Raises as `answers.path`."""
    return tuple(answers.path(asked.model, *chosen) for chosen in asked.words)


def framed(asked: Asked, groups: Groups) -> Framed:
    """The ways between two groups of anchor words.

    Raises:
        PolyseeError: as `answers.path`, `answers.axis` and `core.measures.across`.
    """
    low, high = groups
    axis = answers.axis(asked.model, low.words, high.words)
    anchors = [
        dict(zip(group.words, answers.anchors(asked.model, group.words), strict=True))
        for group in groups
    ]
    fitted, own = [path for group in anchors for path in group.values()], paths(asked)
    few = len(fitted) < FEW
    up = across(axis, [*fitted, *own] if few else fitted)
    lows, highs = ({w: plane(axis, up, path) for w, path in group.items()} for group in anchors)
    among = Frame(lows, highs, (low.name, high.name), up.share)
    return Framed(tuple(plane(axis, up, path) for path in own), among, few)


def mapped(asked: Asked, how: str, components: int) -> Projection | NeighbourMap:
    """The ways on a map of all their points.

    Args:
        asked: which words.
        how: "pca", "umap" or "tsne".
        components: 2 or 3; of PCA there are always 3, of which 2 may be shown.

    Raises:
        PolyseeError: as `answers.path`; NotSupported: as the maps of `core.measures`.
    """
    shelf.model(asked.model)
    return _mapped(asked, how, 3 if how == "pca" else components)


def _size(found: Projection | NeighbourMap) -> int:
    return found.nbytes + LEAST_BYTES


@cachetools.cached(cachetools.LRUCache(KEPT_BYTES, getsizeof=_size), condition=Condition())
def _mapped(asked: Asked, how: str, components: int) -> Projection | NeighbourMap:
    found = paths(asked)
    if how == "pca":
        return pca(found, components)
    with waiting_room(_fitting, "A map"):
        return (umap if how == "umap" else tsne)(found, components)
