"""Sentences from a file that a visitor uploads: lines of text, or a table with or without a header.

The bytes can come from anyone: an unreadable file is refused in a sentence, and none of it is logged.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from core.errors import NotSupported

MOST_FILE_BYTES = 4 * 10**6  # 10,000 sentences of 100 letters are 1 MB; of 400, 4 MB
MOST_LINES = 10_000
MOST_LETTERS = 5_000  # of one sentence: far more than a model reads
SENTENCES = ("sentence", "sentences", "text", "texts", "line", "example", "context", "content")
LABELS = ("label", "labels", "sense", "senses", "class", "category", "meaning", "tag")
TYPES = ("txt", "csv", "tsv")

_SNIFFED = 200  # rows from which the separator of columns is inferred
_FEW = 20  # different labels that a column may have, or a fifth of its rows
_WORDS = 2.5  # the least average number of words in a column of sentences
_KINDS = {
    b"PK\x03\x04": "a zip file, like those of Excel: save the table as CSV",
    b"\xd0\xcf\x11\xe0": "an Excel file: save the table as CSV",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "a zipped file",
}
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_WHOLE = "\x1f"  # separates nothing: a row is a line without its quotes
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class Sentence(NamedTuple):
    """One line: its label, "" for none, and its text."""

    label: str
    text: str


class Uploaded(NamedTuple):
    """The sentences of a file, and a note on how it was read, which contains none of its text."""

    sentences: tuple[Sentence, ...]
    summary: str


def read(typed: str) -> tuple[Sentence, ...]:
    """Lines as "label | sentence", or sentences alone; empty ones are left out."""
    sentences = []
    for line in typed.splitlines():
        label, bar, text = line.partition("|")
        sentence = Sentence(label.strip(), text.strip()) if bar else Sentence("", line.strip())
        if sentence.text:
            sentences.append(sentence)
    return tuple(sentences)


def read_file(name: str, content: bytes) -> Uploaded:
    """The sentences of a file and their labels, if it has any.

    A table is recognised by its commas, semicolons or tabs; in a file named .txt by the last two, or by
    a header. Columns are chosen by a header that names them ("text", "sense"); without one, the
    sentences are in the first column of several words, the labels in the first of few different ones.

    Args:
        name: the name of the file; only its ending matters.
        content: its bytes.

    Raises:
        NotSupported: it is not text, empty, or too large.
    """
    if len(content) > MOST_FILE_BYTES:
        raise NotSupported(
            f"The file takes up {len(content) / 1e6:.1f} MB; this page accepts at most "
            f"{MOST_FILE_BYTES / 1e6:.0f} MB. Leave some of it out."
        )
    text, coding = _decoded(content)
    if not text.strip():
        raise NotSupported("The file is empty. It needs one sentence per line.")
    rows = _table(text, name)
    sentences, source = (read(text), "one per line") if rows is None else _columns(rows)
    if not sentences:
        raise NotSupported("The file contains no sentence. It needs one per line, or a column of them.")
    _refuse_much(sentences)
    count = f"{len(sentences):,} sentence{'s' * (len(sentences) > 1)}"
    return Uploaded(sentences, f"{count}, {source}{coding}.")


def _refuse_much(sentences: Sequence[Sentence]) -> None:
    if len(sentences) > MOST_LINES:
        raise NotSupported(
            f"The file has {len(sentences):,} sentences; this page takes at most {MOST_LINES:,}. "
            "Leave some out."
        )
    for i, one in enumerate(sentences, 1):
        if len(one.text) > MOST_LETTERS:
            raise NotSupported(
                f"Sentence {i:,} has {len(one.text):,} letters; this page takes at most "
                f"{MOST_LETTERS:,} in one. Perhaps a quotation mark before it is never "
                "closed."
            )


def _decoded(content: bytes) -> tuple[str, str]:
    """The text, and a note on its encoding."""
    for start, kind in _KINDS.items():
        if content.startswith(start):
            raise NotSupported(f"This is {kind}. The page reads text files: .txt, .csv or .tsv.")
    for mark, coding in _MARKS.items():
        if content.startswith(mark):
            return _strictly(content, coding), ""
    if b"\0" in content[:2000]:  # UTF-16 without its mark has one at every other position
        odd, even = content[1:2000:2].count(0), content[:2000:2].count(0)
        coding = "utf-16-le" if odd > even else "utf-16-be"
        return _strictly(content, coding), ""
    try:
        return _checked(content.decode("utf-8")), ""
    except UnicodeDecodeError:
        pass
    text = _checked(content.decode("cp1252", "replace").replace("\ufffd", " "))
    return text, "; it is not UTF-8, and was read as Western European (Latin-1)"


def _strictly(content: bytes, coding: str) -> str:
    try:
        return _checked(content.decode(coding))
    except UnicodeDecodeError:
        raise _no_text() from None


def _checked(text: str) -> str:
    if _CONTROL.search(text):
        raise _no_text()
    return text


def _no_text() -> NotSupported:
    return NotSupported(
        "This is not a text file. The page reads text: .txt, .csv or .tsv, preferably in UTF-8."
    )


def _table(text: str, name: str) -> list[list[str]] | None:
    """The rows of a table, all as long as its first; None for plain lines."""
    ending = name.rpartition(".")[2].casefold()
    lines = text.strip().splitlines()
    header = {cell.strip(' "').casefold() for cell in re.split(r"[,;\t]", lines[0])}
    named = bool(header & {*SENTENCES, *LABELS})
    for separator in "\t;,":
        if ending not in ("csv", "tsv") and separator == "," and not named:
            continue  # plain sentences have commas
        widths = Counter(map(len, _rows("\n".join(lines[:_SNIFFED]), separator)))
        width, count = widths.most_common(1)[0]
        if width > 1 and count >= (0.5 if named else 0.9) * sum(widths.values()):
            rows = _rows(text, separator)
            return [[*row, *[""] * width][:width] for row in rows]
    if ending in ("csv", "tsv") or (named and len(header) == 1):
        return [row[:1] for row in _rows(text, _WHOLE)] if "|" not in text else None
    return None


def _rows(text: str, separator: str) -> list[list[str]]:
    """The rows that are not empty, each cell in one line."""
    try:
        rows = csv.reader(text.splitlines(keepends=True), delimiter=separator)
        return [[" ".join(cell.split()) for cell in row] for row in rows if any(map(str.strip, row))]
    except csv.Error:
        raise NotSupported(
            "A line or a cell is far too long for a sentence. Perhaps a quotation mark is never closed."
        ) from None


def _columns(rows: list[list[str]]) -> tuple[tuple[Sentence, ...], str]:
    """The sentences of a table, and a note on the role of its columns."""
    names = [cell.casefold() for cell in rows[0]]
    texts = next((names.index(name) for name in SENTENCES if name in names), None)
    labels = next((names.index(name) for name in LABELS if name in names), None)
    titled = texts is not None or labels is not None
    body = rows[1:] if titled else rows
    if not body:
        return (), ""
    if texts is None:
        others = [i for i in range(len(names)) if i != labels]
        words = {i: sum(len(row[i].split()) for row in body) / len(body) for i in others}
        texts = next((i for i in others if words[i] >= _WORDS), max(others, key=lambda i: words[i]))
        if not titled and len(body) > 1 and words[texts] >= _WORDS and len(rows[0][texts].split()) == 1:
            titled, body = True, body[1:]
    if labels is None:
        labels = next((i for i in range(len(names)) if i != texts and _labels(body, i)), None)
    sentences = tuple(
        Sentence("" if labels is None else row[labels], row[texts]) for row in body if row[texts]
    )
    called = [f"“{cell[:30]}”" if titled and cell else f"{i}" for i, cell in enumerate(rows[0], 1)]
    source = f"from column {called[texts]}"
    return (
        sentences,
        source if labels is None else f"{source}, their labels from column {called[labels]}",
    )


def _labels(body: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column has few different cells, each of few words."""
    cells = [row[column] for row in body if row[column]]
    few = len(set(cells)) <= max(_FEW, len(body) // 5) and len(set(cells)) < max(2, len(cells))
    return bool(cells) and few and all(len(cell.split()) <= 4 for cell in cells)
