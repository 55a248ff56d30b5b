"""Text files as passages: what is in them, one after the other, and what had to be left out.

Folders are searched. `.txt` holds paragraphs between blank lines; `.csv`, `.tsv`, `.jsonl` and
`.parquet` hold a text in each row, and columns beside it. All but `.parquet` may be gzipped.
A file is read twice, and gives the same passages each time, because a build that was interrupted goes
on where it stopped.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from ...errors import CorpusError, in_short
from ...untrusted import NotJson, parse
from .columns import Value, column_names, value_of

FORMATS = (".txt", ".csv", ".tsv", ".jsonl", ".parquet")
# Names by which a column of texts is known; otherwise it is the one with the longest values.
TEXT_COLUMNS = ("text", "sentence", "content", "body", "passage", "paragraph")
MOST_LINE = 16_000_000  # bytes: a longer line is no text
_PEEK = 100  # rows that are looked at to find the column of texts
_BROKEN = (OSError, EOFError, zlib.error, csv.Error, pa.ArrowException)


@dataclass(frozen=True)
class Source:
    """One file.

    Attributes:
        name: its name in the corpus: its path below the folder that was given, with that folder's name.
        path: where it lies.
        size: in bytes.
        digest: BLAKE2b of its content, in hexadecimal.
    """

    name: str
    path: Path
    size: int
    digest: str


@dataclass(frozen=True)
class Passage:
    """A paragraph, or the text of a row, with the columns of that row."""

    text: str
    columns: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Skipped:
    """Something that is not in the corpus.

    It quotes nothing of the text: the manifest keeps it, and what is deleted must be in no file.

    Attributes:
        source: the file.
        where: the place in it ("line 3"), or "" for all of it.
        why: the reason, as a clause.
    """

    source: str
    where: str
    why: str

    def __str__(self) -> str:
        place = f"{self.source}, {self.where}" if self.where else self.source
        return f"{place}: {self.why}"


@dataclass(frozen=True)
class Layout:
    """How tables are to be read.

    Attributes:
        text: the name of the column of texts; None to find it.
        names: the names of the columns of files without a header; empty if they have one, or none.
    """

    text: str | None = None
    names: tuple[str, ...] = ()


def sources(given: Iterable[Path | str]) -> tuple[list[Source], list[Skipped]]:
    """The files under some paths, in the order of their names, and what is no text.

    Raises:
        CorpusError: a path does not exist, or there is no file that could be read.
    """
    found: list[Source] = []
    skipped: list[Skipped] = []
    files_seen: set[tuple[int, int]] = set()
    names: set[str] = set()
    for root in map(Path, given):
        if not root.exists():
            raise CorpusError(f"There is no file or folder “{root}”.")
        folder = root.is_dir()
        files = sorted(path for path in root.rglob("*") if path.is_file()) if folder else [root]
        for path in files:
            inside = path.relative_to(root)
            name = f"{root.resolve().name}/{inside.as_posix()}" if folder else path.name
            if folder and any(part.startswith(".") for part in inside.parts):
                skipped.append(Skipped(name, "", "it is hidden"))
            elif _format(path) is None:
                skipped.append(
                    Skipped(name, "", f"its name ends in none of {', '.join(FORMATS)} (.gz)")
                )
            else:
                name = str(path) if name in names else name
                status = path.stat()
                if (status.st_dev, status.st_ino) in files_seen:
                    skipped.append(Skipped(name, "", "it was given twice"))
                    continue
                files_seen.add((status.st_dev, status.st_ino))
                names.add(name)
                try:
                    found.append(Source(name, path, status.st_size, _digest(path)))
                except OSError as error:
                    skipped.append(Skipped(name, "", f"it cannot be read: {in_short(error)}"))
    if not found:
        raise CorpusError(f"None of these texts can be read. Known are {', '.join(FORMATS)}, and .gz.")
    return found, skipped


def read(source: Source, layout: Layout) -> Iterator[Passage | Skipped]:
    """The passages of a file, in order, and what in it cannot be read."""
    kind = _format(source.path)
    lines = _Lines(source)
    try:
        if kind == ".txt":
            yield from _paragraphs(source, lines)
        elif kind == ".jsonl":
            yield from _table(source, _json_rows(source, lines), layout)
        elif kind == ".parquet":
            yield from _table(source, _parquet_rows(source), layout)
        else:
            yield from _table(source, _csv_rows(source, lines, layout, tabs=kind == ".tsv"), layout)
    except _BROKEN as error:
        yield Skipped(source.name, lines.where, f"the rest cannot be read: {in_short(error)}")


def _format(path: Path) -> str | None:
    name = path.name.lower()
    kind = Path(name.removesuffix(".gz")).suffix
    packed = name.endswith(".gz")
    return kind if kind in FORMATS and not (packed and kind == ".parquet") else None


def _is_packed(path: Path) -> bool:
    return path.name.lower().endswith(".gz")


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


class _Lines:
    """The lines of a file, decoded. What is not UTF-8 stays in them as surrogates; see `_is_clean`."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.number = 0
        self.too_long: list[Skipped] = []

    @property
    def where(self) -> str:
        return f"line {self.number}" if self.number else ""

    def _open(self) -> IO[bytes]:
        path = self.source.path
        return cast(IO[bytes], gzip.open(path)) if _is_packed(path) else path.open("rb")

    def __iter__(self) -> Iterator[str]:
        with self._open() as stream:
            while line := stream.readline(MOST_LINE):
                self.number += 1
                if len(line) == MOST_LINE and not line.endswith(b"\n"):
                    while (rest := stream.readline(MOST_LINE)) and not rest.endswith(b"\n"):
                        pass
                    why = f"the line is longer than {MOST_LINE:,} bytes"
                    self.too_long.append(Skipped(self.source.name, self.where, why))
                    continue
                if self.number == 1:
                    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
                        raise OSError("it is UTF-16; save it as UTF-8")
                    line = line.removeprefix(b"\xef\xbb\xbf")
                yield line.decode("utf-8", "surrogateescape")

    def reports(self) -> Iterator[Skipped]:
        """What was too long since the last call."""
        yield from self.too_long
        self.too_long.clear()


def _is_clean(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


def _not_utf8(source: Source, where: str) -> Skipped:
    return Skipped(source.name, where, "it is not UTF-8")


def _paragraphs(source: Source, lines: _Lines) -> Iterator[Passage | Skipped]:
    """Lines that follow each other are one paragraph, since many texts are wrapped."""
    paragraph: list[str] = []
    for line in lines:
        yield from lines.reports()
        if not _is_clean(line):
            yield _not_utf8(source, lines.where)
        elif line.strip():
            paragraph.append(line.strip())
            continue
        if paragraph:
            yield Passage(" ".join(paragraph))
            paragraph = []
    yield from lines.reports()
    if paragraph:
        yield Passage(" ".join(paragraph))


_Row = tuple[str, Mapping[str, Any]]


def _csv_rows(source: Source, lines: _Lines, layout: Layout, *, tabs: bool) -> Iterator[_Row | Skipped]:
    """Rows as (place, column -> value); a first row that names no column of texts is no header."""
    csv.field_size_limit(MOST_LINE)
    given = iter(lines)
    first = next(given, "")
    separator = "\t" if tabs else max(",;", key=first.count)
    # Corpora in .tsv quote nothing, and their texts contain single quotation marks.
    given_rows = chain([first], given)
    rows = (
        csv.reader(given_rows, delimiter=separator, quoting=csv.QUOTE_NONE)
        if tabs
        else csv.reader(given_rows, delimiter=separator)
    )
    names: Sequence[str] | None = layout.names or None
    for row in rows:
        yield from lines.reports()
        if names is None:
            known = {*TEXT_COLUMNS, *([layout.text.lower()] if layout.text else [])}
            if known & {cell.strip().lower() for cell in row}:
                names = row
                continue
            names = [f"column {number}" for number in range(1, len(row) + 1)]
        if row == []:
            continue
        if not all(map(_is_clean, row)):
            yield _not_utf8(source, lines.where)
        elif len(row) != len(names):
            yield Skipped(source.name, lines.where, f"{len(row)} columns, not {len(names)}")
        else:
            yield lines.where, dict(zip(names, row, strict=True))
    yield from lines.reports()


def _json_rows(source: Source, lines: _Lines) -> Iterator[_Row | Skipped]:
    for line in lines:
        yield from lines.reports()
        if not line.strip():
            continue
        if not _is_clean(line):
            yield _not_utf8(source, lines.where)
            continue
        try:
            row = parse(line, most_bytes=MOST_LINE, finite=False)
        except NotJson:
            yield Skipped(source.name, lines.where, "it is not JSON")
            continue
        if isinstance(row, dict) and all(
            _is_clean(one) for one in row.values() if isinstance(one, str)
        ):
            yield lines.where, row
        else:
            yield Skipped(source.name, lines.where, "it is no JSON object of texts and numbers")
    yield from lines.reports()


def _parquet_rows(source: Source) -> Iterator[_Row | Skipped]:
    import pyarrow.parquet as pq

    number = 0
    with pq.ParquetFile(source.path) as file:
        for batch in file.iter_batches(batch_size=1_000):
            for row in batch.to_pylist():
                number += 1
                yield f"row {number}", row


def _table(
    source: Source, rows: Iterator[_Row | Skipped], layout: Layout
) -> Iterator[Passage | Skipped]:
    """The texts of rows, and their other columns."""
    first = list(islice(rows, _PEEK))
    column = _text_column([row[1] for row in first if not isinstance(row, Skipped)], layout)
    if column is None:
        yield from (one for one in first if isinstance(one, Skipped))
        named = f"has no column “{layout.text}”" if layout.text else "has no column of texts"
        yield Skipped(source.name, "", f"the table {named}")
        return
    for row in chain(first, rows):
        if isinstance(row, Skipped):
            yield row
            continue
        where, values = row
        text = values.get(column)
        if not isinstance(text, str):
            yield Skipped(source.name, where, f"it has no text in “{column}”")
            continue
        others = [name for name in values if name != column]
        yield Passage(
            text,
            {
                name: value_of(values[key])
                for key, name in zip(others, column_names(map(str, others)), strict=True)
            },
        )


def _text_column(rows: Sequence[Mapping[str, Any]], layout: Layout) -> str | None:
    lengths: dict[str, int] = {}
    for row in rows:
        for name, value in row.items():
            if isinstance(value, str):
                lengths[name] = lengths.get(name, 0) + len(value)
    wanted = (layout.text,) if layout.text else TEXT_COLUMNS
    for name in wanted:
        for column in lengths:
            if column.strip().lower() == name.lower():
                return column
    return None if layout.text or not lengths else max(lengths, key=lambda name: lengths[name])
