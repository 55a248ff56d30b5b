"""Named points in a plane, moved by a slider in the picture: `points/plane.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..localization import N_, _, gettext
from ..records.trace import Array
from .labels import label, written
from .picture import Picture

_MOST_NAMED = 3  # named values on an axis


@dataclass(frozen=True, eq=False)
class Point:
    """A point and its coordinates at every depth.

    Attributes:
        name: the label beside it.
        coordinates: (depths, 2): to the right and upwards, or (depths, 3); NaN where it is not shown.
        colour: any CSS colour that is visible on white and on near-black.
        mark: "ring" is an open circle; "left" and "right" are open triangles.
        bold: whether it is more important than others: its name is bold, in its colour, and placed
            first.
        trail: whether to draw a thin line through its earlier positions, with a dot at each.
        dashed: whether to draw a dashed line from its position at depth 0 to the current one.
        fixed: whether it stays at its position of depth 0.
    """

    name: str
    coordinates: npt.ArrayLike
    colour: str
    mark: Literal["circle", "square", "diamond", "ring", "left", "right"] = "circle"
    bold: bool = False
    trail: bool = False
    dashed: bool = False
    fixed: bool = False


@dataclass(frozen=True)
class Axis:
    """One axis of the plane.

    Attributes:
        title: its title in the picture.
        marks: at most three values with their names, such as (-1, "money −1").
        reach: values that its range must also contain, so that two pictures can share a scale.
    """

    title: str
    marks: Sequence[tuple[float, str]] = ()
    reach: Sequence[float] = ()


def scatter(
    points: Sequence[Point],
    *,
    steps: Sequence[str],
    depth: int,
    x: Axis,
    y: Axis,
    sentence: str,
    name: str,
    guides: Sequence[tuple[Literal["x", "y"], float]] = (),
    circles: Sequence[tuple[float, float, float]] = (),
    slider: str = N_("After layer"),
    moments: Sequence[str] | None = None,
    words: tuple[str, str] = (N_("along"), N_("across")),
    height: int = 330,
    play: bool = False,
    opens: bool = False,
) -> Picture:
    """Points that move with a slider; the range of both axes is the same at every depth.

    The slider repaints in the browser. Event: "state" {depth}, after it has been moved.

    Args:
        points: the points, in drawing order.
        steps: the names of the depths: "Layer 1".
        depth: the depth that is shown first, from 0.
        x: the axis from left to right.
        y: the axis from bottom to top.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        guides: thin lines across the picture at values of an axis.
        circles: circles behind the points: both coordinates of the centre, and the radius.
        slider: the name of the slider.
        moments: the depths as they end a sentence and label a saved picture; by default, "after Layer
            1" for a step that begins with a capital, otherwise the step.
        words: the words after each of the two numbers when they are read out.
        height: the total height in pixels, slider included.
        play: whether to add a button that plays through all depths.
        opens: with the button, whether it plays when it is first drawn.

    Raises:
        ValueError: if no point has coordinates, sizes do not fit, a number is infinite, there is no
            such depth, or an axis has more than three named values.
    """
    if not 0 <= depth < len(steps):
        raise ValueError(f"There is no depth {depth}: there are {len(steps)}.")
    moments = [moment_of(step) for step in steps] if moments is None else moments
    if len(moments) != len(steps):
        raise ValueError(f"{len(moments)} moments do not fit {len(steps)} steps.")
    if max(len(x.marks), len(y.marks)) > _MOST_NAMED:
        raise ValueError(f"An axis has at most {_MOST_NAMED} named values.")
    coordinates = coordinates_of(points, len(steps))
    header = {
        "points": [
            {"name": label(p.name), "colour": p.colour, "mark": p.mark}
            | {what: True for what in ("bold", "trail", "dashed") if getattr(p, what)}
            for p in points
        ],
        "steps": [written(step) for step in steps],
        "moments": [written(moment) for moment in moments],
        "state": {"depth": int(depth)},
        "slider": written(gettext(slider)),
        "x": _axis(x, coordinates[..., 0], [at for which, at in guides if which == "x"]),
        "y": _axis(y, coordinates[..., 1], [at for which, at in guides if which == "y"]),
        "words": [written(gettext(word)) for word in words],
        "number": {"digits": 3, "plus": True},
        "height": height,
        "play": play,
        "autoplay": opens,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    if circles:
        if not np.isfinite(circles).all():
            raise ValueError("The centres and radii of circles must be finite numbers.")
        header["circles"] = [[float(x) for x in circle] for circle in circles]
    return Picture("plane", header, np.ascontiguousarray(coordinates, "<f4").tobytes())


def coordinates_of(points: Sequence[Point], depths: int, numbers: int = 2) -> Array:
    """(points, depths, numbers) float32; a fixed point has the same coordinates at all depths."""
    of_each = [np.array(point.coordinates, np.float32) for point in points]
    for point, coordinates in zip(points, of_each, strict=True):
        if coordinates.shape != (depths, numbers):
            many = ("two", "three")[numbers - 2]
            raise ValueError(f"{label(point.name)} needs {many} numbers at each of {depths} depths.")
        if np.isinf(coordinates).any():
            raise ValueError("A picture can only show finite numbers, or leave a point out.")
        if point.fixed:
            coordinates[:] = coordinates[0]
        # a point with only some of its numbers has no position
        coordinates[np.isnan(coordinates).any(axis=1)] = np.nan
    if not any(np.isfinite(coordinates).any() for coordinates in of_each):
        raise ValueError("There is nothing to draw.")
    return np.stack(of_each)


def _axis(axis: Axis, numbers: Array, guides: Sequence[float]) -> dict[str, Any]:
    """The axis in the header; its range contains every coordinate of every depth."""
    named = [(float(at), written(text)) for at, text in axis.marks]
    reach = float(np.nanmin(numbers)), float(np.nanmax(numbers)), *axis.reach
    ends = [*reach, *(at for at, _ in named), *guides]
    if not np.isfinite(ends).all():
        raise ValueError("The values on an axis must be finite numbers.")
    low, high = min(ends), max(ends)
    room = max(0.0, 1e-6 * max(1.0, abs(low)) - (high - low))
    return {
        "title": written(axis.title),
        "marks": named,
        "guides": [float(at) for at in guides],
        "bounds": (low - room, high + room),
    }


def moment_of(step: str) -> str:
    """A depth as the end of a sentence: "after Layer 1", "learned"."""
    return _("after {step}").format(step=step) if step[:1].isupper() else step
