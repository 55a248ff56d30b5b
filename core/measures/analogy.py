"""Analogies as sums of vectors, king − man + woman (Mikolov et al. 2013), and what lies nearest."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import NotSupported
from ..records.frozen import Array, frozen
from .similarity import cosine

MOST_TERMS = 8
# People type a hyphen, a minus or a dash.
_TERM = re.compile("\\s*([+\\-\u2212\u2013]?)\\s*([^\\s+\\-\u2212\u2013]+)")


class Term(NamedTuple):
    """One word of a sum, added (1) or subtracted (−1)."""

    sign: int
    word: str


class Nearest(NamedTuple):
    """A word near the sum.

    Attributes:
        word: the word.
        cosine: of its vector and the sum, −1 to 1.
        asked: whether it is one of the words of the sum itself.
    """

    word: str
    cosine: float
    asked: bool


def terms(typed: str) -> tuple[Term, ...]:
    """The words of a sum as it is typed: "king - man + woman".

    Raises:
        NotSupported: it is no such sum, or has more than `MOST_TERMS` words.
    """
    found: list[Term] = []
    end = 0
    while match := _TERM.match(typed, end):
        sign, word = match.groups()
        if not sign and found:
            break  # two words with nothing between them
        found.append(Term(1 if sign in ("", "+") else -1, word))
        end = match.end()
    if not found or typed[end:].strip():
        raise NotSupported("Type words with + or − between them, such as king − man + woman.")
    if len(found) > MOST_TERMS:
        raise NotSupported(f"A sum has at most {MOST_TERMS} words. Leave some out.")
    return tuple(found)


def total(signs: Sequence[int], vectors: npt.ArrayLike) -> Array:
    """(d,) float64: the vectors, (terms, d), each times its sign, added up as they are."""
    return frozen(np.asarray(signs, np.float64) @ np.asarray(vectors, np.float64), np.float64)


def nearest(
    vector: npt.ArrayLike,
    words: Sequence[str],
    vectors: npt.ArrayLike,
    *,
    asked: Collection[str] = (),
) -> tuple[Nearest, ...]:
    """All words by the cosine of their vectors with one vector, the largest first; ties in their order.

    Args:
        vector: (d,), such as a sum.
        words: a name for each of the vectors.
        vectors: (words, d).
        asked: the words of the sum, in small letters.
    """
    cosines = cosine(np.asarray(vector)[None], vectors)[0]
    order = np.argsort(-cosines, kind="stable")
    return tuple(Nearest(words[i], float(cosines[i]), words[i].lower() in asked) for i in order)


def answer(found: Sequence[Nearest], *, leave_out: bool) -> Nearest:
    """The first of these words; with `leave_out`, the first that is not in the sum.

    Raises:
        ValueError: there is none.
    """
    kept = [one for one in found if not (leave_out and one.asked)]
    if not kept:
        raise ValueError("No word is left to be the answer.")
    return kept[0]
