"""JSON: an array of objects or texts, one object a line, or one object that holds such an array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from json import JSONDecodeError
from typing import Any

from ...untrusted import NotJson, parse
from ..files import Lines, not_clean
from ..records import Refused, Row, Skipped

TEXT = "text"  # the column of texts that have no name


def of_lines(lines: Lines) -> Iterator[Row]:
    """The rows of a file with one value a line. What is no row is noted in `lines`."""
    for line in lines:
        if not line.strip():
            continue
        try:
            value = parse(line, most_bytes=len(line), finite=False)  # the reader bounds its lines
        except NotJson:
            lines.leave_out("it is not JSON")
            continue
        row = _cells(value)
        if row is None or not _is_clean(row):
            lines.leave_out("it is no JSON object of texts and numbers")
        else:
            yield Row(row, lines.where)


def of_value(text: str, source: str) -> Iterator[Row | Skipped]:
    """The rows of one JSON value.

    Raises:
        Refused: it is not JSON, is nested too deeply, or has no rows.
    """
    try:
        value = parse(text, most_bytes=len(text), finite=False)  # the reader bounds its files
    except NotJson as error:
        cause = error.__cause__
        why = str(error)
        if isinstance(cause, JSONDecodeError):
            why = f"there is an error in line {cause.lineno:,}"
        raise Refused(f"it is not JSON that can be read: {why}") from None
    rows = _rows(value)
    if rows is None:
        raise Refused("it is JSON without a list of objects or texts")
    for number, one in enumerate(rows, 1):
        row = _cells(one)
        if row is None or not _is_clean(row):
            yield Skipped(source, f"entry {number}", "it is no JSON object of texts and numbers")
        else:
            yield Row(row, f"entry {number}")


def _rows(value: Any) -> Sequence[Any] | None:
    """The list in a value: the longest one that an object has, or what its names stand for."""
    if isinstance(value, list):
        if value and all(isinstance(one, list) for one in value):
            return _of_lists(value)
        return value
    if not isinstance(value, dict) or not value:
        return None
    parts = list(value.values())
    aligned = all(isinstance(one, list) for one in parts) and len({len(one) for one in parts}) == 1
    if aligned and not any(isinstance(one, dict | list) for part in parts for one in part):
        return [dict(zip(value, row, strict=True)) for row in zip(*parts, strict=True)]
    if all(isinstance(one, dict) for one in parts):
        keys = list(parts[0])
        if keys and all(list(one) == keys for one in parts):
            # pandas writes columns: {"text": {"0": …, "1": …}, "label": {…}}.
            if all(key.isdecimal() for key in keys) and not all(map(str.isdecimal, value)):
                return [{name: part[key] for name, part in value.items()} for key in keys]
            return parts
        if len(parts) > 1:
            return parts
    lists = [
        one for one in parts if isinstance(one, list) and any(isinstance(x, dict | str) for x in one)
    ]
    if lists:
        return max(lists, key=len)
    inner = [found for one in parts if isinstance(one, dict) and (found := _inner(one))]
    return (
        max(inner, key=len)
        if inner
        else [value]
        if any(isinstance(one, str) for one in parts)
        else None
    )


def _inner(value: Mapping[str, Any]) -> Sequence[Any] | None:
    lists = [
        one
        for one in value.values()
        if isinstance(one, list) and any(isinstance(x, dict | str) for x in one)
    ]
    return max(lists, key=len) if lists else None


def _of_lists(rows: Sequence[list[Any]]) -> Sequence[Any]:
    """Rows that are lists: the first names the columns, if it can."""
    from .. import columns
    from .delimited import MOST_COLUMNS, names_of

    first = [str(cell) for cell in rows[0][:MOST_COLUMNS]]
    width = min(max(len(row) for row in rows[:200]), MOST_COLUMNS)
    sample = [["" if cell is None else str(cell) for cell in row[:width]] for row in rows[:200]]
    if all(isinstance(cell, str) for cell in rows[0]) and columns.has_header(sample):
        names, body = names_of(first, width, True), rows[1:]
    else:
        names, body = names_of(first, width, False), rows
    return [dict(zip(names, row, strict=False)) for row in body]


def _cells(value: Any) -> dict[str, Any] | None:
    """One row; the object inside an object that holds only that, as data sets on the web give rows."""
    if isinstance(value, str):
        return {TEXT: value}
    if not isinstance(value, dict):
        return None
    inner = [one for one in value.values() if isinstance(one, dict)]
    if len(inner) == 1 and not any(isinstance(one, str) for one in value.values()):
        return inner[0]
    return value


def _is_clean(row: Mapping[str, Any]) -> bool:
    return not any(not_clean(one) for one in row.values() if isinstance(one, str))
