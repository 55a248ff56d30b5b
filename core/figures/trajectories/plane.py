"""The paths of a word in two sentences along their first two principal components."""

from __future__ import annotations

from collections.abc import Sequence

from ...localization import _
from ...measures import Projection
from ...records.trace import Array
from .. import style
from ..picture import Picture
from ..points import Axis, Point, scatter

HEIGHT = 330


def word_projection(projection: Projection, names: Sequence[str], *, depth: int) -> Picture:
    """The first two principal components of the word's paths, each path drawn up to `depth`.

    Args:
        projection: the projection; its first two paths are the word in A and in B.
        names: the names of the paths.
        depth: the depth shown, from 0.
    """
    points = points_of(projection.coordinates[..., :2], names)
    x, y = (
        _("component {number}: {share} % of the variance").format(
            number=i + 1, share=f"{100 * share:.0f}"
        )
        for i, share in enumerate(projection.shares[:2])
    )
    return scatter(
        points,
        steps=_steps(projection.coordinates[0]),
        depth=depth,
        x=Axis(x),
        y=Axis(y),
        sentence=_(
            "The word in A, in B and alone, along the two directions in which they differ most."
        ),
        name="pca",
        height=HEIGHT,
    )


def points_of(coordinates: Array, names: Sequence[str]) -> list[Point]:
    """The paths, (paths, depths, components): those after the first two are drawn below."""
    a, b, *others = coordinates
    alone = [
        Point(name, path, style.LEARNED, "ring", trail=True)
        for name, path in zip(names[2:], others, strict=True)
    ]
    return [*alone, *_starts(a, b), *_moving(a, b)]


def _moving(a: Array, b: Array) -> list[Point]:
    """The word in the two sentences."""
    return [
        Point("A", a, style.SENTENCE_A, "circle", bold=True, trail=True),
        Point("B", b, style.SENTENCE_B, "square", bold=True, trail=True),
    ]


def _starts(a: Array, b: Array) -> list[Point]:
    """The learned vector, or the vectors of two different words."""
    one = bool((abs(a[0] - b[0]) < 5e-4).all())
    starts = {_("learned"): a} if one else {_("learned A"): a, _("learned B"): b}
    return [Point(name, path, style.LEARNED, "diamond", fixed=True) for name, path in starts.items()]


def _steps(path: Array) -> list[str]:
    return [style.depth_name(depth) for depth in range(len(path))]
