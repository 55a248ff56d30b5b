"""The one writer of CSV: a table that a spreadsheet shows as it is, whoever typed its words.

A spreadsheet takes a cell such as `=HYPERLINK(…)` for a formula and runs it as the file is opened, and
the cells of our tables hold what visitors, texts of a corpus and tokenizers say. An apostrophe before
such a cell makes it text. `core/figures/web/src/static/numbers.js` does the same in the browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from csv import writer as plain_writer
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import pandas as pd

DIGITS = "%.9g"  # of a number; float32 has no more
_FORMULA = re.compile(r"[=+\-@＝＋－＠]")
_MADE_INERT = re.compile(f"'(?={_FORMULA.pattern})")
_BLANK = re.compile(r"[\s\x00-\x1f\x85\ufeff]")
# At these, a spreadsheet may cut a cell in two: the separators of some countries, and ends of lines.
_CUTS = frozenset(";\t\r\n")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def csv(table: pd.DataFrame, *, index: bool = True) -> str:
    """A table as CSV, nine digits for each number that is no whole one.

    Args:
        table: its cells, its columns and its index may hold anything; only strings are changed, and
            only those that a spreadsheet would take for a formula.
        index: whether to write the index, as the first columns.
    """
    import pandas as pd

    safe: Any = table.copy(deep=False)
    for i, kind in enumerate(table.dtypes):
        if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_datetime64_any_dtype(kind)):
            cells = [_cell(one) for one in table.iloc[:, i]]
            safe.isetitem(i, pd.Series(cells, table.index, object))
    safe.columns = _labels(table.columns)
    safe.index = _labels(table.index)
    return str(safe.to_csv(index=index, float_format=DIGITS, lineterminator="\n"))


def writer(stream: TextIO, delimiter: str = ",") -> Callable[[Sequence[object]], None]:
    """A function that writes one row after another, for a table that is longer than the memory.

    Args:
        stream: where the rows go.
        delimiter: what stands between two cells.
    """
    write = plain_writer(stream, delimiter=delimiter, lineterminator="\n").writerow

    def row(cells: Sequence[object]) -> None:
        write([_cell(one) for one in cells])

    return row


def rules() -> dict[str, str]:
    """The rules by which `inert` goes, for those who write cells in JavaScript."""
    return {
        "formula": _FORMULA.pattern,
        "blank": _BLANK.pattern,
        "cuts": "".join(sorted(_CUTS)),
        "number": _NUMBER.pattern,
    }


def inert(cell: str) -> str:
    """A cell that a spreadsheet does not take for a formula; a number stays one."""
    if _NUMBER.fullmatch(cell):
        return cell
    pieces, done = ["'" if cell[:1] in ("\t", "\r", "\n") else ""], 0
    for found in _FORMULA.finditer(cell):
        if _begins(cell, found.start()):
            pieces += [cell[done : found.start()], "'"]
            done = found.start()
    return "".join([*pieces, cell[done:]])


def as_typed(cell: str) -> str:
    """The cell out of which `inert` made this one; a cell that it did not make stays as it is."""
    before = _MADE_INERT.sub("", cell)
    return before if inert(before) == cell else cell


def _begins(cell: str, at: int) -> bool:
    """Whether only blanks stand between this sign and the beginning of a cell."""
    while at and _BLANK.match(cell, at - 1):
        at -= 1
        if cell[at] in _CUTS:
            return True
    return at == 0 or cell[at - 1] in _CUTS


def as_written(cell: str) -> str:
    """A cell of text as it stands in a file: what two texts have in common that read back alike."""
    # Python's writer does not quote a carriage return alone, at which a reader ends the row.
    return inert(cell).replace("\r\n", "\n").replace("\r", "\n")


def _cell(value: Any) -> Any:
    return as_written(value) if isinstance(value, str) else value


def _labels(index: Any) -> Any:
    """The labels of rows or columns, and their names."""
    import pandas as pd

    names = [_cell(name) for name in index.names]
    if isinstance(index, pd.MultiIndex):
        return pd.MultiIndex.from_tuples([tuple(map(_cell, one)) for one in index], names=names)
    if not any(isinstance(one, str) for one in index):
        return index.rename(names[0])
    return pd.Index([_cell(one) for one in index], dtype=object, name=names[0])
