"""The two directions of the toy language, for code that must know which side of a sentence is read."""

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
        source: the language of the source.
        target: the language of the target.
        read: returns a sentence's words in the source language.
        written: returns its words in the target language.
        alignment: for each target word, the position of the word that it translates; NOWHERE (−1) if
            there is none.
        references: returns every sentence of the grammar with these words in the source language.
        unseen: held-out sentences, each once.
        unseen_pairs: sentences whose pair of adjective and noun is not in the training data, each once.
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
