"""The word by which two sentences are compared, and possible ends for its axis.

Among the words in both sentences, one whose senses we know comes first, then the one whose two vectors
differ most. Function words ("the", "with", and also "el") are left out: their vectors differ most of
all, and say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...examples import known_word
from ...records.elision import is_elided
from ...records.inflections import matches
from ...records.trace import Array, Trace
from ...records.unknown import all_unknown
from ...records.words import Occurrence
from ..foreign import small_words
from ..function_words import FUNCTION_WORDS
from ..similarity import cosine


@dataclass(frozen=True)
class SharedWord:
    """A content word that two sentences share, each in its own form.

    Attributes:
        a: its first occurrence in the first sentence.
        b: its first occurrence in the second sentence.
        known: the labelled word of which it is a form; None for others.
        difference: 1 − the cosine similarity of its two vectors at the last layer, 0 to 2.
    """

    a: Occurrence
    b: Occurrence
    known: str | None
    difference: float


@dataclass(frozen=True)
class ProposedEnds:
    """One word from each sentence, for a picture. A verdict needs ends that a person named.

    Attributes:
        a: from the first sentence.
        b: from the second.
    """

    a: str
    b: str


def shared_words(a: Trace, b: Trace) -> tuple[SharedWord, ...]:
    """The content words that two sentences share, best first; the sentences may be swapped.

    Raises:
        NotSupported: if a trace has no hidden states.
    """
    there = [_content(trace) for trace in (a, b)]
    same = matches(_names(there[0]), _names(there[1]), a.spelling)
    shared = []
    for first, at in zip(there[0], same, strict=True):
        if at is not None:
            second = there[1][at]
            x, y = _vector(a, first), _vector(b, second)
            similarity = float(cosine(x[None], y[None])[0, 0])
            shared.append(SharedWord(first, second, known_word(first.word, a.spelling), 1 - similarity))
    return tuple(
        sorted(shared, key=lambda one: (one.known is None, -round(one.difference, 6), one.a.word))
    )


def proposed_ends(a: Trace, b: Trace, shared: SharedWord) -> ProposedEnds | None:
    """For each sentence, its own content word that is most similar to the shared one there.

    Similarity is the cosine similarity at the last layer. Ends drawn from two sentences separate any
    two sentences, even those with one sense.

    Returns:
        None if a sentence has no content word of its own.
    """
    there = [_content(trace) for trace in (a, b)]
    best = []
    for trace, own, others, at in zip((a, b), there, there[::-1], (shared.a, shared.b), strict=True):
        same = matches(_names(own), _names(others), trace.spelling)
        free = [one for one, other in zip(own, same, strict=True) if other is None]
        if not free:
            return None
        x = _vector(trace, at)
        similarity = [float(cosine(x[None], _vector(trace, one)[None])[0, 0]) for one in free]
        best.append(free[int(np.argmax(similarity))].word)
    return ProposedEnds(*best)


def is_content(word: str) -> bool:
    """Whether a word carries meaning: it has a letter, and is not a function word."""
    if is_elided(word):  # "l'" of "l'eau"
        return False
    return any(map(str.isalpha, word)) and word.casefold().strip("'’") not in FUNCTION_WORDS


def _names(words: Sequence[Occurrence]) -> list[str]:
    return [one.word for one in words]


def _content(trace: Trace) -> list[Occurrence]:
    """The content words of a text that the model knows, each at its first occurrence."""
    small = small_words(trace)
    first = {one.word: one for one in reversed(trace.occurrences())}
    return [
        one
        for one in reversed(first.values())
        if is_content(one.word) and one.word not in small and not all_unknown(trace.tokens, one.tokens)
    ]


def _vector(trace: Trace, at: Occurrence) -> Array:
    vector: Array = trace.contextual[at.tokens].mean(axis=0, dtype=np.float64)
    return vector
