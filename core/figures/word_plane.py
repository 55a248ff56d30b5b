"""The move: from the learned vector to the two contextual ones, in a plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.figures import style
from core.figures.web import Axis, Picture, Point, scatter
from core.measures import Projection
from core.trace import Array

HEIGHT = 330


@dataclass(frozen=True, eq=False)
class Plane:
    """What the picture shows. Every array is (depths, 2), from `core.measures.plane`.

    Attributes:
        a: the word in sentence A.
        b: the word in sentence B.
        alone: name -> the word in the anchor frame, without a sentence; of two words, both.
        low: the anchor words of the group at −1.
        high: the anchor words of the group at +1.
    """

    a: Array
    b: Array
    alone: Mapping[str, Array]
    low: Mapping[str, Array]
    high: Mapping[str, Array]


def word_plane(shown: Plane, *, depth: int, low: str, high: str, share: float) -> Picture:
    """Arrows from where the word starts (depth 0) to where it stands at `depth` in A and in B.

    x is the place on the sense axis of that depth; y is one direction across it, fitted to the anchor
    words at the last layer. The frame of the picture is the same at every depth.

    Args:
        shown: the places.
        depth: how deep, from 0; the slider in the picture begins there.
        low: the name of the group at −1.
        high: the name of the group at +1.
        share: how much of the anchors' difference across the axis y holds, 0 to 1.
    """
    points = [
        *_starts(shown.a, shown.b),
        *(Point(name, places, style.LEARNED, "ring") for name, places in shown.alone.items()),
        *(Point(word, places, style.LEARNED, "left") for word, places in shown.low.items()),
        *(Point(word, places, style.LEARNED, "right") for word, places in shown.high.items()),
        *_moving(shown.a, shown.b),
    ]
    return scatter(
        points,
        steps=_steps(shown.a),
        depth=depth,
        x=Axis(
            "place on the sense axis of this layer",
            ((-1, f"{style.short(low)} −1"), (0, "0"), (1, f"{style.short(high)} +1")),
        ),
        guides=[("x", 0)],
        y=Axis(f"across it: one direction, {100 * share:.0f} % of the spread across"),
        sentence=f"The word in A and in B among words of {low} (left) and {high} (right).",
        name="move",
        height=HEIGHT,
    )


def word_projection(found: Projection, names: Sequence[str], *, depth: int) -> Picture:
    """The first two principal components of the word's paths, each path drawn up to `depth`.

    Args:
        found: the projection; its first two paths are the word in A and in B.
        names: of the paths.
        depth: how deep, from 0.
    """
    a, b, *others = (path[:, :2] for path in found.places)
    points = [
        *(
            Point(name, path, style.LEARNED, "ring", trail=True)
            for name, path in zip(names[2:], others, strict=True)
        ),
        *_starts(a, b),
        *_moving(a, b, trail=True),
    ]
    x, y = (
        f"component {i + 1}: {100 * share:.0f} % of the spread"
        for i, share in enumerate(found.shares[:2])
    )
    return scatter(
        points,
        steps=_steps(a),
        depth=depth,
        x=Axis(x),
        y=Axis(y),
        sentence="The word in A, in B and alone along the two directions in which they differ most.",
        name="pca",
        height=HEIGHT,
    )


def _moving(a: Array, b: Array, *, trail: bool = False) -> list[Point]:
    """The word in the two sentences."""
    return [
        Point("A", a, style.SENTENCE_A, "circle", bold=True, arrow=not trail, trail=trail),
        Point("B", b, style.SENTENCE_B, "square", bold=True, arrow=not trail, trail=trail),
    ]


def _starts(a: Array, b: Array) -> list[Point]:
    """The learned vector, or those of two different words."""
    one = bool((abs(a[0] - b[0]) < 5e-4).all())
    starts = {"learned": a} if one else {"learned A": a, "learned B": b}
    return [
        Point(name, places, style.LEARNED, "diamond", fixed=True) for name, places in starts.items()
    ]


def _steps(places: Array) -> list[str]:
    return [style.depth_name(depth) for depth in range(len(places))]
