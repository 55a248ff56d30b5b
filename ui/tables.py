"""The numbers of pictures as tables, for the files that a visitor saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures import style
from core.localization import N_, _, gettext
from core.measures import HeadDifference, HeadMap, Projection
from core.measures.contributions.by_word import numbered
from core.records.trace import Array


def projection(projected: Projection, names: Sequence[str]) -> pd.DataFrame:
    """The coordinates of the words along each principal component, at every depth."""
    paths, depths, components = projected.coordinates.shape
    columns = [f"{style.depth_name(d)} {c + 1}" for d in range(depths) for c in range(components)]
    return pd.DataFrame(projected.coordinates.reshape(paths, -1), [*names], columns)


def by_depth(projected: Projection, names: Sequence[str]) -> pd.DataFrame:
    """`projection` with a row for each depth, for reading on the page."""
    depths, components = projected.coordinates.shape[1:]
    columns = [f"{name} {c + 1}" for name in names for c in range(components)]
    rows = pd.Index([style.depth_name(d) for d in range(depths)], name=_("after"))
    return pd.DataFrame(projected.coordinates.swapaxes(0, 1).reshape(depths, -1), rows, columns)


def vectors(named: Mapping[str, Array]) -> pd.DataFrame:
    """Whole vectors as columns."""
    columns = {name: pd.Series(vector) for name, vector in named.items()}
    return pd.DataFrame(columns).rename_axis(_("dimension"))


def head(view: HeadMap) -> pd.DataFrame:
    """The weights of a head with their labels: rows are queries, columns are keys."""
    return pd.DataFrame(
        view.weights, pd.Index(view.queries, name=_("row attends to column")), view.keys
    )


def difference(head_difference: HeadDifference, called: str = N_("A less B")) -> pd.DataFrame:
    """The difference of two maps, for the tokens that they share."""
    return pd.DataFrame(
        head_difference.values,
        pd.Index(head_difference.queries, name=gettext(called)),
        head_difference.keys,
    )


def largest_differences(head_difference: HeadDifference, most: int) -> pd.DataFrame:
    """The largest differences between the heads of two sentences, formatted for the page."""
    sizes = np.nan_to_num(np.abs(head_difference.values))
    order = np.argsort(-sizes, axis=None, kind="stable")[:most]
    rows = [divmod(int(at), len(head_difference.keys)) for at in order]
    names = numbered([style.token_name(token) for token in head_difference.queries])
    return pd.DataFrame(
        {
            _("from"): [names[i] for i, _ in rows],
            _("to"): [names[j] for _, j in rows],
            _("A minus B"): [style.signed(float(head_difference.values[i, j])) for i, j in rows],
        }
    ).set_index(_("from"))


def coordinates_by_depth(named: Mapping[str, Array], axes: str, first: int = 0) -> pd.DataFrame:
    """The coordinates at every depth from the first one: name -> (depths, axes)."""
    depths = len(next(iter(named.values())))
    columns = [f"{style.depth_name(first + d)} {axis}" for d in range(depths) for axis in axes]
    rows = [at[:, : len(axes)].ravel() for at in named.values()]
    return pd.DataFrame(rows, pd.Index([*named], name=_("word")), columns)


def points(named: Mapping[str, Array], axes: str) -> pd.DataFrame:
    """The coordinates at the current depth: name -> (axes,)."""
    return pd.DataFrame([*named.values()], pd.Index([*named], name=_("word")), [*axes])
