"""The sentences of a visitor's file, or of what somebody typed or pasted, with their labels.

The bytes can come from anyone: an unreadable file is refused in a sentence, and none of it is logged.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import NotSupported
from .files import File
from .read import as_file, passages, understand
from .sentences import sentences_of, too_long
from .tables.delimited import detect, is_named
from .understood import GUESS, UPLOAD, Choices, Passage, Refused, Skipped, Understood

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


class NotRead(NotSupported):
    """A file is not read as it was guessed to be, or at all.

    Attributes:
        understood: what it was taken for, if that is known.
        otherwise: whether it may be read if somebody says how.
    """

    def __init__(self, message: str, understood: Understood | None, *, otherwise: bool) -> None:
        super().__init__(message)
        self.understood, self.otherwise = understood, otherwise


def collect(given: File | Path | str, choices: Choices = GUESS) -> Collected:
    """The sentences of a file, and how it was read.

    Args:
        given: the file, or its path; its name decides only between formats that look alike.
        choices: what is said about it.

    Raises:
        NotRead: it is no text, empty, or too large.
    """
    file = as_file(given)
    if file.content is not None and not file.content.strip(b" \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise NotRead("The file is empty. It needs one sentence per line.", None, otherwise=False)
    found = None
    try:
        found = understand(file, choices, UPLOAD)
        return _collected(file, found, choices)
    except Refused as error:
        why = f"This file cannot be read: {str(error).rstrip('.')}."
        raise NotRead(why, found, otherwise=error.otherwise) from error
    except NotSupported as error:
        raise NotRead(str(error), found, otherwise=True) from error


def _collected(file: File, found: Understood, choices: Choices) -> Collected:
    sentences: list[Sentence] = []
    skipped: list[Skipped] = []
    preview: list[Passage] = []
    count = left_out = letters = 0

    def leave_out(what: Skipped) -> None:
        nonlocal left_out
        left_out += 1
        if len(skipped) < MOST_LISTED:
            skipped.append(what)

    for one in passages(file, found, choices, UPLOAD):
        if isinstance(one, Skipped):
            leave_out(one)
            continue
        count += 1
        if count <= PREVIEW:
            preview.append(one)
        letters += len(one.text)
        if letters > UPLOAD.text:
            raise Refused(f"its texts have more than {UPLOAD.text / 1e6:.0f} million letters")
        if len(sentences) > _MOST_COUNTED:
            break
        label = label_of(one, found.label)
        for text in sentences_of(one.text, choices.language, running=found.running):
            if why := too_long(text):
                leave_out(Skipped(file.name, one.where, why))
            else:
                sentences.append(Sentence(label, text))
    if not sentences:
        raise NotSupported(_nothing(skipped, found))
    if len(sentences) > MOST_SENTENCES:
        more = "more than " if len(sentences) > _MOST_COUNTED else ""
        raise NotSupported(
            "The file has {more}{n_sentences:,} sentences; this page takes at most "
            "{most_sentences:,}. Leave some out.",
            more=more,
            n_sentences=min(len(sentences), _MOST_COUNTED),
            most_sentences=MOST_SENTENCES,
        )
    return Collected(tuple(sentences), found, count, tuple(skipped), left_out, tuple(preview))


def _nothing(skipped: Sequence[Skipped], found: Understood) -> str:
    """Why a file has no sentence that could be shown."""
    if skipped and not skipped[-1].where:
        return f"This file cannot be read: {skipped[-1].why.rstrip('.')}."
    why = f" {skipped[0].where.capitalize()}: {skipped[0].why}." if skipped else ""
    if "longer than" in why and not found.running:
        why += " Perhaps this is running text: say so, or divide it into lines."
    return f"The file contains no sentence. It needs one per line, or a column of them.{why}"


def label_of(passage: Passage, column: str) -> str:
    """The label of a passage, one line; "" for none."""
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
    lines = [line for line in _lines(text) if line.strip()]
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


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends, as those of a file: U+2028, for example, ends none."""
    return [*io.StringIO(text, newline="")]


def _pasted_table(text: str) -> bool:
    """Whether this is a table, and not "label | sentence" a line."""
    lines = _lines(text)
    dialect = detect(lines, ".txt")
    if dialect is None or dialect.marked or not dialect.delimiter:
        return False
    return dialect.delimiter != "|" or is_named(lines, dialect)


def _marked(lines: Sequence[str]) -> list[Sentence]:
    sentences = []
    for line in lines:
        label, bar, text = line.partition("|")
        label, text = (" ".join(one.split()) for one in ((label, text) if bar else ("", line)))
        sentence = Sentence(label, text)
        if sentence.text:
            sentences.append(sentence)
    return sentences
