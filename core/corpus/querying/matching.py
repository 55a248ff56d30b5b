"""Which texts count, said by the values of their columns: a genre, a year, a range of years.

A value never becomes a part of the condition as it was typed, but a value in quotation marks, or a
number: what a link or a form says can be of anybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import CorpusError
from ..storage.columns import Value
from ..storage.filters import quoted
from ..storage.manifest import Manifest

SOURCE = "source"
MOST_VALUE = 300  # characters
# A number, or two with a dash between them: 1990, 1990–1999, -3.5 - 2.
_RANGE = re.compile(r"\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*(?:[-–—]\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*)?")


def matching(manifest: Manifest, conditions: Sequence[tuple[str, str]]) -> str | None:
    """The filter for texts that meet all conditions; None without any.

    Args:
        manifest: of the corpus.
        conditions: columns, each with the value that it has, or of numbers a range, such as 1990–1999.

    Raises:
        CorpusError: the corpus has no such column, or the value of a numeric one is no number.
    """
    return " AND ".join(_condition(manifest, *one) for one in conditions) or None


def _condition(manifest: Manifest, column: str, value: str) -> str:
    kind = "text" if column == SOURCE else manifest.columns.get(column)
    if kind is None:
        raise CorpusError(
            "This corpus has no column “{column}” to choose texts by.",
            column=column[:40],
        )
    if kind == "text":
        return f"{column} = {quoted(value[:MOST_VALUE])}"
    found = _RANGE.fullmatch(value[:MOST_VALUE])
    if found is None:
        raise CorpusError(
            "“{column}” holds numbers: choose one, such as 1990, or a range, such as 1990–1999.",
            column=column,
        )
    low, high = found[1], found[2] or found[1]
    return f"{column} >= {low} AND {column} <= {high}"


def typed(value: Value | tuple[float, float]) -> str:
    """A value, or the first and the last number of a range, as it is typed."""
    return f"{value[0]}–{value[1]}" if isinstance(value, tuple) else str(value)
