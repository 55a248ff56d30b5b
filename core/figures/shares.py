"""The share of each group for each value of a column, with intervals: `charts/shares.js`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..measures.senses.shares import Share
from .cloud import Group
from .labels import written
from .picture import Picture

_ROW, _AROUND = 26, 78  # pixels


def share_dots(
    shares: Sequence[Share],
    groups: Sequence[Group],
    *,
    names: Sequence[str],
    axis: str,
    sentence: str,
    name: str,
    chosen: int | None = None,
) -> Picture:
    """A row for each value, a panel for each group; a mark is a share, and a line its interval.

    Args:
        shares: those of all values and groups; the `sense` of each is the number of its group, from 0.
            Rows are in the order in which values first occur.
        groups: the groups, each with a colour and a mark.
        names: the name of each row.
        axis: the title below the panels.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        chosen: the group whose panel is emphasised.

    Raises:
        ValueError: there is nothing to draw, or sizes do not fit.
    """
    totals = {one.value: one.total for one in shares}
    if not totals or len(names) != len(totals):
        raise ValueError(f"{len(names)} names do not fit {len(totals)} values.")
    row_of = {value: row for row, value in enumerate(totals)}
    values = np.full((len(totals), len(groups), 3), np.nan, "<f4")
    counts = [[0] * len(groups) for _ in totals]
    for one in shares:
        group = one.sense
        if not isinstance(group, int) or not 0 <= group < len(groups):
            raise ValueError(f"There are {len(groups)} groups, counted from 0.")
        values[row_of[one.value], group] = one.share, one.low, one.high
        counts[row_of[one.value]][group] = one.count
    header = {
        "rows": [
            {"name": written(name), "total": total}
            for name, total in zip(names, totals.values(), strict=True)
        ],
        "groups": [group.header() for group in groups],
        "counts": counts,
        "chosen": chosen,
        "axis": written(axis),
        "height": _ROW * len(totals) + _AROUND,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return Picture("shares", header, values.tobytes())
