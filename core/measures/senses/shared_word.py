"""The word that two sentences are compared by, and what may stand at the two ends of its axis.

Of the words that both sentences hold, one whose senses we know comes first, and else the one whose two
vectors differ most. Words that carry grammar rather than meaning ("the", "with", and "el" as well) are
left out: their vectors differ most of all, and say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...examples import known_word
from ...records.inflections import same_word
from ...records.trace import Array, Trace
from ...records.words import Occurrence
from ..foreign import small_words
from ..function_words import FUNCTION_WORDS
from ..similarity import cosine

_UNKNOWN = ("[UNK]", "<unk>")


@dataclass(frozen=True)
class SharedWord:
    """A content word that two sentences share, each in its own form.

    Attributes:
        a: where it first stands in the first sentence.
        b: where it first stands in the second.
        known: the word of ours that it is a form of; None for others.
        difference: 1 − the cosine similarity of its two vectors at the last layer, 0 to 2.
    """

    a: Occurrence
    b: Occurrence
    known: str | None
    difference: float


@dataclass(frozen=True)
class ProposedEnds:
    """One word out of each sentence, for a picture. A verdict needs ends that were named.

    Attributes:
        a: from the first sentence.
        b: from the second.
    """

    a: str
    b: str


def shared_words(a: Trace, b: Trace) -> tuple[SharedWord, ...]:
    """The content words that two sentences share, best first; the order of the sentences is no matter.

    Raises:
        NotSupported: a trace kept no hidden states.
    """
    there = [_content(trace) for trace in (a, b)]
    shared = []
    for first in there[0]:
        second = next((one for one in there[1] if same_word(one.word, first.word)), None)
        if second is not None:
            x, y = _vector(a, first), _vector(b, second)
            similarity = float(cosine(x[None], y[None])[0, 0])
            shared.append(SharedWord(first, second, known_word(first.word), 1 - similarity))
    return tuple(
        sorted(shared, key=lambda one: (one.known is None, -round(one.difference, 6), one.a.word))
    )


def proposed_ends(a: Trace, b: Trace, shared: SharedWord) -> ProposedEnds | None:
    """For each sentence the content word that is most like the shared one there, and not in the other.

    Similarity is the cosine similarity at the last layer. Ends drawn from the two sentences separate
    any two sentences, those of one sense as well.

    Returns:
        None where a sentence has no content word of its own.
    """
    there = [_content(trace) for trace in (a, b)]
    best = []
    for trace, own, others, at in zip((a, b), there, there[::-1], (shared.a, shared.b), strict=True):
        free = [one for one in own if not any(same_word(one.word, other.word) for other in others)]
        if not free:
            return None
        x = _vector(trace, at)
        similarity = [float(cosine(x[None], _vector(trace, one)[None])[0, 0]) for one in free]
        best.append(free[int(np.argmax(similarity))].word)
    return ProposedEnds(*best)


def is_content(word: str) -> bool:
    """Whether a word carries meaning: it has a letter, and is no function word."""
    return any(map(str.isalpha, word)) and word.casefold().strip("'’") not in FUNCTION_WORDS


def _content(trace: Trace) -> list[Occurrence]:
    """The content words of a text that the model knows, each where it first stands."""
    small = small_words(trace)
    return [
        one
        for one in trace.occurrences()
        if one.number == 0
        and is_content(one.word)
        and one.word not in small
        and not all(trace.tokens[i] in _UNKNOWN for i in one.tokens)
    ]


def _vector(trace: Trace, at: Occurrence) -> Array:
    vector: Array = trace.contextual[at.tokens].mean(axis=0, dtype=np.float64)
    return vector
