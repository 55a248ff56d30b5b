"""Checks of the subcommands: the text has words, the model reads all of it, the file can be written."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import NotSupported, SettingError, TooLarge, WordNotFound
from ..records import finding
from ..records.frozen import Array
from ..records.trace import Trace

MODEL = "minilm"  # comes with Polysee


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a model."""
    parser.add_argument(
        "--model",
        default=MODEL,
        help="a name such as distilbert, a folder, or a hub id (minilm comes with Polysee)",
    )


def sentence(typed: str) -> str:
    """Return the sentence unchanged.

    Raises:
        SettingError: it is empty.
    """
    if not typed.strip():
        raise SettingError("The sentence is empty.")
    return typed


def whole(trace: Trace) -> Trace:
    """Return the trace unchanged if the model read the whole text.

    Raises:
        TooLarge: the model cut the text; the app shows such a text, and says where it was cut.
    """
    all_read(trace.left_out, trace.texts[0], len(trace.tokens), trace.model)
    return trace


def all_read(left_out: tuple[int, int] | None, text: str, tokens: int, model: str) -> None:
    """Refuse a text of which a model read only a part.

    Raises:
        TooLarge: the characters `left_out` did not fit.
    """
    if left_out is not None:
        raise TooLarge(
            f"The sentence is too long for “{model}”, which reads {tokens} tokens: "
            f"the first {left_out[0]:,} of its {len(text):,} characters."
        )


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table, in columns as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def occurrence(trace: Trace, word: str, number: int) -> Array:
    """The positions of the tokens of one occurrence of a word, counted from 1.

    Raises:
        WordNotFound: there is no such occurrence; the message counts from 1 too.
    """
    found = trace.find_all(word)
    if 1 <= number <= len(found):
        return found[number - 1]
    here = () if found else trace.words()
    why = finding.why_not_found(
        word, here, occurrence=number, count=len(found), spelling=trace.spelling, first=1
    )
    raise WordNotFound(why)


def one_text(kind: str, model: str) -> None:
    """Refuse a model that reads two texts.

    Raises:
        NotSupported: it is an encoder–decoder.
    """
    if kind == "encoder-decoder":
        raise NotSupported(
            f"“{model}” is an encoder–decoder, which reads a text and its target. This command reads a "
            "single text; the page Heads shows both."
        )


def writable_file(typed: str) -> Path:
    """Return the path if a file can be written there.

    Raises:
        SettingError: its folder does not exist, it is itself a folder, or it may not be written.
    """
    path = Path(typed)
    folder = path.parent
    if path.is_dir() or not path.name:
        raise SettingError(f"{typed} is a folder; name a file in it.")
    if not folder.is_dir():
        raise SettingError(f"The folder {folder} does not exist.")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise SettingError(f"{typed} may not be written.")
    return path
