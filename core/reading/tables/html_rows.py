"""A page that is one table, such as what programs export as ".xls": its rows, by lxml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from ..documents.markup import VOID
from ..understood import Refused, Row, Skipped
from .sheets import MOST_COLUMNS, of_cells

_SILENT = frozenset({"head", "title", "style", "script", "noscript", "template", "caption", "xml"})
_MOST_BESIDE = 0.2  # the share of a page's letters that may stand beside its table
_LEAST_ROWS = 2
_MOST_SPAN = 50  # columns that one cell takes up


class _Target:
    """What lxml tells while it parses: the cells of all tables, and how much stands beside them."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.tables = self.beside = 0
        self.nested = False
        self._tables: int = 0  # how deep inside tables
        self._silent = 0
        self._cell: list[str] | None = None
        self._span = 1

    def start(self, tag: str, attributes: Any = None) -> None:
        if self._silent:
            self._silent += tag not in VOID
        elif tag in _SILENT:
            self._silent = 1
        elif tag == "table":
            self.tables += 1
            self._tables += 1
            self.nested = self.nested or self._tables > 1
        elif tag == "tr" and self._tables:
            self._end_cell()
            self.rows.append([])
        elif tag in ("td", "th") and self._tables:
            self._end_cell()
            self._cell = []
            span = str((attributes or {}).get("colspan", "1")).strip()
            self._span = min(int(span), _MOST_SPAN) if span.isdecimal() and len(span) < 6 else 1
        elif tag in ("br", "p", "div", "li") and self._cell is not None:
            self._cell.append(" ")

    def end(self, tag: str) -> None:
        if self._silent:
            self._silent -= tag not in VOID
        elif tag in ("td", "th", "tr"):
            self._end_cell()
        elif tag == "table":
            self._end_cell()
            self._tables = max(0, self._tables - 1)

    def data(self, text: str) -> None:
        if self._silent:
            return
        if self._cell is not None:
            self._cell.append(text)
        else:
            self.beside += len("".join(text.split()))

    def comment(self, text: str) -> None:
        """Comments are no text."""

    def close(self) -> _Target:
        self._end_cell()
        return self

    def _end_cell(self) -> None:
        if self._cell is not None:
            if not self.rows:
                self.rows.append([])
            if len(self.rows[-1]) < MOST_COLUMNS:
                self.rows[-1] += [" ".join("".join(self._cell).split()), *[""] * (self._span - 1)]
            self._cell, self._span = None, 1


def _parsed(text: str) -> _Target:
    parser = etree.HTMLParser(target=_Target(), recover=True, no_network=True)
    try:
        parser.feed(text)
        made: _Target = parser.close()
    except etree.XMLSyntaxError as error:
        raise Refused("it is an empty page") from error
    return made


def is_table(text: str) -> bool:
    """Whether a page is one table of several rows and columns, with little beside it."""
    if "<table" not in text.lower():
        return False
    try:
        found = _parsed(text)
    except Refused:
        return False
    filled = [[cell for cell in row if cell] for row in found.rows]
    several = sum(len(row) > 1 for row in filled)
    inside = sum(len(cell) for row in filled for cell in row)
    return (
        found.tables == 1
        and not found.nested
        and several >= _LEAST_ROWS
        and 2 * several >= sum(map(bool, filled))
        and found.beside <= _MOST_BESIDE * inside
    )


def rows(
    text: str, source: str, header: bool | None, names: tuple[str, ...]
) -> Iterator[Row | Skipped]:
    """The rows of a page's table.

    Args:
        text: the page.
        source: the name of the file.
        header: whether the first row names the columns; None to guess.
        names: the columns, if they are said.

    Raises:
        Refused: it has no row.
    """
    found = _parsed(text)
    if found.beside:
        yield Skipped(source, "", "what stands beside the table")
    every: list[tuple[int, list[Any]]] = [
        (number, [cell or None for cell in row]) for number, row in enumerate(found.rows, 1) if any(row)
    ]
    if not every:
        raise Refused("its table is empty")
    yield from of_cells(iter(every), source, header, names)
