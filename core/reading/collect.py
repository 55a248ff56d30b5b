"""The sentences of a visitor's file, or of what somebody typed or pasted, with their labels.

The bytes can come from anyone: an unreadable file is refused in a sentence, and none of it is logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import NotSupported
from .files import File
from .read import passages, understand
from .records import UPLOAD, Choices, Passage, Refused, Skipped, Understood
from .sentences import MOST_CHARACTERS, split
from .tables.delimited import detect

MOST_BYTES = UPLOAD.packed  # 10,000 sentences of 100 letters are 1 MB; of 400, 4 MB
MOST_SENTENCES = 10_000
_MOST_COUNTED = 10 * MOST_SENTENCES
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
    """

    sentences: tuple[Sentence, ...]
    understood: Understood
    units: int
    skipped: tuple[Skipped, ...]
    skipped_count: int


def collect(file: File, choices: Choices = Choices()) -> Collected:
    """The sentences of a file, and how it was read.

    Args:
        file: the file; its name decides only between formats that look alike.
        choices: what is said about it.

    Raises:
        NotSupported: it is no text, empty, or too large.
    """
    if not (file.content or b"").strip(b" \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise NotSupported("The file is empty. It needs one sentence per line.")
    try:
        found = understand(file, choices, UPLOAD)
        return _collected(file, found, choices)
    except Refused as error:
        raise NotSupported(f"This file cannot be read: {str(error).rstrip('.')}.") from error


def _collected(file: File, found: Understood, choices: Choices) -> Collected:
    sentences: list[Sentence] = []
    skipped: list[Skipped] = []
    count = left_out = letters = 0
    for one in passages(file, found, choices, UPLOAD):
        if isinstance(one, Skipped):
            left_out += 1
            if len(skipped) < MOST_LISTED:
                skipped.append(one)
            continue
        count += 1
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
            f"The file has {more}{min(len(sentences), _MOST_COUNTED):,} sentences; this page takes at most {MOST_SENTENCES:,}. "
            "Leave some out."
        )
    return Collected(tuple(sentences), found, count, tuple(skipped[:MOST_LISTED]), left_out)


def _label(passage: Passage, column: str) -> str:
    value = passage.columns.get(column) if column else None
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, float) and value != value:
        return ""
    return " ".join(str(value).split())[:200]


def typed(text: str, choices: Choices = Choices()) -> tuple[Sentence, ...]:
    """The sentences of what was typed or pasted.

    Lines are "label | sentence", or sentences alone. Cells out of a spreadsheet come with tabs, rows of
    a CSV with its header: they are read as a table. Running text is split.

    Args:
        text: what was typed.
        choices: what is said about it.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return ()
    table = _pasted_table(text)
    if table or choices.running or (choices.running is None and "|" not in text):
        try:
            return collect(
                File("typed.txt", content=text.encode("utf-8", "replace")), choices
            ).sentences
        except NotSupported:
            pass  # whatever it is, each of its lines is one
    return tuple(_marked(lines))


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
