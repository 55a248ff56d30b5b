"""Which lines of a word are shown: of which texts, and which of these; as a link says it."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.corpus import Manifest
from core.corpus.querying.picking import ALL, Pick, Way
from core.corpus.storage.filters import quoted
from core.errors import CorpusError

SOURCE = "source"
# A number, or two with a dash between them: 1990, 1990–1999, -3.5 - 2.
_RANGE = re.compile(r"\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*(?:[-–—]\s*(-?\d{1,15}(?:\.\d{1,9})?)\s*)?")
MOST_VALUE = 300  # characters


class Selection(NamedTuple):
    """A selection of lines.

    Attributes:
        column: the column whose values decide; "" for all texts.
        value: the value that it has; of numbers, also the first and the last one: 1990–1999.
        way: which of these lines; see `core.corpus.querying.picking.Pick`.
        size: the same.
    """

    column: str = ""
    value: str = ""
    way: Way = "all"
    size: int = 100

    @property
    def pick(self) -> Pick:
        """Which of the lines."""
        return ALL if self.way == "all" else Pick(self.way, self.size)

    def where(self, manifest: Manifest) -> str | None:
        """The filter over the columns; None for all texts.

        What a link says is never a part of it, but a value in quotation marks, or a number.

        Raises:
            CorpusError: the corpus has no such column, or the value of a numeric one is no number.
        """
        value = self.value.strip()
        if not self.column or not value:
            return None
        kind = "text" if self.column == SOURCE else manifest.columns.get(self.column)
        if kind is None:
            raise CorpusError(f"This corpus has no column “{self.column[:40]}” to choose texts by.")
        if kind == "text":
            return f"{self.column} = {quoted(value[:MOST_VALUE])}"
        found = _RANGE.fullmatch(value[:MOST_VALUE])
        if found is None:
            raise CorpusError(
                f"“{self.column}” holds numbers: choose one, such as 1990, or a range, such as "
                "1990–1999."
            )
        low, high = found[1], found[2] or found[1]
        return f"{self.column} >= {low} AND {self.column} <= {high}"


EVERY = Selection()
