"""Trajectories of several words through the layers: between senses, before and after, on a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from ...localization import _, ngettext
from ...measures import CONTEXTUAL
from ...records.trace import Array
from .. import style
from ..picture import Picture
from ..points import Axis, Point, scatter
from ..space import in_space

HEIGHT = 430
PANEL = 390
HEIGHT_IN_SPACE = 480
FAR = 0.5  # of the span of all other points: a word alone is drawn no farther outside of them
Mark = Literal["circle", "square", "diamond", "ring"]


class Trajectory(NamedTuple):
    """A word and its coordinates at every depth.

    Attributes:
        name: the name of the word in its text: "bank", "bank (2)", "bank in A".
        start: the name of its learned vector, which several trajectories may share: "bank".
        coordinates: (depths, 2); in three dimensions (depths, 3); between two senses (layers, 2).
        colour: any CSS colour that is visible on white and on near-black.
        mark: the mark of the word.
    """

    name: str
    start: str
    coordinates: Array
    colour: str
    mark: Mark


@dataclass(frozen=True, eq=False)
class Frame:
    """One word beside the anchors, as the background of the trajectories: anchor -> (layers, 2).

    Attributes:
        low: beside the anchors at −1, and high beside those at +1.
        names: the names of the two groups, or of the groups of all words if each word has its own.
        share: the share of the anchors' variance across the axis that lies in the vertical direction, 0
            to 1.
        alone: each word alone, in a text that holds nothing else: from there its text moves it.
    """

    low: Mapping[str, Array]
    high: Mapping[str, Array]
    names: tuple[str, str]
    share: float
    alone: Mapping[str, Array] = field(default_factory=dict)


def sense_trajectories(
    trajectories: Sequence[Trajectory], among: Frame, *, depth: int, opens: bool = False
) -> Picture:
    """Each trajectory from the first layer on, with the word beside the anchors in each layer.

    `opens`: whether it plays when it is first drawn.
    """
    steps = _steps(trajectories, CONTEXTUAL)
    shown = alone_in_view(among, [one.coordinates for one in trajectories])
    return scatter(
        [*_anchors(among), *_alone(shown), *_words(trajectories, trail=True)],
        steps=steps,
        depth=depth,
        x=_along(among),
        y=_across(),
        guides=[("x", 0)],
        sentence=ngettext(
            "The trajectory of {count} word between {low} (left) and {high} (right), from the first "
            "layer on.",
            "The trajectories of {count} words between {low} (left) and {high} (right), from the first "
            "layer on.",
            len(trajectories),
        ).format(count=len(trajectories), low=among.names[0], high=among.names[1]),
        name="trajectories",
        height=HEIGHT,
        play=True,
        opens=opens,
    )


def before_after(
    trajectories: Sequence[Trajectory], among: Frame, *, depth: int
) -> tuple[Picture, Picture]:
    """Two planes on one scale: the words after the first layer, and after a later one.

    In the second, a dashed line leads from the position of each word in the first.
    """
    shown = alone_in_view(among, [one.coordinates for one in trajectories])
    every = np.concatenate(
        [path for group in (among.low, among.high, shown) for path in group.values()]
        + [one.coordinates for one in trajectories]
    )
    reach = [(float(np.nanmin(column)), float(np.nanmax(column))) for column in every.T]
    x, y = _along(among, reach[0]), _across(reach[1])
    before = scatter(
        [
            *_anchors(among, first=True),
            *_alone(shown, first=True),
            *_words([one._replace(coordinates=one.coordinates[:1]) for one in trajectories]),
        ],
        steps=_steps(trajectories, CONTEXTUAL)[:1],
        depth=0,
        slider=_("After the first layer:"),
        x=x,
        y=y,
        guides=[("x", 0)],
        sentence=_(
            "{words} after the first layer, among words of {low} (left) and {high} (right)."
        ).format(words=_listed(trajectories), low=among.names[0], high=among.names[1]),
        name="before",
        height=PANEL,
    )
    after = scatter(
        [
            *_anchors(among),
            *_alone(shown),
            *_words(trajectories, dashed=True),
        ],
        steps=_steps(trajectories, CONTEXTUAL),
        depth=depth,
        x=x,
        y=y,
        guides=[("x", 0)],
        sentence=_(
            "The same words after a later layer: dashed lines lead from where {words} stood after the "
            "first."
        ).format(words=_listed(trajectories)),
        name="after",
        height=PANEL,
        play=True,
    )
    return before, after


def map_trajectories(
    trajectories: Sequence[Trajectory], *, depth: int, x: str, y: str, name: str
) -> Picture:
    """Each trajectory on a map of all their points; `x` and `y` are the titles of its axes."""
    return scatter(
        [*_starts(trajectories), *_words(trajectories, trail=True)],
        steps=_steps(trajectories),
        depth=depth,
        x=Axis(x),
        y=Axis(y),
        sentence=ngettext(
            "The trajectory of {count} word, on one map of all its points.",
            "The trajectories of {count} words, on one map of all their points.",
            len(trajectories),
        ).format(count=len(trajectories)),
        name=name,
        words=(_("to the right"), _("up")),
        height=HEIGHT,
        play=True,
    )


def space_trajectories(
    trajectories: Sequence[Trajectory],
    *,
    depth: int,
    titles: Sequence[str],
    name: str,
) -> Picture:
    """The same in three dimensions, in a picture that can be rotated; `titles` name the axes.

    In its list of points, the learned vectors come first, then the words.
    """
    flat = [one._replace(coordinates=one.coordinates[:, :2]) for one in trajectories]
    x, y, _ = titles
    picture = map_trajectories(flat, depth=depth, x=x, y=y, name=name)
    points = [*_starts(trajectories), *_words(trajectories, trail=True)]
    return in_space(picture, points, titles, height=HEIGHT_IN_SPACE)


def alone_in_view(among: Frame, coordinates: Sequence[Array]) -> Mapping[str, Array]:
    """Each word alone: (layers, 2), NaN after a layer where it would squash the picture.

    In the first layers of some decoders, a word behind a neutral beginning lies many times as far out
    as the same word in any text, and the scale is one for all layers. Hidden is what is farther from
    the range of all other points than half the span of that range.

    Args:
        among: the anchors, and the words alone.
        coordinates: (layers, 2) of each word in its text.
    """
    others = np.concatenate([*coordinates, *among.low.values(), *among.high.values()])
    low, high = np.nanmin(others, axis=0), np.nanmax(others, axis=0)
    beyond = FAR * (high - low)
    return {
        word: np.where(
            ((at >= low - beyond) & (at <= high + beyond)).all(axis=1, keepdims=True), at, np.nan
        ).astype(at.dtype)
        for word, at in among.alone.items()
    }


def _anchors(among: Frame, *, first: bool = False) -> list[Point]:
    """The word beside the anchors, in all layers or only in the first."""
    ends = slice(1) if first else slice(None)
    low = [Point(word, at[ends], style.LEARNED, "left") for word, at in among.low.items()]
    return low + [Point(word, at[ends], style.LEARNED, "right") for word, at in among.high.items()]


def _alone(alone: Mapping[str, Array], *, first: bool = False) -> list[Point]:
    """Each word alone, in all layers or only in the first."""
    ends = slice(1) if first else slice(None)
    return [
        Point(_("{word} alone").format(word=word), at[ends], style.LEARNED, "ring", bold=True)
        for word, at in alone.items()
    ]


def _starts(trajectories: Sequence[Trajectory]) -> list[Point]:
    """The different learned vectors, each once: two occurrences of one word usually share theirs."""
    starts: dict[tuple[str, bytes], Trajectory] = {}
    for one in trajectories:
        if np.isfinite(one.coordinates[0]).all():
            starts.setdefault((one.start, np.round(one.coordinates[0], 4).tobytes()), one)
    names = [start for start, _vector in starts]
    return [
        # "Bank" at the start of a text may be a different token from "bank" within it.
        Point(
            _("{word} learned").format(word=start if names.count(start) == 1 else one.name),
            one.coordinates,
            style.LEARNED,
            mark="diamond",
            fixed=True,
        )
        for (start, _vector), one in starts.items()
    ]


def _words(
    trajectories: Sequence[Trajectory], *, trail: bool = False, dashed: bool = False
) -> list[Point]:
    return [
        Point(one.name, one.coordinates, one.colour, one.mark, bold=True, trail=trail, dashed=dashed)
        for one in trajectories
    ]


def _along(among: Frame, reach: Sequence[float] = ()) -> Axis:
    low, high = (style.short(name, 28) for name in among.names)
    marks = ((-1, f"{low} −1"), (0, "0"), (1, f"{high} +1"))
    return Axis(_("position between the two senses"), marks, reach)


def _across(reach: Sequence[float] = ()) -> Axis:
    return Axis(_("one more direction, in which these words differ most"), reach=reach)


def _steps(trajectories: Sequence[Trajectory], first: int = 0) -> list[str]:
    return [style.depth_name(first + depth) for depth in range(len(trajectories[0].coordinates))]


def _listed(trajectories: Sequence[Trajectory]) -> str:
    return ", ".join(dict.fromkeys(one.start for one in trajectories))
