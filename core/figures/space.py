"""Points in three dimensions that can be rotated, with a list of them beside: `points/space.js`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..localization import _
from .cloud import MOST_NAMED, Group, GroupedPoints, Mark, parts_of
from .labels import label, written
from .picture import Picture
from .points import Point, coordinates_of, moment_of

HEIGHT = 480
# Plotly has no triangles in three dimensions: crosses replace two of them.
_MARKS: dict[str, Mark] = {
    "circle": "circle",
    "square": "square",
    "diamond": "diamond",
    "ring": "ring",
    "left": "up",
    "right": "down",
}


def in_space(
    flat: Picture,
    points: Sequence[Point],
    titles: Sequence[str],
    *,
    height: int = HEIGHT,
) -> Picture:
    """Named points in three dimensions, with the same scale on all three axes.

    Event: "state" {depth, view, chosen}, after the slider has been moved, the picture rotated, or a
    point chosen, from 0. The view is in degrees: around the third axis, and the elevation, −90 to 90;
    None is a view in which all three axes are visible.

    Args:
        flat: the `scatter` of their first two coordinates, whose slider, sentence and file name it
            uses.
        points: the same points, with coordinates (depths, 3). Dashed lines are not drawn.
        titles: the titles of the three axes.
        height: the total height in pixels, slider included; in a narrow window the list stands below.

    Raises:
        ValueError: see `scatter`.
    """
    of = flat.header
    coordinates = coordinates_of(points, len(of["steps"]), 3)
    styles = list(dict.fromkeys((point.colour, _MARKS[point.mark], point.bold) for point in points))
    groups = [Group("", colour, colour, mark) for colour, mark, _ in styles]
    which = [styles.index((point.colour, _MARKS[point.mark], point.bold)) for point in points]
    header = {
        "groups": [group.header() for group in groups],
        "texts": [("", label(point.name), "") for point in points],
        "numbered": False,
        "names": [label(point.name) for point in points],
        "bold": [i for i, point in enumerate(points) if point.bold],
        "trails": [i for i, point in enumerate(points) if point.trail],
        **{name: of[name] for name in ("steps", "moments", "slider", "number", "play", "autoplay")},
        **{name: of[name] for name in ("sentence", "file")},
    }
    return _picture(header, coordinates, which, titles, int(of["state"]["depth"]), None, height)


def cloud_in_space(
    points: GroupedPoints,
    *,
    depth: int,
    titles: Sequence[str],
    sentence: str,
    name: str,
    height: int = HEIGHT,
    chosen: int | None = None,
) -> Picture:
    """Thousands of points in three dimensions, each with a sentence: see `cloud` and `in_space`.

    Args:
        points: the points, with three coordinates at each depth.
        depth: see `cloud`.
        titles: the titles of the three axes.
        sentence: see `cloud`.
        name: see `cloud`.
        height: see `in_space`.
        chosen: the initially selected point, from 0.

    Raises:
        ValueError: if points do not have three coordinates, or there is no such depth or point.
    """
    points.check(3, depth, chosen)
    texts = points.texts
    header = {
        "groups": [group.header() for group in points.groups],
        "texts": [parts_of(parts) for parts in texts],
        "numbered": True,
        # Sentences would overlap, so the points show numbers instead.
        "names": [str(i + 1) for i in range(len(texts))] if len(texts) <= MOST_NAMED else None,
        "bold": (),
        "trails": (),
        "steps": [written(step) for step in points.steps],
        "moments": [written(moment_of(step)) for step in points.steps],
        "slider": _("After layer"),
        "number": {"digits": 3, "plus": True},
        "play": False,
        "autoplay": False,
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return _picture(header, points.at, points.of, titles, depth, chosen, height)


def _picture(
    header: dict[str, object],
    coordinates: npt.NDArray[np.float32],
    group_of: npt.ArrayLike,
    titles: Sequence[str],
    depth: int,
    chosen: int | None,
    height: int,
) -> Picture:
    """`coordinates` are (points, depths, 3), and `group_of` is (points,) or (depths, points)."""
    low, high = (of(coordinates, axis=(0, 1)) for of in (np.nanmin, np.nanmax))
    least = 1e-6 * max(1.0, float(np.abs([low, high]).max()))  # the box always has a size
    names = [written(title) for title in titles]
    more = {
        "titles": names,
        "words": [_("on {name}").format(name=name) for name in names],
        "middle": ((low + high) / 2).tolist(),
        "halves": np.maximum((high - low) / 2, least).tolist(),
        "state": {"depth": int(depth), "view": None, "chosen": chosen},
        "height": height,
        "dtype": "uint8",
    }
    payload = np.ascontiguousarray(coordinates.swapaxes(0, 1), "<f4").tobytes()
    return Picture(
        "space", {**header, **more}, payload + np.atleast_2d(group_of).astype(np.uint8).tobytes()
    )
