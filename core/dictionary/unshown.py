"""Words that a class's screen never shows: slurs, obscenities, and what no lesson needs as an example.

The list holds no words but the beginnings of their SHA-256 sums, so that nobody reads them here.
`tools/unshown.py` makes it out of a file of words.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

LIST = Path(__file__).parent / "unshown.json"
DIGITS = 12  # of a sum, in base 16


def is_unshown(word: str) -> bool:
    """Whether a class's screen hides a word, in any case and with any signs around it."""
    start, end = 0, len(word)
    while start < end and not word[start].isalnum():
        start += 1
    while end > start and not word[end - 1].isalnum():
        end -= 1
    return end > start and sum_of(word[start:end]) in _sums()


def sum_of(word: str) -> str:
    """What the list holds of a word."""
    return hashlib.sha256(word.casefold().encode("utf-8", "replace")).hexdigest()[:DIGITS]


@cache
def _sums() -> frozenset[str]:
    return frozenset(json.loads(LIST.read_text("ascii")))
