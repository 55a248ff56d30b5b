"""Which lines of a word are shown: of which texts, and which of these; as a link says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from core.corpus import Manifest
from core.corpus.querying.matching import matching
from core.corpus.querying.picking import ALL, Pick, Way
from core.localization import _
from ui import text

MOST_CONDITIONS = 4


class Selection(NamedTuple):
    """A selection of lines.

    Attributes:
        conditions: columns whose values decide, each with the value that it has; of numbers, also the
            first and the last one: 1990–1999. A text counts that meets all of them.
        way: which of these lines; see `core.corpus.querying.picking.Pick`.
        size: the same.
    """

    conditions: tuple[tuple[str, str], ...] = ()
    way: Way = "all"
    size: int = 100

    @property
    def pick(self) -> Pick:
        """Which of the lines."""
        return ALL if self.way == "all" else Pick(self.way, self.size)

    def where(self, manifest: Manifest) -> str | None:
        """The filter over the columns; None for all texts.

        Raises:
            CorpusError: see `core.corpus.querying.matching.matching`.
        """
        return matching(manifest, self._meant())

    def in_words(self) -> str:
        """The conditions in a sentence (Markdown): "*genre* is *spoken* and *year* is *1990–1999*"."""
        return _and(
            _("*{column}* is *{value}*").format(
                column=text.plain(column_name(column)), value=text.plain(value)
            )
            for column, value in self._meant()
        )

    def quoted(self) -> str:
        """The same in plain text: “genre” is “spoken” and “year” is “1990–1999”."""
        return _and(
            _("“{column}” is “{value}”").format(column=column_name(column), value=value)
            for column, value in self._meant()
        )

    def _meant(self) -> list[tuple[str, str]]:
        return [
            (column, value.strip()) for column, value in self.conditions if column and value.strip()
        ]


EVERY = Selection()


def column_name(name: str) -> str:
    """A column as the screen names it: that of files is ours, the others are their corpus’ own."""
    return _("source") if name == "source" else name


def _and(parts: Iterable[str]) -> str:
    """Conditions in a row, all of which hold."""
    return _(" and ").join(parts)
