"""Words that a model does not know at all: all their tokens are its token for the unknown."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from core.records.unknown import all_unknown
from core.records.words import overlaps
from core.sentences import sentence
from ui.text import plain

if TYPE_CHECKING:
    from core.pretrained import TextModel

_READ = 50  # different words that are read to see whether the model knows them
_NAMED = 8


def unknown_words(model: TextModel, parts: Iterable[tuple[str, str, str]]) -> list[str]:
    """Those of some words that a model does not know, each where it comes first.

    Args:
        model: the model, which only splits these texts into tokens.
        parts: texts in three parts: before a word, the word, after it.
    """
    first: dict[str, tuple[str, str, str]] = {}
    for one in parts:
        first.setdefault(model.spelling.key(one[1]), one)
    return [one[1] for one in islice(first.values(), _READ) if _is_unknown(model, *one)]


def _is_unknown(model: TextModel, before: str, word: str, after: str) -> bool:
    encoded = model.read(before + word + after)
    spans = np.array(encoded.offsets, np.int64).reshape(-1, 2)
    at = np.flatnonzero(overlaps(spans, len(before), len(before) + len(word)))
    return at.size > 0 and all_unknown(encoded.tokens, at)


def unknown_note(words: list[str]) -> str:
    """A sentence about words that the model does not know; "" if it knows them all (Markdown)."""
    if not words:
        return ""
    return sentence("word.unknown", word="”, “".join(map(plain, words[:_NAMED])))
