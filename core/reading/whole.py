"""The formats that are read as one: what stands in such a file, in order."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from . import encodings
from .documents.report import Report
from .files import File
from .understood import Limits, Passage, Refused, Row, Skipped


def read_whole(
    file: File,
    kind: str,
    limits: Limits,
    header: bool | None = None,
    names: tuple[str, ...] = (),
    encoding: str | None = None,
    packed: str = "",
) -> Iterator[Row | Passage | Skipped]:
    """The rows or paragraphs of a file.

    Args:
        file: the file.
        kind: its format.
        limits: what it may cost.
        header: of a sheet or a table in HTML: whether its first row names the columns.
        names: of a sheet or a table in HTML: its columns, if they are said.
        encoding: of a text; None where it says so itself.
        packed: how the file is compressed.

    Raises:
        Refused: it cannot be read.
    """
    if kind in ("parquet", "arrow", "arrows", "feather"):
        from .tables import arrow_rows

        yield from arrow_rows.rows(file, kind, limits)
        return
    if kind == "json":
        from .tables import json_rows

        text = file.whole(packed, limits).decode(encoding or "utf-8", encodings.ON_ERROR)
        yield from json_rows.of_value(text.removeprefix("\ufeff"), file.name)
        return
    if kind == "table":
        from .tables import html_rows

        text = file.whole(packed, limits).decode(encoding or "utf-8", "replace")
        yield from html_rows.rows(text, file.name, header, names)
        return
    report = Report()
    try:
        yield from _document(file, kind, limits, header, names, encoding, packed, report)
    except zipfile.BadZipFile as error:
        raise Refused("it is damaged: its parts cannot be unpacked") from error
    yield from report.skipped(file.name)


def _document(
    file: File,
    kind: str,
    limits: Limits,
    header: bool | None,
    names: tuple[str, ...],
    encoding: str | None,
    packed: str,
    report: Report,
) -> Iterator[Row | Passage | Skipped]:
    from .documents import markup  # each format imports its own library, when it is first read

    if kind in ("html", "markdown"):
        text = file.whole(packed, limits).decode(encoding or "utf-8", "replace")
        if kind == "html":
            yield from markup.as_passages(markup.html_paragraphs([text], report))
        else:
            from .documents import markdown

            yield from markup.as_passages(markdown.paragraphs(text.removeprefix("\ufeff"), report))
    elif kind == "xml":
        with file.unpacked(packed, limits) as stream:
            yield from markup.as_passages(markup.xml_paragraphs(stream, report, encoding))
    else:
        if file.size > limits.unpacked:
            raise Refused(
                f"it has {file.size / 1e6:,.0f} MB; at most {limits.unpacked / 1e6:,.0f} MB are read"
            )
        with file.open() as stream:
            if kind == "pdf":
                from .documents import pdf

                yield from pdf.passages(stream, file.name, report)
            elif kind == "xlsx":
                from .tables import sheets

                yield from sheets.rows(stream, limits, file.name, header, names)
            elif kind == "docx":
                from .documents import word

                yield from markup.as_passages(word.paragraphs(stream, limits, report))
            elif kind == "epub":
                from .documents import epub

                yield from markup.as_passages(epub.paragraphs(stream, limits, report))
            else:
                raise Refused(f"it is {kind}")
