"""The meanings that a dictionary gives a word, as a model reads them; and those nearest to sentences.

A meaning is named by those of its words that the model finds nearest to the word. Where the word stands
beside them is the vector of the meaning. Which meaning a sentence has is a guess, since a dictionary's
senses are finer than what the model tells apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...dictionary import ANY, meanings_of, parts_of
from ...records.frozen import Array, Record
from ...records.sense_axis import TraceMany, beside
from ..similarity import cosine

MOST_WORDS = 3  # that name a meaning: more of them, farther from the word, judge less well
# What speaks for a meaning in a sentence: the cosine of the word there with the word beside the words
# of the meaning, the cosine with those words themselves, and that a dictionary lists it early. Their
# proportions are about those of a logistic regression on the labelled sentences and on 90 more for 42
# words, typed as a newcomer would; their size, with the probability from which a guess is one to judge
# by, was chosen by how many verdicts are then right (`calibrate`): both meanings are likely enough in
# 20 % of the pairs of labelled sentences.
BESIDE, THEMSELVES, RARER = 9.0, 6.0, 1.0
SURE = 0.8
# A guess that is not sure rests more on what is frequent: what people type has frequent meanings more
# often than a dictionary's examples do.
CLEARER_IF_UNSURE, RARER_IF_UNSURE = 1 / 3, 1.0
# How likely a meaning is in another part of speech than the word has in its sentence: what says so is
# right in 99 of 100 sentences (`core.dictionary.part_of_speech`).
ELSEWHERE = 0.01
FRAME = 1  # of the three frames, the one that alone guesses as well as all


@dataclass(frozen=True, eq=False)
class Meaning(Record):
    """One meaning of a word.

    Attributes:
        words: the words that name it.
        vector: (d_model,) float64, the word beside all words of the meaning, after the last layer.
        own: (d_model,) float64, those words themselves.
        number: its number among those of the dictionary, from 0.
        parts: the parts of speech in which the word has it.
    """

    words: tuple[str, ...]
    vector: Array
    own: Array
    number: int = 0
    parts: frozenset[str] = ANY

    @property
    def name(self) -> str:
        """The words, as one reads them."""
        return ", ".join(self.words)


def meanings(word: str, trace_many: TraceMany) -> tuple[Meaning, ...]:
    """The meanings of a word, in the order of the dictionary; empty for a word without two of them.

    A word that the model does not know names no meaning, and a meaning without any other is left out.

    Args:
        word: the word, in the form in which it is read.
        trace_many: runs texts through the model and returns their hidden states.

    Raises:
        NotSupported: the model does not know the word.
    """
    named, parts = meanings_of(word), parts_of(word)
    every = dict.fromkeys(one for words in named for one in words)
    read = beside(word, tuple(every), trace_many, frame=FRAME, known=True)
    made = []
    for number, words in enumerate(named):
        known = [one for one in words if one in read]
        nearest = {*sorted(known, key=lambda one: -read[one].near)[:MOST_WORDS]}
        chosen = tuple(one for one in known if one in nearest)
        if chosen:
            vector = np.mean([read[one].vectors[-1] for one in known], axis=0)
            own = np.mean([read[one].anchor for one in known], axis=0)
            made.append(Meaning(chosen, vector, own, number, parts[number]))
    return tuple(made) if len(made) > 1 else ()


class Guess(NamedTuple):
    """The two meanings between which a word is most likely to lie.

    Attributes:
        low: the index of the one in the second sentence.
        high: that of the one in the first sentence.
        sure: whether each is likely enough to judge by (`SURE`).
    """

    low: int
    high: int
    sure: bool


def likely(
    every: Sequence[Meaning], vectors: Sequence[Array], rarer: float = RARER, clearer: float = 1.0
) -> Array:
    """(sentences, meanings) float64: how likely a word has each meaning; each row adds up to 1.

    Args:
        every: at least two meanings.
        vectors: (d_model,) each, the word in each sentence after the last layer.
        rarer: how much less likely meanings are that the dictionary lists later.
        clearer: by which factor the cosines count more than for a sure guess.
    """
    read = np.stack(vectors).astype(np.float64)
    score = -rarer * np.log1p([one.number for one in every])
    for weight, of in ((BESIDE, [m.vector for m in every]), (THEMSELVES, [m.own for m in every])):
        middle = np.mean(of, axis=0)
        score = score + clearer * weight * cosine(read - middle, np.stack(of) - middle)
    most = np.exp(score - score.max(axis=1, keepdims=True))
    share: Array = most / most.sum(axis=1, keepdims=True)
    return share


def shares(
    every: Sequence[Meaning], vectors: Sequence[Array], parts: Sequence[Collection[str]]
) -> Array:
    """(sentences, meanings) float64: how likely each meaning is where the model is not sure.

    What is frequent counts for more here than in `likely`, and a part of speech that the word has not.

    Args:
        every: at least two meanings.
        vectors: (d_model,) each, the word in each sentence after the last layer.
        parts: the parts of speech that it may have in each.
    """
    fits = np.array([[bool(one.parts & {*of}) for one in every] for of in parts])
    share: Array = likely(every, vectors, RARER_IF_UNSURE, CLEARER_IF_UNSURE)
    share = share * np.where(fits, 1.0, ELSEWHERE)
    whole: Array = share / share.sum(axis=1, keepdims=True)
    return whole


def guess(
    every: Sequence[Meaning],
    vectors: Sequence[Array],
    parts: Sequence[Collection[str]] | None = None,
) -> Guess:
    """The two meanings between which one or two sentences are most likely to lie.

    They are two different ones: the pair whose probabilities have the largest product. Of a single
    sentence, high is its likeliest meaning and low the next one. The model is never sure of a meaning
    in a part of speech that the word does not have.

    Arguments as in `shares`; without `parts`, any is possible.
    """
    may = parts or [ANY] * len(vectors)
    found = _of(likely(every, vectors))
    likeliest = (found.high, found.low)[: len(vectors)]
    if found.sure and all(every[i].parts & {*of} for i, of in zip(likeliest, may, strict=True)):
        return found
    return _of(shares(every, vectors, may))._replace(sure=False)


def _of(share: Array) -> Guess:
    """The guess that follows from these probabilities, (sentences, meanings)."""
    if len(share) == 1:
        low, high = map(int, np.argsort(share[0])[-2:])
        return Guess(low, high, sure=bool(share[0, high] >= SURE))
    together = np.outer(share[1], share[0])
    np.fill_diagonal(together, 0)
    low, high = map(int, np.unravel_index(int(together.argmax()), together.shape))
    return Guess(low, high, sure=bool(min(share[1, low], share[0, high]) >= SURE))
