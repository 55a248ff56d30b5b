"""The numbers of a picture as a table, for the file that a visitor saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.figures import Plane, style
from core.measures import HeadDifference, HeadMap, Projection
from core.trace import Array


def plane(shown: Plane) -> pd.DataFrame:
    """The places of the words in the plane at every depth: along the axis (x) and across it (y)."""
    words = {"A": shown.a, "B": shown.b, **shown.alone, **shown.low, **shown.high}
    depths = [style.depth_name(depth) for depth in range(len(shown.a))]
    columns = pd.MultiIndex.from_product([depths, ["x", "y"]]).map(" ".join)
    return pd.DataFrame([places.ravel() for places in words.values()], [*words], columns)


def projection(found: Projection, names: Sequence[str]) -> pd.DataFrame:
    """The places of the words along each principal component, at every depth."""
    paths, depths, components = found.places.shape
    columns = [f"{style.depth_name(d)} {c + 1}" for d in range(depths) for c in range(components)]
    return pd.DataFrame(found.places.reshape(paths, -1), [*names], columns)


def by_depth(found: Projection, names: Sequence[str]) -> pd.DataFrame:
    """The same with a row for each depth, for reading."""
    _, depths, components = found.places.shape
    columns = [f"{name} {c + 1}" for name in names for c in range(components)]
    rows = pd.Index([style.depth_name(d) for d in range(depths)], name="after")
    return pd.DataFrame(found.places.swapaxes(0, 1).reshape(depths, -1), rows, columns)


def vectors(named: Mapping[str, Array]) -> pd.DataFrame:
    """Whole vectors as columns."""
    columns = {name: pd.Series(vector) for name, vector in named.items()}
    return pd.DataFrame(columns).rename_axis("dimension")


def head(view: HeadMap) -> pd.DataFrame:
    """The weights of a head with their labels: rows look, columns are looked at."""
    return pd.DataFrame(view.weights, pd.Index(view.queries, name="row looks at column"), view.keys)


def difference(found: HeadDifference) -> pd.DataFrame:
    """What two sentences' heads differ by, for the tokens that both have."""
    return pd.DataFrame(found.values, pd.Index(found.tokens, name="A less B"), found.tokens)


def places(named: Mapping[str, Array], axes: str) -> pd.DataFrame:
    """Where each of these stands at every depth: named -> (depths, axes)."""
    depths = len(next(iter(named.values())))
    columns = [f"{style.depth_name(d)} {axis}" for d in range(depths) for axis in axes]
    rows = [at[:, : len(axes)].ravel() for at in named.values()]
    return pd.DataFrame(rows, pd.Index([*named], name="word"), columns)


def points(named: Mapping[str, Array], axes: str) -> pd.DataFrame:
    """Where each of these stands now: named -> (axes,)."""
    return pd.DataFrame([*named.values()], pd.Index([*named], name="word"), [*axes])
