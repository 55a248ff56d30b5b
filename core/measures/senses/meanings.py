"""The meanings that a dictionary gives a word, as a model reads them; and those nearest to sentences.

A meaning is named by those of its words that the model finds nearest to the word. Where the word stands
beside them is the vector of the meaning. Which meaning a sentence has is a guess, since a dictionary's
senses are finer than what the model tells apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...dictionary import ANY, glosses_of, meanings_of, parts_of
from ...records.finding import occurrence_spans
from ...records.frozen import Array, Record
from ...records.inflections import form_of
from ...records.sense_axis import TraceMany, beside_all
from ...records.spelling import UNCASED
from ...records.trace import Trace
from ..similarity import cosine

MOST_WORDS = 3  # that name a meaning: more of them, farther from the word, judge less well
# What speaks for a meaning in a sentence: the cosine of the word there with the word beside the words
# of the meaning; the cosine with those words themselves; how near they come to other words of the
# sentence; and that a dictionary lists it early. Their proportions are those of a logistic regression
# on the labelled sentences, on 118 for 59 words as a newcomer would type them, and on 544 examples of
# WordNet. Fitted without a word, it finds both meanings of that newcomer's pair in 40 of 59; without
# `AROUND`, in 35. Their size, with the probability from which a guess is one to judge by, was chosen
# by how many verdicts are then right (`calibrate`).
BESIDE, THEMSELVES, AROUND, RARER = 9.0, 6.0, 12.0, 1.0
NEAREST = 2  # of the meaning's words, those that come nearest to the sentence: one alone may be chance
SURE = 0.8
# A guess that is not sure rests more on what is frequent: what people type has frequent meanings more
# often than a dictionary's examples do.
CLEARER_IF_UNSURE, RARER_IF_UNSURE = 0.4, 1.0
# How likely a meaning is in another part of speech than the word has in its sentence: what says so is
# right in 99 of 100 sentences (`core.dictionary.part_of_speech`).
ELSEWHERE = 0.01


@dataclass(frozen=True, eq=False)
class Meaning(Record):
    """One meaning of a word.

    Attributes:
        words: the words that name it.
        vector: (d_model,) float64, the word beside all words of the meaning, after the last layer.
        own: (words, d_model) float64, each of those words itself.
        number: its number among those of the dictionary, from 0.
        parts: the parts of speech in which the word has it.
        gloss: the beginning of its definition; "" where that cannot be its name.
    """

    words: tuple[str, ...]
    vector: Array
    own: Array
    number: int = 0
    parts: frozenset[str] = ANY
    gloss: str = ""

    @property
    def name(self) -> str:
        """What it is called wherever a reader meets it."""
        return self.gloss or ", ".join(self.words)


def meanings(word: str, trace_many: TraceMany) -> tuple[Meaning, ...]:
    """The meanings of a word, in the order of the dictionary; empty for a word without two of them.

    A word that the model does not know names no meaning, and a meaning without any other is left out.

    Args:
        word: the word, in the form in which it is read.
        trace_many: runs texts through the model and returns their hidden states.

    Raises:
        NotSupported: the model does not know the word.
    """
    named, parts, glosses = meanings_of(word), parts_of(word), _glosses(word)
    made = []
    for number, (words, read) in enumerate(
        zip(named, beside_all(word, named, trace_many), strict=True)
    ):
        if read is not None:
            nearest = {*sorted(read.near, key=lambda one: -read.near[one])[:MOST_WORDS]}
            chosen = tuple(one for one in words if one in nearest)
            own = np.stack([*read.anchors.values()])
            gloss = glosses.get(words[0], "")
            made.append(Meaning(chosen, read.vector, own, number, parts[number], gloss))
    return tuple(made) if len(made) > 1 else ()


def _glosses(word: str) -> dict[str, str]:
    """Those beginnings of definitions that can name an end, by the first word of their meanings.

    Whoever types an end separates words by commas, ends its name with a colon, and writes the compared
    word in sentences: with one of these, a name could be read as something else.
    """
    found = glosses_of(word)
    twice = Counter(found.values())
    return {
        first: gloss
        for first, gloss in found.items()
        if twice[gloss] == 1
        and not {*",:"} & {*gloss}
        and not occurrence_spans(gloss, word, spelling=UNCASED)
        and form_of(gloss, word, UNCASED) is None
    }


class Reading(NamedTuple):
    """A word in a sentence, as a model reads both after its last layer.

    Attributes:
        vector: (d_model,) float64, the word.
        around: (tokens, d_model) float64, the tokens of the sentence that are neither the word nor
            special; there may be none.
    """

    vector: Array
    around: Array


def reading(trace: Trace, tokens: Array) -> Reading:
    """The word at these tokens of a trace with hidden states."""
    assert trace.hidden is not None
    last = trace.hidden[-1].astype(np.float64)  # before a final norm, as the meanings and the axis
    others = ~np.array(trace.apart, bool)
    others[tokens] = False
    return Reading(last[tokens].mean(axis=0), last[others])


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
    every: Sequence[Meaning], read: Sequence[Reading], rarer: float = RARER, clearer: float = 1.0
) -> Array:
    """(sentences, meanings) float64: how likely a word has each meaning; each row adds up to 1.

    Args:
        every: at least two meanings.
        read: the word in each sentence.
        rarer: how much less likely meanings are that the dictionary lists later.
        clearer: by which factor the cosines count more than for a sure guess.
    """
    at = np.stack([one.vector for one in read])
    score = -rarer * np.log1p([one.number for one in every])
    beside, own = np.stack([m.vector for m in every]), np.stack([m.own.mean(axis=0) for m in every])
    for weight, of in ((BESIDE, beside), (THEMSELVES, own)):
        middle = of.mean(axis=0)
        score = score + clearer * weight * cosine(at - middle, of - middle)
    score = score + clearer * AROUND * np.stack([_around(every, one) for one in read])
    most = np.exp(score - score.max(axis=1, keepdims=True))
    share: Array = most / most.sum(axis=1, keepdims=True)
    return share


def _around(every: Sequence[Meaning], read: Reading) -> Array:
    """(meanings,): how near the words of each come to the sentence: the mean of the nearest two."""
    if not len(read.around):
        return np.zeros(len(every))
    nearest = cosine(np.concatenate([one.own for one in every]), read.around).max(axis=1)
    ends = np.cumsum([len(one.own) for one in every])[:-1]
    return np.array([np.sort(of)[-NEAREST:].mean() for of in np.split(nearest, ends)])


def shares(
    every: Sequence[Meaning], read: Sequence[Reading], parts: Sequence[Collection[str]]
) -> Array:
    """(sentences, meanings) float64: how likely each meaning is where the model is not sure.

    What is frequent counts for more here than in `likely`, and a part of speech that the word has not.

    Args:
        every: at least two meanings.
        read: the word in each sentence.
        parts: the parts of speech that it may have in each.
    """
    fits = np.array([[bool(one.parts & {*of}) for one in every] for of in parts])
    share: Array = likely(every, read, RARER_IF_UNSURE, CLEARER_IF_UNSURE)
    share = share * np.where(fits, 1.0, ELSEWHERE)
    whole: Array = share / share.sum(axis=1, keepdims=True)
    return whole


def guess(
    every: Sequence[Meaning],
    read: Sequence[Reading],
    parts: Sequence[Collection[str]] | None = None,
) -> Guess:
    """The two meanings between which one or two sentences are most likely to lie.

    They are two different ones: the pair whose probabilities have the largest product. Of a single
    sentence, high is its likeliest meaning and low the next one. The model is never sure of a meaning
    in a part of speech that the word does not have.

    Arguments as in `shares`; without `parts`, any is possible.
    """
    may = parts or [ANY] * len(read)
    found = _of(likely(every, read))
    likeliest = (found.high, found.low)[: len(read)]
    if found.sure and all(every[i].parts & {*of} for i, of in zip(likeliest, may, strict=True)):
        return found
    return _of(shares(every, read, may))._replace(sure=False)


def certainty(every: Sequence[Meaning], read: Sequence[Reading], of: Guess) -> tuple[float, ...]:
    """How likely each sentence's meaning of a guess is, 0 to 1: what must reach `SURE`.

    Args:
        every: the meanings.
        read: the word in each sentence.
        of: the guess, see `guess`.
    """
    share = likely(every, read)
    return tuple(float(row[i]) for row, i in zip(share, (of.high, of.low), strict=False))


def _of(share: Array) -> Guess:
    """The guess that follows from these probabilities, (sentences, meanings)."""
    if len(share) == 1:
        low, high = map(int, np.argsort(share[0])[-2:])
        return Guess(low, high, sure=bool(share[0, high] >= SURE))
    together = np.outer(share[1], share[0])
    np.fill_diagonal(together, 0)
    low, high = map(int, np.unravel_index(int(together.argmax()), together.shape))
    return Guess(low, high, sure=bool(min(share[1, low], share[0, high]) >= SURE))
