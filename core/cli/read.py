"""`polysee read`: how files are read, the first sentences of each, and what is left out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import spreadsheet
from ..errors import NotSupported, SettingError
from ..reading import (
    Choices,
    Skipped,
    Source,
    describe,
    options,
    passages,
    sources,
    understand,
)
from ..reading.collect import label_of
from ..reading.sentences import sentences_of, too_long
from ..reading.understood import Refused
from . import checks

MOST_LISTED = 5  # places of what is left out, for each reason
_WIDTH = 110  # characters of a sentence that are shown


def add_to(commands: Any) -> None:
    """Add this command to the subparsers of the command line."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "read",
        help="say how files are read, with their first sentences",
        description="Say what files are read as (format, encoding, columns, lines or running text), "
        "show their first sentences, and list what is left out. Senses and `polysee corpus build` read "
        "them the same way.",
    )
    parser.add_argument("texts", nargs="+", type=Path, metavar="TEXTS", help="files and folders")
    parser.add_argument(
        "--show", type=int, default=3, metavar="N", help="how many sentences of each file to show (3)"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="write all sentences: a CSV of label and sentence"
    )
    options.add_to(parser, labels=True)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Read the files, and say how.

    Raises:
        PolyseeError: there is no such file, an option is wrong, or no file can be read.
    """
    said = options.choices(given)
    out = checks.writable_file(given.out) if given.out else None
    found, skipped = sources(given.texts)
    for one in skipped:
        print(f"left out: {one}")
    read = 0
    if out is None:
        for source in found:
            read += _show(source, said, given.show, None)
    else:
        try:
            with out.open("w", encoding="utf-8", newline="") as stream:
                write = spreadsheet.writer(stream)
                write(["label", "sentence"])
                for source in found:
                    read += _show(source, said, given.show, write)
        except OSError as error:
            raise SettingError(f"{out} cannot be written: {error.strerror}.") from error
    if not read:
        raise NotSupported("None of these files has a sentence.")


def _show(
    source: Source, said: Choices, show: int, write: Callable[[Sequence[str]], None] | None
) -> int:
    """Print how one file is read; returns the number of its sentences."""
    try:
        found = understand(source.file, said)
    except Refused as error:
        print(f"left out: {source.name}: {str(error).rstrip('.')}")
        return 0
    print(f"{source.name}: {describe.summary(found)}")
    count = units = 0
    left_out: list[Skipped] = []
    for one in passages(source.file, found, said):
        if isinstance(one, Skipped):
            left_out.append(one)
            continue
        units += 1
        label = label_of(one, found.label)
        for sentence in sentences_of(one.text, said.language, running=found.running):
            if why := too_long(sentence):
                left_out.append(Skipped(source.name, one.where, why))
                continue
            if count < show:
                marked = f"{label} | {sentence}" if label else sentence
                print(f"  {marked[:_WIDTH]}{'…' * (len(marked) > _WIDTH)}")
            count += 1
            if write is not None:
                write([label, sentence])
        if units % 10_000 == 0 and sys.stderr.isatty():
            print(f"\r\033[K{units:,} {describe.unit(found)}s", end="", file=sys.stderr, flush=True)
    if units >= 10_000 and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    unit = describe.unit(found)
    print(
        f"  {count:,} sentence{'s' * (count != 1)} in {units:,} {unit}{'s' * (units != 1)}"
        f"{f'; {len(left_out):,} left out:' if left_out else ''}"
    )
    for why, places in describe.reasons(left_out):
        at = ", ".join(place for place in places[:MOST_LISTED] if place)
        more = f" and {len(places) - MOST_LISTED:,} more" if len(places) > MOST_LISTED else ""
        print(f"  - {why}{f' ({at}{more})' if at else ''}")
    return count
