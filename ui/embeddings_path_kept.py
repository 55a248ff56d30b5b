"""The ways of the words that the page of embeddings follows: computed once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Condition
from typing import NamedTuple

import cachetools

from core.errors import NotSupported, WordNotFound
from core.examples import known_word
from core.figures.word_ways import Frame
from core.inflections import same_word
from core.measures import NeighbourMap, Projection, WordPath, across, pca, plane, tsne, umap
from core.sense_axis import SenseAxis
from core.settings import AnchorGroup
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


class Without(NamedTuple):
    """A word that has no axis between the two senses, and why, in a sentence."""

    word: str
    why: str


@dataclass(frozen=True, eq=False)
class Framed:
    """The ways between two senses, each word on the axis of its own contexts.

    Attributes:
        words: which of the chosen words have an axis, by their place among them.
        places: of each of these, (layers, 2), as `core.measures.plane` gives them.
        beside: the word that `among` is of.
        among: that word beside the anchors, on its own axis.
        few: whether there were too few anchors to fit the direction across to them alone.
        ends: the words that are anchors themselves: each is left out of the ends of its own axis.
        without: the words that have none.
        unknown: whether the model does not know a piece of what the axes are made of.
    """

    words: tuple[int, ...]
    places: tuple[Array, ...]
    beside: str
    among: Frame
    few: bool
    ends: tuple[str, ...]
    without: tuple[Without, ...]
    unknown: bool


def paths(asked: Asked) -> tuple[WordPath, ...]:
    """The path of each word. Raises as `answers.path`."""
    return tuple(answers.path(asked.model, *chosen) for chosen in asked.words)


def framed(asked: Asked, groups: Groups) -> Framed:
    """The ways between two groups of anchor words.

    Raises:
        PolyseeError: as `answers.path`, `answers.beside` and `core.measures.across`, and as
            `answers.axis` where no word has an axis.
    """
    low, high = groups
    axes, without = _axes(asked, groups)
    words = tuple(i for i, one in enumerate(asked.words) if one.word in axes)
    of = [axes[asked.words[i].word] for i in words]
    own = [path.hidden for path in paths(asked)]
    own = [own[i] for i in words]
    first = _beside([*axes], groups)
    ends = axes[first].frames.low, axes[first].frames.high
    beside = [answers.beside(asked.model, first, end.words) for end in ends]
    fitted = [at for end in beside for at in end.values()]
    few = len(fitted) < FEW
    up = across([*axes.values()], [*fitted, *own] if few else fitted)
    lows, highs = ({anchor: plane(axes[first], up, at) for anchor, at in e.items()} for e in beside)
    among = Frame(lows, highs, (low.name, high.name), up.share)
    return Framed(
        words,
        tuple(plane(axis, up, at) for axis, at in zip(of, own, strict=True)),
        first,
        among,
        few,
        tuple(word for word in axes if any(_is_end(word, group) for group in groups)),
        without,
        any(axis.frames.unknown for axis in axes.values()),
    )


def _axes(asked: Asked, groups: Groups) -> tuple[dict[str, SenseAxis], tuple[Without, ...]]:
    """Of each different word its axis, made of its own contexts; and the words that have none.

    Raises:
        PolyseeError: as `core.load`.
        NotSupported: no word has one; the message is that of the first.
    """
    low, high = groups
    found: dict[str, SenseAxis] = {}
    without: list[Without] = []
    for word in dict.fromkeys(one.word for one in asked.words):
        try:
            found[word] = answers.axis(asked.model, word, low.words, high.words)
        except (NotSupported, WordNotFound) as error:  # of this word: another may have one
            alone = any(all(same_word(word, anchor) for anchor in group.words) for group in groups)
            why = f"One of the two ends is “{word[:40]}” and nothing else." if alone else str(error)
            without.append(Without(word, why))
    if not found:
        raise NotSupported(without[0].why)
    return found, tuple(without)


def _is_end(word: str, group: AnchorGroup) -> bool:
    return any(same_word(word, anchor) for anchor in group.words)


def _beside(words: Sequence[str], groups: Groups) -> str:
    """Which word is shown beside the anchors: one whose senses we know, else one that is no end."""
    known = [word for word in words if known_word(word)]
    for word in [*known, *words]:
        if not any(_is_end(word, group) for group in groups):
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
