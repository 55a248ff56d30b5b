"""English to French in a language small enough to learn while you watch, and real enough to use.

Without guidance, the final cross-attention depends on the seed. A small part of the loss therefore
teaches it: see `loss.guidance`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...localization import N_
from ...records.frozen import Array
from ..training.batches import Batch, Example, pair
from ..training.recipe import Recipe
from . import french
from .grammar import Sentence, Writer
from .task import Goal, Kind, whole
from .vocabulary import Vocabulary

_ENGLISH, _FRENCH = french.vocabularies()
ENGLISH = Vocabulary.of(_ENGLISH, "english")
FRENCH = Vocabulary.of(_FRENCH, "french")
PROBE = Sentence(("i", "am", "a", "student"), ("je", "suis", "étudiant"), (0, 1, 3), ())


@dataclass(frozen=True)
class Translation:
    """Sentences with genders, agreement, elision, negation and questions."""

    recipe: Recipe
    name: ClassVar[Literal["translation"]] = "translation"
    title: ClassVar[str] = N_("Translate English into French")
    look_for: ClassVar[str] = N_(
        "Each row is a French word that the model writes; it should attend to the English "
        "word that it translates, wherever that is: “noir” to “black”, which comes before "
        "its noun. A small part of the loss taught the model to do that. The pattern is the "
        "share of words whose largest weight lies there."
    )
    kind: ClassVar[Kind] = "pair"
    goal: ClassVar[Goal] = Goal(accuracy=0.99, pattern=0.95)
    source: ClassVar[Vocabulary] = ENGLISH
    target: ClassVar[Vocabulary] = FRENCH

    def example(self, sentence: Sentence) -> Example:
        """A sentence and its translation."""
        return pair(ENGLISH.ids(sentence.english), FRENCH.ids(sentence.french), sentence.alignment)

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


def is_held_out(english: Sequence[str]) -> bool:
    """Whether this sentence is held out: one in twelve, and "I am a student"."""
    return tuple(english) == PROBE.english or zlib.crc32(" ".join(english).encode()) % 12 == 0


def has_unseen_pair(sentence: Sentence) -> bool:
    """Whether it contains a pair of adjective and noun that is held out: one pair in ten.

    Such a pair is excluded from training in every form: see `Sentence.pairs`.
    """
    return any(zlib.crc32(" ".join(pair).encode()) % 10 == 0 for pair in sentence.pairs)


def unseen_sentences(count: int) -> tuple[Sentence, ...]:
    """Held-out sentences, each once; training shows each pair of adjective and noun elsewhere."""
    return distinct(count, lambda s: is_held_out(s.english) and not has_unseen_pair(s))


def unseen_pairs(count: int) -> tuple[Sentence, ...]:
    """Sentences with a pair of adjective and noun that is not in the training data, each once."""
    return distinct(count, has_unseen_pair)


def distinct(count: int, wanted: Callable[[Sentence], bool]) -> tuple[Sentence, ...]:
    """The first sentences of the grammar that satisfy `wanted`, each once, always the same."""
    writer, sentences = Writer(np.random.default_rng(0)), dict[Sentence, None]()
    while len(sentences) < count:
        sentence = writer.sentence()
        if wanted(sentence):
            sentences[sentence] = None
    return tuple(sentences)


TRANSLATION = Translation(
    Recipe(
        task="translation",
        steps=900,
        batch=64,
        learning_rate=4e-3,
        warm_up=200,
        decay="linear",
        n_encoder_layers=2,
        n_decoder_layers=1,
        n_heads=4,
        n_cross_heads=1,
        d_model=64,
        d_ff=256,
        norm_first=False,
        guidance=0.1,
    )
)
