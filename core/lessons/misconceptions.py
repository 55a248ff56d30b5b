"""Misconceptions: the ideas that wrong answers of the question before and after a lesson show.

The list is `misconceptions.md` in the folder of the lessons, where a teacher may add to it:

## a-name
says: the idea, as somebody who has it would put it
instead: what is the case, in a sentence or two
source: where the idea is described, or what speaks against it; there may be several

A line that begins with two spaces continues the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ..errors import PolyseeError

FILE = "misconceptions.md"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LABELS = ("says", "instead", "source")


class BadMisconceptions(PolyseeError, ValueError):
    """The list cannot be read; the message names the file and the line."""


@dataclass(frozen=True)
class Misconception:
    """An idea that a model does not bear out.

    Attributes:
        name: its name in lessons, files and links.
        says: the idea, in a sentence.
        instead: what is the case.
        sources: where it is described, or what speaks against it; at least one.
    """

    name: str
    says: str
    instead: str
    sources: tuple[str, ...]


@cache
def misconceptions_of(folder: Path) -> Mapping[str, Misconception]:
    """The list of a folder by name, in its order; empty if there is none.

    Raises:
        BadMisconceptions: a line is none of such a list, a name occurs twice, or a part is missing.
    """
    path = folder / FILE
    if not path.is_file():
        return MappingProxyType({})
    found: dict[str, Misconception] = {}
    for number, name, fields in _parts(path):
        where = f"{FILE}, line {number}"
        if not _NAME.fullmatch(name) or name in found:
            raise BadMisconceptions(
                f"{where}: each has a name of its own in small letters, such as “stored-senses”."
            )
        if missing := [label for label in _LABELS if not fields[label]]:
            raise BadMisconceptions(f"{where}: “{name}” has no line “{missing[0]}: …”.")
        says, instead = (" ".join(fields[label]) for label in ("says", "instead"))
        found[name] = Misconception(name, says, instead, tuple(fields["source"]))
    return MappingProxyType(found)


def _parts(path: Path) -> Iterator[tuple[int, str, dict[str, list[str]]]]:
    """(line, name, what each label says) of each misconception."""
    current: tuple[int, str, dict[str, list[str]]] | None = None
    last: list[str] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("## "):
            if current is not None:
                yield current
            current, last = (number, line[3:].strip(), {label: [] for label in _LABELS}), []
        elif current is None or not line.strip():
            continue
        elif line.startswith("  ") and last:
            last[-1] = f"{last[-1]} {line.strip()}"
        else:
            label, colon, words = line.partition(":")
            if label not in _LABELS or not colon or not words.strip():
                raise BadMisconceptions(f"{FILE}, line {number}: “{line[:30]}” is not such a line.")
            last = current[2][label]
            last.append(words.strip())
    if current is not None:
        yield current
