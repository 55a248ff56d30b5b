"""The beginning of a meaning's definition, for a reader: three loose words do not say what is meant."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .meanings import forms_of

GLOSSES = Path(__file__).parent / "glosses.tsv.gz"
MOST_GLOSS = 46  # letters


def glosses_of(word: str) -> Mapping[str, str]:
    """The first of the words that name a meaning (`meanings_of`) -> the beginning of its definition.

    Args:
        word: the word, in any form and case.
    """
    found: dict[str, str] = {}
    for form in forms_of(word):
        for entry in _row(form):
            name, _, gloss = entry.partition("=")
            found.setdefault(name, gloss)
    return MappingProxyType(found)


def _row(word: str) -> list[str]:
    # Millions of letters stay one text: as a mapping, they would take several times the memory.
    table = _text()
    start = table.find(f"\n{word}\t")
    if start < 0:
        return []
    return table[start + 1 : table.index("\n", start + 1)].split("\t")[1:]


@cache
def _text() -> str:
    return "\n" + gzip.decompress(GLOSSES.read_bytes()).decode()
