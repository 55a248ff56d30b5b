"""Our own sentences about words of two senses, labelled by sense: `senses.csv`.

In those of `cue_first.csv`, what settles the sense comes before the word, as a model that reads from
left to right needs it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True)
class LabelledSentence:
    """A sentence that contains its word exactly once, and the word's sense there."""

    word: str
    sense: str
    text: str


def words() -> tuple[str, ...]:
    """The words that have labelled sentences, in the order of the file."""
    return tuple(_by_word())


def labelled(word: str, *, causal: bool = False) -> tuple[LabelledSentence, ...]:
    """The sentences of a word, one sense after the other; none for a word that is not labelled.

    Args:
        word: the word.
        causal: whether they are for a model that reads from left to right: those with the cue first.
    """
    return _by_word("cue_first.csv" if causal else "senses.csv").get(word.casefold(), ())


@cache
def _by_word(file: str = "senses.csv") -> Mapping[str, tuple[LabelledSentence, ...]]:
    by_word: dict[str, list[LabelledSentence]] = {}
    with files(__package__).joinpath(file).open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            by_word.setdefault(row["word"], []).append(LabelledSentence(**row))
    return MappingProxyType({word: tuple(rows) for word, rows in by_word.items()})
