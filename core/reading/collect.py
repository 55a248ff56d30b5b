"""The sentences of a visitor's file, or of what somebody typed or pasted, with their labels.

The bytes can come from anyone: an unreadable file is refused in a sentence, and none of it is logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import NotSupported
from .files import File
from .read import as_file, passages, understand
from .records import GUESS, UPLOAD, Choices, Passage, Refused, Skipped, Understood
from .sentences import MOST_CHARACTERS, split
from .tables.delimited import detect

MOST_BYTES = UPLOAD.packed  # 10,000 sentences of 100 letters are 1 MB; of 400, 4 MB
MOST_SENTENCES = 10_000
_MOST_COUNTED = 10 * MOST_SENTENCES
PREVIEW = 5  # rows that are shown as they are
MOST_LISTED = 200  # of what was left out; all is counted


class Sentence(NamedTuple):
    """One sentence: its label, "" for none, and its text."""

    label: str
    text: str


class Collected(NamedTuple):
    """The sentences of a file.

    Attributes:
        sentences: the sentences.
        understood: how the file was read.
        units: how many rows, lines or paragraphs had a text.
        skipped: what was left out, the first `MOST_LISTED`.
        skipped_count: how much was left out.
        preview: the first rows, lines or paragraphs.
    """

    sentences: tuple[Sentence, ...]
    understood: Understood
    units: int
    skipped: tuple[Skipped, ...]
    skipped_count: int
    preview: tuple[Passage, ...] = ()


def collect(given: File | Path | str, choices: Choices = GUESS) -> Collected:
    """The sentences of a file, and how it was read.

    Args:
        given: the file, or its path; its name decides only between formats that look alike.
        choices: what is said about it.

    Raises:
        NotSupported: it is no text, empty, or too large.
    """
    file = as_file(given)
    if file.content is not None and not file.content.strip(b" \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise NotSupported("The file is empty. It needs one sentence per line.")
    try:
        found = understand(file, choices, UPLOAD)
        return _collected(file, found, choices)
    except Refused as error:
        raise NotSupported(f"This file cannot be read: {str(error).rstrip('.')}.") from error


def _collected(file: File, found: Understood, choices: Choices) -> Collected:
    sentences: list[Sentence] = []
    skipped: list[Skipped] = []
    preview: list[Passage] = []
    count = left_out = letters = 0
    for one in passages(file, found, choices, UPLOAD):
        if isinstance(one, Skipped):
            left_out += 1
            if len(skipped) < MOST_LISTED:
                skipped.append(one)
            continue
        count += 1
        if count <= PREVIEW:
            preview.append(one)
        letters += len(one.text)
        if letters > UPLOAD.text:
            raise Refused(f"its texts have more than {UPLOAD.text / 1e6:.0f} million letters")
        if len(sentences) > _MOST_COUNTED:
            break
        label = _label(one, found.label)
        if found.running:
            for text in split(one.text, choices.language):
                if len(text) <= MOST_CHARACTERS:
                    sentences.append(Sentence(label, text))
                    continue
                left_out += 1
                why = f"a sentence of {len(text):,} letters is longer than {MOST_CHARACTERS:,}"
                skipped.append(Skipped(file.name, one.where, why))
        else:
            text = " ".join(one.text.split())
            if len(text) > MOST_CHARACTERS:
                raise NotSupported(
                    f"Sentence {len(sentences) + 1:,} ({one.where}) has {len(text):,} letters; at most "
                    f"{MOST_CHARACTERS:,} are read in one. Perhaps a quotation mark before it is never "
                    "closed, or this is running text."
                )
            sentences.append(Sentence(label, text))
    if not sentences:
        if skipped and not skipped[-1].where:
            raise Refused(skipped[-1].why)
        why = f" {skipped[0].where.capitalize()}: {skipped[0].why}." if skipped else ""
        raise NotSupported(
            f"The file contains no sentence. It needs one per line, or a column of them.{why}"
        )
    if len(sentences) > MOST_SENTENCES:
        more = "more than " if len(sentences) > _MOST_COUNTED else ""
        raise NotSupported(
            f"The file has {more}{min(len(sentences), _MOST_COUNTED):,} sentences; this page takes at "
            f"most {MOST_SENTENCES:,}. Leave some out."
        )
    listed = tuple(skipped[:MOST_LISTED])
    return Collected(tuple(sentences), found, count, listed, left_out, tuple(preview))


def _label(passage: Passage, column: str) -> str:
    value = passage.columns.get(column) if column else None
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, float) and value != value:
        return ""
    return " ".join(str(value).split())[:200]


class Typed(NamedTuple):
    """The sentences of what was typed, and how it was read; None if each line is one."""

    sentences: tuple[Sentence, ...]
    understood: Understood | None


def typed(text: str, choices: Choices = GUESS) -> tuple[Sentence, ...]:
    """The sentences of what was typed or pasted; see `pasted`."""
    return pasted(text, choices).sentences


def pasted(text: str, choices: Choices = GUESS) -> Typed:
    """The sentences of what was typed or pasted, and how it was read.

    Lines are "label | sentence", or sentences alone. Cells out of a spreadsheet come with tabs, rows of
    a CSV with its header: they are read as a table. Running text is split.

    Args:
        text: what was typed.
        choices: what is said about it.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return Typed((), None)
    if choices.running or _pasted_table(text) or (choices.running is None and "|" not in text):
        try:
            found = collect(File("typed.txt", content=text.encode("utf-8", "replace")), choices)
        except NotSupported:
            pass  # whatever it is, each of its lines is one
        else:
            if found.understood.running or found.understood.format != "text":
                return Typed(found.sentences, found.understood)
    return Typed(tuple(_marked(lines)), None)


def _pasted_table(text: str) -> bool:
    """Whether this is a table, and not "label | sentence" a line."""
    dialect = detect(text.splitlines(keepends=True), ".txt")
    return dialect is not None and dialect.delimiter not in ("", "|")


def _marked(lines: Sequence[str]) -> list[Sentence]:
    sentences = []
    for line in lines:
        label, bar, text = line.partition("|")
        sentence = Sentence(label.strip(), text.strip()) if bar else Sentence("", line.strip())
        if sentence.text:
            sentences.append(sentence)
    return sentences
