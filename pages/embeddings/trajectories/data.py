"""The trajectories on the Embeddings page: computed once and cached."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.comparison import Chosen
from core.comparison.alone import by_itself
from core.errors import NotSupported, WordNotFound
from core.examples import known_word
from core.figures.trajectories.trails import Frame
from core.localization import _
from core.measures import NeighbourMap, Projection, WordPath, across, pca, plane, tsne, umap
from core.measures.maps.neighbour_map import different_points, require_neighbours
from core.measures.senses.move import Across
from core.measures.senses.verdict import Ends, kind_of
from core.memory import cached
from core.records.comparison import AnchorGroup
from core.records.contributions import beginning
from core.records.inflections import same_word
from core.records.sense_axis import SenseAxis
from core.records.spelling import Spelling
from core.records.trace import Array
from pages.embeddings.anchor_groups import Groups
from ui.models import answers, calibrations, model_cache
from ui.models.map_queue import FITTING, UMAP
from ui.models.work_queue import waiting_room

FEW = 3  # with so few anchor words, a direction across the axis cannot be fitted to them alone


class Clear(NamedTuple):
    """How far from the middle words must be for their sides to be named: the bounds of Compare.

    Attributes:
        one: occurrences on the same side.
        two: occurrences on opposite sides.
    """

    one: float
    two: float

    @property
    def alone(self) -> float:
        """For a single occurrence, which Compare does not judge: the stricter of those ever reached."""
        return max(filter(math.isfinite, self), default=math.inf)


UNMEASURED = Clear(0.2, 0.2)  # of a model whose verdicts were not measured


class TrajectoryQuery(NamedTuple):
    """Everything that these trajectories depend on, as strings and numbers."""

    model: str
    words: tuple[Chosen, ...]


class Without(NamedTuple):
    """A word without an axis between the two senses, and the reason in a sentence."""

    word: str
    why: str


@dataclass(frozen=True, eq=False)
class Framed:
    """Trajectories between two senses, each word on the axis from its own contexts and ends.

    Attributes:
        words: the indices of the chosen words that have an axis.
        coordinates: (layers, 2) for each of these, from `core.measures.plane`.
        senses: the names of the two ends of each of these.
        beside: the word of `among`; empty if the words have different ends.
        among: that word beside the anchors, on its own axis; without anchors if there is no such word.
        few: whether there were too few anchors to fit the direction across to them alone.
        ends: the words that are also anchors: each is left out of the ends of its own axis.
        without: the words without an axis.
        unknown: whether the model does not know a piece of the contexts.
        clear: how far from the middle each of these must be, for its side to be named, as on Compare.
        beginning: what stands before a word alone in a model that reads from left to right, or "".
        with_sentences: the same bounds for ends that hold whole sentences too, as Compare has them for
            the words that it knows; None if unknown.
    """

    words: tuple[int, ...]
    coordinates: tuple[Array, ...]
    senses: tuple[tuple[str, str], ...]
    beside: str
    among: Frame
    few: bool
    ends: tuple[str, ...]
    without: tuple[Without, ...]
    unknown: bool
    clear: tuple[Clear, ...] = (UNMEASURED,)
    beginning: str = ""
    with_sentences: Clear | None = None


def paths(query: TrajectoryQuery) -> tuple[WordPath, ...]:
    """The path of each word. Raises the errors of `answers.path`."""
    return tuple(answers.path(query.model, *chosen) for chosen in query.words)


def framed(query: TrajectoryQuery, groups: Mapping[str, Groups]) -> Framed:
    """The trajectories of words, each between the two groups of anchor words at its ends.

    Args:
        query: the words.
        groups: the two ends of each word; words without any are left out.

    Raises:
        PolyseeError: see `answers.path`, `answers.beside` and `core.measures.across`, and
            `answers.axis` if no word has an axis.
    """
    axes, without = _axes(query, groups)
    words = tuple(i for i, one in enumerate(query.words) if one.word in axes)
    of = [axes[query.words[i].word] for i in words]
    own = [path.hidden for path in paths(query)]
    own = [own[i] for i in words]
    same = len({groups[word] for word in axes}) == 1
    spelling = answers.spelling(query.model)
    first = _beside([*axes], groups, spelling)
    beside = {word: _at_the_ends(query.model, axes[word]) for word in ([first] if same else axes)}
    # The vertical coordinate of each word is measured from the middle of its own axis, and fitted from
    # there.
    fitted = [
        at - axes[word].midpoints
        for word, ends in beside.items()
        for end in ends
        for at in end.values()
    ]
    few = len(fitted) < FEW
    if few:
        fitted += [at - axis.midpoints for axis, at in zip(of, own, strict=True)]
    up = across([*axes.values()], fitted)
    lows, highs = (
        {anchor: plane(axes[first], up, at) for anchor, at in end.items()} if same else {}
        for end in beside[first]
    )
    senses = tuple((low.name, high.name) for low, high in (groups[axis.word] for axis in of))
    low_names, high_names = (" / ".join(dict.fromkeys(names)) for names in zip(*senses, strict=True))
    return Framed(
        words,
        tuple(plane(axis, up, at) for axis, at in zip(of, own, strict=True)),
        senses,
        first if same else "",
        Frame(lows, highs, (low_names, high_names), up.share, _alone(query, axes, up)),
        few,
        tuple(w for w in axes if any(_is_end(w, group, spelling) for group in groups[w])),
        without,
        any(axis.frames.unknown for axis in axes.values()),
        tuple(_clear(query.model, kind_of(axis.frames)) or UNMEASURED for axis in of),
        beginning(causal=answers.trace(query.model, query.words[0].text).causal),
        _clear(query.model, "both"),
    )


def _clear(model: str, kind: Ends | None) -> Clear | None:
    """The bounds within which Compare calls a word not clear, with ends of a kind."""
    known = calibrations.of(model)
    bounds = None if known is None or kind is None else known.bounds.get(kind)
    return None if bounds is None else Clear(bounds.one, bounds.two)


def _at_the_ends(model: str, axis: SenseAxis) -> tuple[dict[str, Array], dict[str, Array]]:
    """The word of an axis beside the anchor words of its low end, and of its high end."""
    low, high = (
        answers.beside(model, axis.word, end.words) for end in (axis.frames.low, axis.frames.high)
    )
    return low, high


def _alone(query: TrajectoryQuery, axes: Mapping[str, SenseAxis], up: Across) -> dict[str, Array]:
    """Each word that has an axis, by itself: (layers, 2). A model that cannot read it so shows none."""
    first = {one.word: one for one in reversed(query.words) if one.word in axes}
    found: dict[str, Array] = {}
    for word, axis in axes.items():
        try:
            alone = by_itself(answers.trace(query.model, first[word].text), first[word])
            found[word] = plane(axis, up, answers.path(query.model, *alone).hidden)
        except (NotSupported, WordNotFound):
            continue
    return found


def _axes(
    query: TrajectoryQuery, groups: Mapping[str, Groups]
) -> tuple[dict[str, SenseAxis], tuple[Without, ...]]:
    """The axis of each different word, made of its own contexts; and the words without one.

    Raises:
        PolyseeError: see `core.load`.
        NotSupported: if no word has one; the message is that of the first.
    """
    axes: dict[str, SenseAxis] = {}
    without: list[Without] = []
    for word in dict.fromkeys(one.word for one in query.words if one.word in groups):
        low, high = groups[word]
        try:
            axes[word] = answers.axis(query.model, word, low.words, high.words)
        except (NotSupported, WordNotFound) as error:  # for this word; another may have an axis
            spelling = answers.spelling(query.model)
            alone = any(
                all(same_word(word, anchor, spelling) for anchor in group.words)
                for group in (low, high)
            )
            why = _("One of the two ends consists of “{word}” alone.").format(word=word[:40])
            why = why if alone else str(error)
            without.append(Without(word, why))
    if not axes:
        raise NotSupported(without[0].why)
    return axes, tuple(without)


def _is_end(word: str, group: AnchorGroup, spelling: Spelling) -> bool:
    return any(same_word(word, anchor, spelling) for anchor in group.words)


def _beside(words: Sequence[str], groups: Mapping[str, Groups], spelling: Spelling) -> str:
    """The word to show beside the anchors: one with known senses, otherwise one that is not an end."""
    known = [word for word in words if known_word(word, spelling)]
    for word in [*known, *words]:
        if not any(_is_end(word, group, spelling) for group in groups[word]):
            return word
    return words[0]


def mapped(query: TrajectoryQuery, how: str, components: int) -> Projection | NeighbourMap:
    """The trajectories on a map of all their points.

    Args:
        query: the words.
        how: "pca", "umap" or "tsne".
        components: 2 or 3; PCA always returns 3, of which 2 may be shown.

    Raises:
        PolyseeError: see `answers.path`; NotSupported: see the maps of `core.measures`.
    """
    model_cache.model(query.model)
    return _mapped(query, how, 3 if how == "pca" else components)


def count_points(query: TrajectoryQuery) -> int:
    """How many different points these words have on a map. Raises the errors of `answers.path`."""
    return different_points(paths(query))


@cached()
def _mapped(query: TrajectoryQuery, how: str, components: int) -> Projection | NeighbourMap:
    word_paths = paths(query)
    if how == "pca":
        return pca(word_paths, components)
    if how == "umap":
        require_neighbours(word_paths)
    with waiting_room(FITTING, _("A map")):
        return (
            umap(word_paths, components, fit=UMAP.fit)
            if how == "umap"
            else tsne(word_paths, components)
        )
