"""The two directions of the small language, for whatever must know which side of a sentence is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..training.recipe import TaskName
from . import to_english, translation
from .grammar import Sentence
from .references import references, references_of_french

Words = tuple[str, ...]


class Direction(NamedTuple):
    """One direction.

    Attributes:
        source: the language that is read.
        target: the language that is written.
        read: a sentence's words in the first.
        written: its words in the second.
        alignment: of each written word, the position of the word that it translates; NOWHERE (−1) where
            there is none.
        references: every sentence of the grammar that reads so in the first.
        unseen: sentences that training never shows, each once.
        unseen_pairs: sentences whose adjective never describes its noun in training, each once.
    """

    source: str
    target: str
    read: Callable[[Sentence], Words]
    written: Callable[[Sentence], Words]
    alignment: Callable[[Sentence], tuple[int, ...]]
    references: Callable[[Sequence[str]], tuple[Sentence, ...]]
    unseen: Callable[[int], tuple[Sentence, ...]]
    unseen_pairs: Callable[[int], tuple[Sentence, ...]]


def _english(sentence: Sentence) -> Words:
    return sentence.english


def _french(sentence: Sentence) -> Words:
    return sentence.french


DIRECTIONS: Mapping[TaskName, Direction] = MappingProxyType(
    {
        "translation": Direction(
            "English",
            "French",
            _english,
            _french,
            lambda sentence: sentence.alignment,
            references,
            translation.unseen_sentences,
            translation.unseen_pairs,
        ),
        "to-english": Direction(
            "French",
            "English",
            _french,
            _english,
            to_english.alignment,
            references_of_french,
            to_english.unseen_sentences,
            to_english.unseen_pairs,
        ),
    }
)
