"""The senses of `bank`: the context of an ambiguous word has to enter the word's own vector.

The model fills in masked words (Devlin et al. 2019, section 3.1). That alone would not change `bank`:
the model could combine the cue with the word at the masked position. It must therefore also predict,
*at* the ambiguous word, what the word does in this sentence; the information in the cue then has to
reach it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...localization import N_
from ...records.frozen import Array
from ..training.batches import NOWHERE, Batch, Example
from ..training.recipe import Recipe
from . import senses
from .senses import SENSES, Sentence
from .task import Goal, Kind
from .vocabulary import MASK, PAD_ID, START_ID, Vocabulary

WORDS = Vocabulary.of((MASK, *senses.vocabulary()), "english")
(_MASK_ID,) = WORDS.ids([MASK])
_MASKED = 0.15  # of the other words
_VERB_MASKED = 0.8  # the rest of the time the model reads the verb, which it would otherwise never do
_SENSE_COUNTS = 3.0  # its weight in the loss: with 1, one position among many would count little


def _sense_of() -> Array:
    """(V,): for each verb of a sense, a number for that sense; for all other words, −1."""
    numbers = np.full(len(WORDS), -1)
    every = (verbs for of in SENSES.values() for verbs in of.values())
    for number, verbs in enumerate(every):
        numbers[list(WORDS.ids(verbs))] = number
    return numbers


@dataclass(frozen=True)
class Bank:
    """Twelve words with two senses each, in sentences with one other word that reveals the sense."""

    recipe: Recipe
    name: ClassVar[Literal["bank"]] = "bank"
    title: ClassVar[str] = N_("Senses of “bank”")
    look_for: ClassVar[str] = N_(
        "The row of the ambiguous word should attend to the word that settles its sense: "
        "“bank” to “river”. The pattern is the share of sentences in which its largest "
        "weight lies there."
    )
    kind: ClassVar[Kind] = "masked"
    goal: ClassVar[Goal] = Goal(accuracy=0.95, pattern=0.9)
    source: ClassVar[None] = None
    target: ClassVar[Vocabulary] = WORDS

    def example(self, sentence: Sentence, masked: frozenset[int]) -> Example:
        """A sentence with some of its words masked, after a start token.

        The label of a masked position is the word itself; the label of the ambiguous word is the verb
        that says what it does, if that is masked.
        """
        ids = WORDS.ids(sentence.words)
        reads = [_MASK_ID if i in masked else id_ for i, id_ in enumerate(ids)]
        labels = [id_ if i in masked else PAD_ID for i, id_ in enumerate(ids)]
        counts = [float(label != PAD_ID) for label in labels]
        attend_to = [NOWHERE] * len(ids)
        if sentence.verb_at in masked:
            labels[sentence.at] = ids[sentence.verb_at]
            counts[sentence.at] = _SENSE_COUNTS
            attend_to[sentence.at] = sentence.cue_at + 1
        return Example((), (START_ID, *reads), (PAD_ID, *labels), (NOWHERE, *attend_to), (0.0, *counts))

    def examples(self, rng: np.random.Generator) -> Iterator[Example]:
        """See `Task.examples`."""
        while True:
            sentence = senses.sentence(rng, held_out=False)
            chances = rng.random(len(sentence.words))
            # without its verb, the label of the ambiguous word would be unknown
            chances[sentence.at] = 1.0
            masked = set(np.flatnonzero(chances < _MASKED).tolist())
            if sentence.verb_at is not None and rng.random() < _VERB_MASKED:
                masked.add(sentence.verb_at)
            if masked:
                yield self.example(sentence, frozenset(masked))

    def held_out(self, count: int) -> tuple[Example, ...]:
        """Sentences with pairs of word and cue that are held out; only the verb is masked."""
        rng = np.random.default_rng(0)
        drawn = (senses.sentence(rng, held_out=True) for _ in range(count))
        return tuple(self._verb_masked(sentence) for sentence in drawn)

    def probe(self) -> Example:
        """A `bank` by a river, a pair that is not in the training data."""
        parts = {"near": "near", "kind": "old"}
        return self._verb_masked(
            senses.made(senses.TEMPLATES[1], "bank", "wild", "river", "flooded", parts)
        )

    def _verb_masked(self, sentence: Sentence) -> Example:
        assert sentence.verb_at is not None
        return self.example(sentence, frozenset({sentence.verb_at}))

    def accuracy(self, predicted_BL: Array, batch: Batch) -> float:
        """The share of ambiguous words for which the prediction is a verb of the intended sense."""
        senses_BL = batch.attend_to_BL != NOWHERE
        sense_of = _sense_of()
        predicted, meant = sense_of[predicted_BL[senses_BL]], sense_of[batch.labels_BL[senses_BL]]
        return float((predicted == meant).mean())


BANK = Bank(
    Recipe(
        task="bank",
        steps=600,
        batch=64,
        learning_rate=4e-3,
        warm_up=100,
        decay="linear",
        n_encoder_layers=1,
        n_decoder_layers=0,
        n_heads=1,
        n_cross_heads=1,
        d_model=64,
        d_ff=256,
        norm_first=False,
    )
)
