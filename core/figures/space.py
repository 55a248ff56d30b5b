"""Points in three dimensions, turned by hand, with a list of them beside: `points/space.js`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .. import deprecated
from .cloud import MOST_NAMED, Group, Mark, grouped, parts_of
from .labels import label, written
from .picture import Picture
from .points import Point, coordinates_of, moment_of

HEIGHT = 480
# Plotly has no triangles: where two would be told apart by them, crosses do it.
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
    """Named points in three dimensions, with one scale for all three.

    Event: "state" {depth, view, chosen}, when the slider has been moved, the picture turned, or a point
    chosen, from 0. The view is in degrees: round the third direction, and how far from above, −90 to
    90; None is from where all three directions are seen.

    Args:
        flat: `scatter` of their first two numbers, whose slider, sentence and file it takes.
        points: the same ones, with coordinates of (depths, 3). Dashed lines are not drawn.
        titles: of the three directions.
        height: in pixels, of all of it, the slider included; in a narrow window the list stands below.

    Raises:
        ValueError: as in `scatter`.
    """
    of = flat.header
    coordinates = coordinates_of(points, len(of["steps"]), 3)
    looks = list(dict.fromkeys((point.colour, _MARKS[point.mark], point.bold) for point in points))
    groups = [Group("", colour, colour, mark) for colour, mark, _ in looks]
    which = [looks.index((point.colour, _MARKS[point.mark], point.bold)) for point in points]
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


@deprecated.arguments(places="coordinates")
def cloud_in_space(
    coordinates: npt.ArrayLike,
    texts: Sequence[tuple[str, str, str]],
    groups: Sequence[Group],
    group_of: npt.ArrayLike,
    *,
    steps: Sequence[str],
    depth: int,
    titles: Sequence[str],
    sentence: str,
    name: str,
    height: int = HEIGHT,
    chosen: int | None = None,
) -> Picture:
    """Thousands of points in three dimensions, each with a sentence: see `cloud` and `in_space`.

    Args:
        coordinates: (points, depths, 3).
        texts: as in `cloud`.
        groups: as in `cloud`.
        group_of: as in `cloud`.
        steps: as in `cloud`.
        depth: as in `cloud`.
        titles: of the three directions.
        sentence: as in `cloud`.
        name: as in `cloud`.
        height: as in `in_space`.
        chosen: the point that is pointed at first, from 0.

    Raises:
        ValueError: as in `cloud`.
    """
    at = np.asarray(coordinates, np.float32)
    of = grouped(at, texts, groups, group_of, steps=steps, depth=depth, chosen=chosen, numbers=3)
    header = {
        "groups": [group.header() for group in groups],
        "texts": [parts_of(parts) for parts in texts],
        "numbered": True,
        # Sentences would lie on each other: their numbers stand there.
        "names": [str(i + 1) for i in range(len(texts))] if len(texts) <= MOST_NAMED else None,
        "bold": (),
        "trails": (),
        "steps": [written(step) for step in steps],
        "moments": [written(moment_of(step)) for step in steps],
        "slider": "After layer",
        "number": {"digits": 3, "plus": True},
        "play": False,
        "autoplay": False,
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return _picture(header, at, of, titles, depth, chosen, height)


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
    least = 1e-6 * max(1.0, float(np.abs([low, high]).max()))  # never a box without a size
    names = [written(title) for title in titles]
    more = {
        "titles": names,
        "words": [f"on {name}" for name in names],
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
