"""The one reader: what a file is and how it is to be read; then its passages, one after the other.

    found = understand(path)
    for one in passages(path, found): ...

`understand` looks at the beginning of a file and guesses what nobody has said. `passages` reads it so,
the same each time. What is read line by line may be larger than the memory.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from . import columns, encodings, formats, units
from .documents import conllu, subtitles
from .documents.report import Report
from .files import BROKEN, File, Lines, damage
from .isolated import read_isolated
from .tables import delimited, html_rows, json_rows
from .understood import GUESS, OWN, Choices, Dialect, Limits, Passage, Refused, Row, Skipped, Understood
from .whole import read_whole

__all__ = ["Passage", "as_file", "passages", "understand"]

_BREAK = re.compile(r"<br ?/?>", re.I)  # in reviews that were taken from the web
MOST_KEPT = 20 * 10**6  # bytes of a file whose content is kept between two looks at it
PEEK = 200  # rows that are looked at to find the columns
_LINES = ("text", "delimited", "jsonl", "srt", "vtt", "conllu")  # read line by line


def as_file(given: File | Path | str) -> File:
    """A file by its path, or as it is."""
    return given if isinstance(given, File) else File(Path(given).name, Path(given))


def understand(given: File | Path | str, choices: Choices = GUESS, limits: Limits = OWN) -> Understood:
    """How a file is to be read: what the choices say, and the rest guessed from its beginning.

    Args:
        given: the file, or its path.
        choices: what is said.
        limits: what it may cost.

    Raises:
        Refused: it is no text, or cannot be read; the message is a clause that says why.
    """
    file = as_file(given)
    if file.size > limits.packed:
        raise Refused(
            f"it takes up {file.size / 1e6:.1f} MB; at most {limits.packed / 1e6:.0f} MB are accepted"
        )
    try:
        return _understand(file, choices, limits)
    except BROKEN as error:
        raise Refused(damage(error)) from error


def _understand(file: File, choices: Choices, limits: Limits) -> Understood:
    packed = file.packed()
    head = file.head(packed, limits)
    if not head:
        raise Refused("it is empty")
    kind = formats.of_bytes(file.name, head, None if packed else file.open)
    if packed and kind is not None:
        raise Refused(f"it is {formats.NAMES[kind]} inside a compressed file: unpack it")
    if kind is not None:
        return _read_as(file, Understood(kind, "", packed), choices, limits, {"format"})
    try:
        return _text_read_as(file, head, packed, choices, limits)
    except Refused as error:
        error.otherwise = True
        raise


def _text_read_as(file: File, head: bytes, packed: str, choices: Choices, limits: Limits) -> Understood:
    """What is told by letters: how they are encoded, and what they are."""
    guessed = {"format"}
    encoding = _encoding(file, head, packed, choices, limits)
    text = _start(head, encoding)
    wide = encoding.startswith(("utf-16", "utf-32"))
    formats.check_text(text.encode("utf-8", "replace") if wide else head)
    kind = formats.of_text(file.name, text)
    if kind == "xml":
        encoding = choices.encoding or ""  # the file says it itself
    if kind == "html" and html_rows.is_table(file.whole(packed, limits).decode(encoding, "replace")):
        kind = "table"
    if choices.encoding is None and encoding:
        guessed.add("encoding")
    return _read_as(file, Understood(kind, encoding, packed), choices, limits, guessed)


def _read_as(
    file: File, found: Understood, choices: Choices, limits: Limits, guessed: set[str]
) -> Understood:
    """Its columns, and whether it is running text."""
    if found.format in ("text", "conllu") or (found.format == "jsonl" and choices.delimiter):
        found = _lines(file, found, choices, limits, guessed)
    if found.format in formats.TABLES:
        found = _table(file, found, choices, limits, guessed)
    return _units(file, found, choices, limits, guessed)


def _encoding(file: File, head: bytes, packed: str, choices: Choices, limits: Limits) -> str:
    if choices.encoding is not None:
        name = encodings.known(choices.encoding)
        if name is None:
            raise Refused(f"there is no encoding “{choices.encoding[:40]}”")
        if name in ("utf-16", "utf-32") and encodings.with_mark(head) is None:
            name = f"{name}-le"  # without a mark, nearly always
        return name
    from .documents.markup import declared

    marked = head[:200].lstrip().startswith(b"<") or formats.ending(file.name) in (".html", ".htm")
    return file.encoding(packed, limits, declared(head) if marked else None)


def _start(head: bytes, encoding: str) -> str:
    """The text of the first bytes; the last letter may be cut."""
    return head.decode(encoding, "replace").removeprefix("\ufeff")


def _lines_of(file: File, found: Understood, limits: Limits) -> Lines:
    damaged = found.dialect is not None
    return Lines(file, found.packed, found.encoding, limits, damaged=damaged)


def _peeked(file: File, found: Understood, limits: Limits) -> list[str]:
    """The first lines; of a damaged file, those that are there."""
    kept: list[str] = []
    try:
        lines = Lines(file, found.packed, found.encoding, limits, damaged=True)
        for line in islice(lines, delimited.SAMPLE_LINES):
            kept.append(line)
            if sum(map(len, kept[-50:])) > delimited.SAMPLE_LETTERS:
                break
    except BROKEN:
        if not kept:
            raise
    return kept


def _lines(
    file: File, found: Understood, choices: Choices, limits: Limits, guessed: set[str]
) -> Understood:
    """A text or a delimited table: the lines decide."""
    if found.format == "conllu" and choices.delimiter is None:
        return found
    lines = _peeked(file, found, limits)
    said = choices.delimiter or choices.names or choices.header is not None or choices.text
    if choices.delimiter == "" or (choices.running and not said and found.format != "delimited"):
        dialect = None
        if choices.delimiter == "" and formats.ending(file.name) in (".csv", ".tsv"):
            dialect = delimited.detect(lines, formats.ending(file.name), delimiter="")
            dialect = dialect if dialect is not None and dialect.quote else None
    else:
        dialect = delimited.detect(
            lines, formats.ending(file.name), delimiter=choices.delimiter, names=choices.names
        )
    if dialect is None:
        wrapped = units.is_wrapped(lines)
        return replace(
            found, format="text", wrapped=wrapped, first_line=units.own_lines(lines), dialect=None
        )
    if choices.delimiter is None:
        guessed.add("delimiter")
    return replace(found, format="delimited", dialect=dialect)


def _table(
    file: File, found: Understood, choices: Choices, limits: Limits, guessed: set[str]
) -> Understood:
    """The header and the columns of a table."""
    header = choices.header
    if found.dialect is not None:
        names, header = _header(file, found, found.dialect, choices, limits)
        found = replace(found, header=header, columns=names)
    elif found.format in formats.SHEETS:
        found = replace(found, header=header)
    if found.format in ("delimited", *formats.SHEETS) and choices.header is None and not choices.names:
        guessed.add("header")
    with closing(_rows(file, found, choices, limits)) as given:
        peeked = list(islice(given, PEEK))
    rows = [one.cells for one in peeked if isinstance(one, Row)]
    left_out = [one for one in peeked if isinstance(one, Skipped)]
    if not rows and left_out:
        raise Refused(f"{left_out[0].where}: {left_out[0].why}".removeprefix(": "))
    names = found.columns or tuple(dict.fromkeys(str(name) for row in rows for name in row))
    names = names[: delimited.MOST_COLUMNS]
    if found.format in formats.SHEETS and header is None:
        found = replace(found, header=not all(name.startswith("column ") for name in names))
    text = _text(names, rows, choices)
    if choices.text is None:
        guessed.add("text")
    if choices.label is None:
        guessed.add("label")
        label = columns.label_column(names, rows, text)
        if found.dialect is not None and found.dialect.marked:
            label = names[0]
    else:
        label = columns.named(choices.label, names) or "" if choices.label else ""
        if choices.label and not label:
            raise Refused(f"the table has no column “{choices.label[:40]}”")
        label = "" if label == text else label
    return replace(found, columns=names, text=text, label=label)


def _text(names: Sequence[str], rows: Sequence[Mapping[str, Any]], choices: Choices) -> str:
    if choices.text is not None:
        text = columns.named(choices.text, names)
        if text is None:
            raise Refused(f"the table has no column “{choices.text[:40]}”")
        return text
    if (found := columns.text_column(names, rows)) is None:
        raise Refused("the table has no column of texts" if rows else "it has no row below its header")
    return found


def _header(
    file: File, found: Understood, dialect: Dialect, choices: Choices, limits: Limits
) -> tuple[tuple[str, ...], bool]:
    """The names of the columns of a delimited table, and whether its first row holds them."""
    lines = delimited.without_rules(_peeked(file, found, limits))
    for _ in islice(lines, dialect.prelude):
        pass
    if dialect.marked:
        return ("label", "text"), False
    body = list(lines)
    rows = [
        delimited.trimmed(row, dialect.width)
        for row in delimited.parsed(body, dialect)
        if any(map(str.strip, row))
    ][:PEEK]
    if not rows:
        return delimited.names_of((), dialect.width, False), False
    if choices.names:
        # Names are given for files without a header, and one that has them nevertheless has one.
        header = choices.header or [*map(columns.plain_name, rows[0])] == [
            *map(columns.plain_name, choices.names)
        ]
        given = (*choices.names, *delimited.names_of((), dialect.width, False)[len(choices.names) :])
        return given[: max(len(choices.names), dialect.width)], bool(header)
    if choices.header is not None:
        header = choices.header
    else:
        fits = [row for row in rows if len(row) == dialect.width]
        header = len(rows[0]) == dialect.width and columns.has_header(fits)
        wanted = [one for one in (choices.text, choices.label) if one and not one.isdecimal()]
        if not header and wanted:
            header = all(columns.named(one, rows[0]) for one in wanted)
    return delimited.names_of(rows[0], dialect.width, header), header


def _units(
    file: File, found: Understood, choices: Choices, limits: Limits, guessed: set[str]
) -> Understood:
    """Whether its texts are running."""
    if choices.running is not None:
        return replace(found, running=choices.running, guessed=frozenset(guessed))
    guessed.add("running")
    if found.format == "conllu" or (found.dialect is not None and found.dialect.marked):
        running = False
    elif found.format in ("srt", "vtt", "pdf") or found.wrapped:
        running = True
    else:
        with closing(_passages(file, found, choices, limits)) as given:
            texts = [one.text for one in islice(given, units.SAMPLE) if isinstance(one, Passage)]
        running = units.is_running(texts, choices.language)
    return replace(found, running=running, guessed=frozenset(guessed))


def passages(
    given: File | Path | str,
    found: Understood,
    choices: Choices = GUESS,
    limits: Limits = OWN,
) -> Iterator[Passage | Skipped]:
    """The passages of a file, in order, and what is left out of it. It raises nothing.

    Args:
        given: the file, or its path.
        found: how it is read.
        choices: those from which `found` came.
        limits: what it may cost.
    """
    file = as_file(given)
    count = 0
    try:
        for one in _passages(file, found, choices, limits):
            count += isinstance(one, Passage)
            yield one
    except Refused as error:
        yield Skipped(file.name, "", f"the rest cannot be read: {error}" if count else str(error))
    except BROKEN as error:
        why = f"the rest cannot be read: {damage(error)}" if count else damage(error)
        yield Skipped(file.name, "", why)


def _passages(
    file: File, found: Understood, choices: Choices, limits: Limits
) -> Generator[Passage | Skipped, None, None]:
    if found.format in formats.TABLES:
        yield from _texts(file, found, _rows(file, found, choices, limits))
    elif found.format in _LINES:
        yield from _of_lines(file, found, limits)
    else:
        yield from _whole(file, found, choices, limits)  # type: ignore[misc]


def _of_lines(file: File, found: Understood, limits: Limits) -> Iterator[Passage | Skipped]:
    lines = _lines_of(file, found, limits)
    report = Report()
    if found.format == "conllu":
        every = conllu.passages(lines)
    elif found.format in ("srt", "vtt"):
        every = subtitles.passages(lines, report, cues=not found.running)
    else:
        wrapped = found.wrapped and found.running
        every = units.passages(lines, wrapped=wrapped, first_line=found.first_line)
    yield from _reported(lines, every)
    yield from report.skipped(file.name)


def _reported(lines: Lines, every: Iterator[Any]) -> Iterator[Any]:
    """Each of them, after what was left out before it; and after the last one, the rest."""
    try:
        for one in every:
            yield from lines.reports()
            yield one
    except BROKEN as error:
        yield from lines.reports()
        raise Refused(f"{damage(error)} (after {lines.where or 'its beginning'})") from error
    except csv.Error as error:
        yield from lines.reports()
        raise Refused(f"{error} ({lines.where}); perhaps a quotation mark is never closed") from error
    yield from lines.reports()


def _whole(
    file: File, found: Understood, choices: Choices, limits: Limits
) -> Iterator[Row | Passage | Skipped]:
    how = (choices.header, choices.names, found.encoding or None, found.packed)
    if found.format not in limits.isolated:
        yield from read_whole(file, found.format, limits, *how)
        return
    if (found.format, *how) not in file.kept:
        given = read_isolated(file, found.format, limits, *how)
        if file.size > MOST_KEPT:
            yield from given
            return
        file.kept.clear()
        file.kept[found.format, *how] = list(given)
    yield from file.kept[found.format, *how]


def _rows(
    file: File, found: Understood, choices: Choices, limits: Limits
) -> Generator[Row | Skipped, None, None]:
    if found.format == "delimited":
        assert found.dialect is not None
        lines = _lines_of(file, found, limits)
        every = delimited.rows(
            lines,
            found.dialect,
            found.columns,
            header=bool(found.header),
            text=found.text,
            encoding=found.encoding,
        )
        yield from _reported(lines, every)
    elif found.format == "jsonl":
        lines = _lines_of(file, found, limits)
        yield from _reported(lines, json_rows.of_lines(lines))
    else:
        yield from _whole(file, found, choices, limits)  # type: ignore[misc]


def _texts(file: File, found: Understood, rows: Iterator[Row | Skipped]) -> Iterator[Passage | Skipped]:
    """The texts of rows, and their other columns."""
    decimal = found.dialect is not None and found.dialect.delimiter == ";"
    for row in rows:
        if isinstance(row, Skipped):
            yield row
            continue
        text = row.cells.get(found.text)
        if not isinstance(text, str) or not text.strip():
            yield Skipped(file.name, row.where, f"it has no text in “{found.text}”")
            continue
        text = _BREAK.sub("\n", text)
        others = {name: cell for name, cell in row.cells.items() if name != found.text}
        if decimal:
            others = {name: _with_point(cell) for name, cell in others.items()}
        yield Passage(text, others, row.where)


def _with_point(cell: Any) -> Any:
    """A number with a decimal comma, as tables with semicolons have them, with a point."""
    if isinstance(cell, str) and len(cell) < 30 and cell.count(",") == 1:
        whole, _, rest = cell.strip().lstrip("-+").partition(",")
        if whole.isdecimal() and rest.isdecimal() and cell.isascii():
            return cell.strip().replace(",", ".")
    return cell
