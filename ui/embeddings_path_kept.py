"""The ways of the words that the page of embeddings follows: computed once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition
from typing import NamedTuple

import cachetools

from core.examples import known_word
from core.figures.word_ways import Frame
from core.inflections import same_word
from core.measures import NeighbourMap, Projection, WordPath, across, pca, plane, tsne, umap
from core.trace import Array
from ui import answers, shelf
from ui.chosen import Chosen
from ui.line import waiting_room
from ui.maps import FITTING, UMAP
from ui.senses import Groups

KEPT_BYTES = 8 * 10**6  # eight words of twelve layers in three dimensions are 1.3 kB
LEAST_BYTES = 4_000  # what a kept map takes besides its numbers, its question included
FEW = 3  # anchor words, to which alone a direction across the axis can be fitted


class Asked(NamedTuple):
    """All that these ways depend on: strings and numbers."""

    model: str
    words: tuple[Chosen, ...]


@dataclass(frozen=True, eq=False)
class Framed:
    """The ways between two senses.

    Attributes:
        word: whose axis it is; the other words stand on it as they do.
        places: of each word, (layers, 2), as `core.measures.plane` gives them.
        among: that word beside the anchors.
        few: whether there were too few anchors to fit the direction across to them alone.
    """

    word: str
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
    word = _measured([one.word for one in asked.words], groups)
    axis = answers.axis(asked.model, word, low.words, high.words)
    own = [path.hidden for path in paths(asked)]
    beside = [
        answers.beside(asked.model, word, end.words) for end in (axis.frames.low, axis.frames.high)
    ]
    fitted = [at for end in beside for at in end.values()]
    few = len(fitted) < FEW
    up = across(axis, [*fitted, *own] if few else fitted)
    lows, highs = ({anchor: plane(axis, up, at) for anchor, at in end.items()} for end in beside)
    among = Frame(lows, highs, (low.name, high.name), up.share)
    return Framed(word, tuple(plane(axis, up, at) for at in own), among, few)


def _measured(words: Sequence[str], groups: Groups) -> str:
    """Whose axis it is: of a word whose senses we know, else the first that is not an end by itself."""
    known = [word for word in words if known_word(word)]
    for word in [*known, *words]:
        if all(any(not same_word(word, anchor) for anchor in end.words) for end in groups):
            return word
    return words[0]


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
    with waiting_room(FITTING, "A map"):
        return umap(found, components, fit=UMAP.fit) if how == "umap" else tsne(found, components)
