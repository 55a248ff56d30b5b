"""Excel (.xlsx): the rows of the sheet that has most of them, by openpyxl."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from .. import columns
from ..documents.archive import check_size
from ..extra import require
from ..understood import Limits, Refused, Row, Skipped
from .delimited import names_of

MOST_COLUMNS = 500
_SAMPLE = 200


def rows(
    stream: IO[bytes], limits: Limits, source: str, header: bool | None, names: tuple[str, ...]
) -> Iterator[Row | Skipped]:
    """The rows of a workbook's fullest sheet.

    Args:
        stream: the file.
        limits: what may be read of it.
        source: its name.
        header: whether the first row names the columns; None to guess.
        names: the columns, if they are said.

    Raises:
        Refused: it is damaged or too large, or openpyxl is not installed.
    """
    openpyxl = require("openpyxl")
    with zipfile.ZipFile(stream) as archive:
        xml = [one.filename for one in archive.filelist if one.filename.endswith((".xml", ".rels"))]
        check_size(archive, xml, limits)
    stream.seek(0)
    try:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        sheets = book.worksheets
        for sheet in sheets:
            sheet.reset_dimensions()  # what a file says of its size may be a billion empty cells
        counts = {i: _count(sheet) for i, sheet in enumerate(sheets)}
        if not any(counts.values()):
            raise Refused("its sheets are empty")
        at = max(counts, key=lambda i: counts[i])
        for i, sheet in enumerate(sheets):
            if i != at and counts[i]:
                size = f"{counts[i]:,} row{'s' * (counts[i] != 1)}"
                why = f"the sheet “{sheet.title[:40]}” has {size}; the fullest sheet is read"
                yield Skipped(source, "", why)
        yield from of_cells(_cells(sheets[at]), source, header, names)
    except Refused:
        raise
    except Exception as error:  # openpyxl passes on what zipfile, expat and its own code raise
        raise Refused(
            f"it is damaged ({type(error).__name__}): Excel could perhaps repair it, and save it again"
        ) from error


def _count(sheet: Any) -> int:
    return sum(1 for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row))


def _cells(sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if any(cell is not None for cell in row):
            yield number, [_value(cell) for cell in row[:MOST_COLUMNS]]


def of_cells(
    every: Iterator[tuple[int, list[Any]]], source: str, header: bool | None, given: tuple[str, ...]
) -> Iterator[Row | Skipped]:
    """The rows of a sheet.

    Args:
        every: the number and the cells of each row that is not empty; None for an empty cell.
        source: the name of the file.
        header: whether the first row names the columns; None to guess.
        given: the columns, if they are said.
    """
    first: list[tuple[int, list[Any]]] = []
    for one in every:
        first.append(one)
        if len(first) == _SAMPLE:
            break
    width = max(len(_trimmed(row)) for _, row in first)
    # A title above the table has one cell, in the first column.
    while width > 1 and len(first) > 2 and len(_trimmed(first[0][1])) < 2 <= len(_trimmed(first[1][1])):
        yield Skipped(source, f"row {first[0][0]}", "it stands above the table")
        first = first[1:]
    texts = [
        ["" if cell is None else str(cell) for cell in [*row, *[None] * width][:width]]
        for _, row in first
    ]
    if header is None:
        header = not given and columns.has_header(texts)
    names = (
        (*given, *names_of((), width, False)[len(given) :])
        if given
        else names_of(texts[0], width, header)
    )
    for number, row in first[1:] if header else first:
        yield Row(dict(zip(names, [*row, *[None] * width], strict=False)), f"row {number}")
    for number, row in every:
        yield Row(dict(zip(names, [*row, *[None] * width], strict=False)), f"row {number}")


def _trimmed(row: list[Any]) -> list[Any]:
    while row and row[-1] is None:
        row = row[:-1]
    return row


def _value(cell: Any) -> Any:
    """A cell as the other formats have it: a text or a number."""
    if isinstance(cell, str):
        return cell.replace("_x000D_", "")
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(" ")
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    if cell is None or isinstance(cell, int | float | bool):
        return cell
    return str(cell)
