"""Thousands of points in a plane, moved by a slider, each with a sentence: `points/cloud.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..localization import _
from ..records.trace import Array
from . import style
from .labels import written
from .picture import Picture
from .points import moment_of

Mark = Literal["circle", "square", "diamond", "up", "ring", "frame", "gem", "down"]
MARKS: tuple[Mark, ...] = ("circle", "square", "diamond", "up", "ring", "frame", "gem", "down")
MOST_GROUPS = len(MARKS)  # groups with their own marks; the others become one grey group
MOST_NAMED = 24  # points with a name beside them
_HEIGHT = 460  # pixels, the slider included
_SHORT = 72  # characters of a name; the picture has room for two lines of it, or for its number
_LONG = 1_000  # letters of a sentence that is read out
_DIGITS = 3


@dataclass(frozen=True)
class Group:
    """Points of one kind: their mark, and a colour for light and for dark pages."""

    name: str
    light: str
    dark: str
    mark: Mark

    def header(self) -> dict[str, str]:
        """The group in the header."""
        return {
            "name": written(self.name),
            "light": self.light,
            "dark": self.dark,
            "mark": self.mark,
        }


def groups_of(names: Sequence[str]) -> tuple[Group, ...]:
    """A colour and a mark for each of at most eight names; a ninth name stands for all others."""
    colours = zip(style.HEADS_ON_LIGHT, style.HEADS_ON_DARK, MARKS, strict=True)
    groups = [Group(name, *look) for name, look in zip(names, colours, strict=False)]
    if len(names) > MOST_GROUPS:
        groups.append(Group(names[MOST_GROUPS], style.LEARNED, style.LEARNED, "circle"))
    return tuple(groups)


@dataclass(frozen=True, eq=False)
class GroupedPoints:
    """Points that stand for sentences, each in a group, at every depth.

    Attributes:
        coordinates: (points, depths, 2): to the right and upwards; or (points, depths, 3).
        texts: the sentence of each point in three parts, of which the middle one is the word itself.
        groups: the groups, each with a colour and a mark.
        group_of: (points,) or (depths, points): the group of each, from 0.
        steps: the names of the depths: "Layer 1".

    Raises:
        ValueError: if there is no point, sizes do not fit, a number is not finite, or there is no such
            group.
    """

    coordinates: npt.ArrayLike
    texts: Sequence[tuple[str, str, str]]
    groups: Sequence[Group]
    group_of: npt.ArrayLike
    steps: Sequence[str]

    def __post_init__(self) -> None:
        at, of, count, depths = self.at, self.of, len(self.texts), len(self.steps)
        if at.ndim != 3 or at.shape[:2] != (count, depths) or not count:
            raise ValueError(f"{at.shape} coordinates do not fit {count} points at {depths} depths.")
        if not np.isfinite(at).all():
            raise ValueError("A picture can only show finite numbers.")
        if of.shape not in ((1, count), (depths, count)):
            raise ValueError(f"Groups of {of.shape} do not fit {count} points.")
        if of.min() < 0 or of.max() >= len(self.groups):
            raise ValueError(f"There are {len(self.groups)} groups, counted from 0.")

    @cached_property
    def at(self) -> Array:
        """(points, depths, 2 or 3) float32."""
        return np.asarray(self.coordinates, np.float32)

    @cached_property
    def of(self) -> Array:
        """(1 or depths, points): the group of each."""
        return np.atleast_2d(np.asarray(self.group_of))

    def check(self, numbers: int, depth: int, chosen: int | None = None) -> None:
        """Raise ValueError if points have not so many numbers, or there is no such depth or point."""
        if self.at.shape[2] != numbers:
            raise ValueError(
                f"{self.at.shape} coordinates do not fit a picture of {numbers} dimensions."
            )
        if not 0 <= depth < len(self.steps) or not (chosen is None or 0 <= chosen < len(self.texts)):
            raise ValueError(f"There is no depth {depth}, or no point {chosen}.")


def cloud(
    points: GroupedPoints,
    *,
    depth: int,
    titles: tuple[str, str],
    words: tuple[str, str],
    sentence: str,
    name: str,
) -> Picture:
    """Points that move with a slider, in the browser alone; both axes keep their range.

    Up to 24 points have their sentence beside them, shortened. Event: "state" {depth, chosen}.

    Args:
        points: the points, with two coordinates at each depth.
        depth: the depth that is shown first, from 0.
        titles: the titles of the horizontal and the vertical axis.
        words: the words after each of the two numbers when they are read out.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".

    Raises:
        ValueError: if points do not have two coordinates, or there is no such depth.
    """
    points.check(2, depth)
    header = {
        "groups": [group.header() for group in points.groups],
        "texts": [parts_of(parts) for parts in points.texts],
        "names": _names(points.texts),
        "steps": [written(step) for step in points.steps],
        "moments": [written(moment_of(step)) for step in points.steps],
        "state": {"depth": int(depth), "chosen": None},
        "slider": _("After layer"),
        "x": _axis(titles[0], points.at[..., 0]),
        "y": _axis(titles[1], points.at[..., 1]),
        "words": [written(word) for word in words],
        "number": {"digits": _DIGITS, "plus": True},
        "height": _HEIGHT,
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    places = np.ascontiguousarray(points.at.swapaxes(0, 1), "<f4")
    return Picture("cloud", header, places.tobytes() + points.of.astype(np.uint8).tobytes())


def _axis(title: str, numbers: Array) -> dict[str, object]:
    """An axis in the header; its range contains every coordinate at every depth, and is never empty."""
    low, high = float(numbers.min()), float(numbers.max())
    room = max(0.0, 1e-6 * max(1.0, abs(low)) - (high - low))
    return {"title": written(title), "marks": [], "guides": [], "bounds": (low - room, high + room)}


def parts_of(parts: tuple[str, str, str]) -> tuple[str, ...]:
    """The parts of a sentence; if it is far too long, only its beginning."""
    left, shown = _LONG, []
    for part in parts:
        shown.append(written(part[:left]))
        if len(part) > left:
            shown[-1] += "…"
            return (*shown, "", "")[:3]
        left -= len(part)
    return tuple(shown)


def _names(texts: Sequence[tuple[str, str, str]]) -> list[str] | None:
    if len(texts) > MOST_NAMED:
        return None
    return [written(style.short(f"{i}. {''.join(parts)}", _SHORT)) for i, parts in enumerate(texts, 1)]
