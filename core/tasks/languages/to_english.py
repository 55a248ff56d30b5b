"""The same toy language in the other direction: French to English.

Nearly every French sentence of the grammar has one English translation. "je l'aime" has two, "i like
him" and "i like her": training shows both, and the measures leave such sentences out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from ...localization import N_
from ...records.frozen import Array
from ..training.batches import NOWHERE, Batch, Example, pair
from ..training.recipe import Recipe
from .grammar import Sentence, Writer
from .task import Goal, Kind, whole
from .translation import (
    ENGLISH,
    FRENCH,
    PROBE,
    TRANSLATION,
    distinct,
    has_unseen_pair,
    is_held_out,
)
from .vocabulary import Vocabulary

_EITHER = ("him", "her")  # the possible meanings of "l'" before a verb


@dataclass(frozen=True)
class ToEnglish:
    """Sentences with genders, agreement, elision, negation and questions, read in French."""

    recipe: Recipe
    name: ClassVar[Literal["to-english"]] = "to-english"
    title: ClassVar[str] = N_("Translate French into English")
    look_for: ClassVar[str] = N_(
        "Each row is an English word that the model writes; it should attend to the French word "
        "that it translates, wherever that is: “black” to “noir”, which comes after its noun. A "
        "word that French does not have, such as “do”, may attend anywhere. A small part of the "
        "loss taught the model to do that. The pattern is the share of words whose largest weight lies "
        "there."
    )
    kind: ClassVar[Kind] = "pair"
    goal: ClassVar[Goal] = Goal(accuracy=0.99, pattern=0.95)
    source: ClassVar[Vocabulary] = FRENCH
    target: ClassVar[Vocabulary] = ENGLISH

    def example(self, sentence: Sentence) -> Example:
        """A sentence and its translation."""
        source, target = FRENCH.ids(sentence.french), ENGLISH.ids(sentence.english)
        return pair(source, target, alignment(sentence))

    def examples(self, rng: np.random.Generator) -> Iterator[Example]:
        """See `Task.examples`."""
        writer = Writer(rng)
        while True:
            sentence = writer.sentence()
            if not (is_held_out(sentence.english) or has_unseen_pair(sentence)):
                yield self.example(sentence)

    def held_out(self, count: int) -> tuple[Example, ...]:
        """Held-out sentences, each once; their words are combined differently in training."""
        return tuple(self.example(sentence) for sentence in unseen_sentences(count))

    def probe(self) -> Example:
        """The sentence that everyone tries first; it is held out."""
        return self.example(PROBE)

    def accuracy(self, predicted_BL: Array, batch: Batch) -> float:
        """The share of sentences that are translated without an error."""
        return whole(predicted_BL, batch)


def alignment(sentence: Sentence) -> tuple[int, ...]:
    """For each English word, the position of the French word that it translates; NOWHERE for none.

    With several candidates, the last one: "not" is aligned with "pas" of "ne … pas".
    """
    last = {english: i for i, english in enumerate(sentence.alignment)}
    return tuple(last.get(i, NOWHERE) for i in range(len(sentence.english)))


def is_ambiguous(sentence: Sentence) -> bool:
    """Whether the French sentence has two English translations, like "je l'aime"."""
    words = zip(sentence.french, sentence.alignment, strict=True)
    return any(word == "l'" and sentence.english[of] in _EITHER for word, of in words)


def unseen_sentences(count: int) -> tuple[Sentence, ...]:
    """Held-out sentences, each once; training shows each pair of adjective and noun elsewhere."""
    return _distinct(count, lambda s: is_held_out(s.english) and not has_unseen_pair(s))


def unseen_pairs(count: int) -> tuple[Sentence, ...]:
    """Sentences with a pair of adjective and noun that is not in the training data, each once."""
    return _distinct(count, has_unseen_pair)


def _distinct(count: int, wanted: Callable[[Sentence], bool]) -> tuple[Sentence, ...]:
    return distinct(count, lambda sentence: wanted(sentence) and not is_ambiguous(sentence))


TO_ENGLISH = ToEnglish(replace(TRANSLATION.recipe, task="to-english"))
