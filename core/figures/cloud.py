"""Thousands of points in a plane, moved by a slider, each with a sentence: `points/cloud.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

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
_SHORT = 30  # letters in such a name
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


def cloud(
    coordinates: npt.ArrayLike,
    texts: Sequence[tuple[str, str, str]],
    groups: Sequence[Group],
    group_of: npt.ArrayLike,
    *,
    steps: Sequence[str],
    depth: int,
    titles: tuple[str, str],
    words: tuple[str, str],
    sentence: str,
    name: str,
) -> Picture:
    """Points that move with a slider, in the browser alone; both axes keep their range.

    Up to 24 points have their sentence beside them, shortened. Event: "state" {depth, chosen}.

    Args:
        coordinates: (points, depths, 2): to the right and upwards.
        texts: the sentence of each point in three parts, of which the middle one is the word itself.
        groups: the groups, each with a colour and a mark.
        group_of: (points,) or (depths, points): the group of each, from 0.
        steps: the names of the depths: "Layer 1".
        depth: the depth that is shown first, from 0.
        titles: the titles of the horizontal and the vertical axis.
        words: the words after each of the two numbers when they are read out.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".

    Raises:
        ValueError: if there is no point, sizes do not fit, a number is not finite, or there is no such
            depth or group.
    """
    at = np.asarray(coordinates, np.float32)
    of = grouped(at, texts, groups, group_of, steps=steps, depth=depth, chosen=None)
    header = {
        "groups": [group.header() for group in groups],
        "texts": [parts_of(parts) for parts in texts],
        "names": _names(texts),
        "steps": [written(step) for step in steps],
        "moments": [written(moment_of(step)) for step in steps],
        "state": {"depth": int(depth), "chosen": None},
        "slider": "After layer",
        "x": _axis(titles[0], at[..., 0]),
        "y": _axis(titles[1], at[..., 1]),
        "words": [written(word) for word in words],
        "number": {"digits": _DIGITS, "plus": True},
        "height": _HEIGHT,
        "dtype": "uint8",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    payload = np.ascontiguousarray(at.swapaxes(0, 1), "<f4").tobytes() + of.astype(np.uint8).tobytes()
    return Picture("cloud", header, payload)


def grouped(
    at: Array,
    texts: Sequence[tuple[str, str, str]],
    groups: Sequence[Group],
    group_of: npt.ArrayLike,
    *,
    steps: Sequence[str],
    depth: int,
    chosen: int | None,
    numbers: int = 2,
) -> Array:
    """The group of each point, (1 or depths, points), after checking all arguments: see `cloud`.

    Raises:
        ValueError: see `cloud`.
    """
    if at.shape != (len(texts), len(steps), numbers) or not len(texts):
        raise ValueError(
            f"{at.shape} coordinates do not fit {len(texts)} points at {len(steps)} depths."
        )
    if not np.isfinite(at).all():
        raise ValueError("A picture can only show finite numbers.")
    if not 0 <= depth < len(steps) or not (chosen is None or 0 <= chosen < len(texts)):
        raise ValueError(f"There is no depth {depth}, or no point {chosen}.")
    of = np.atleast_2d(np.asarray(group_of))
    if of.shape not in ((1, len(texts)), (len(steps), len(texts))):
        raise ValueError(f"Groups of {of.shape} do not fit {len(texts)} points.")
    if of.min() < 0 or of.max() >= len(groups):
        raise ValueError(f"There are {len(groups)} groups, counted from 0.")
    return of


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
