"""Analogies as sums of vectors, king − man + woman (Mikolov et al. 2013), and the nearest words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import NotSupported
from ..localization import _
from ..records.frozen import Array, frozen
from .similarity import cosine

MOST_TERMS = 8
_ROUNDING = 1e-6  # relative to the lengths of the terms, which are 32-bit floats
# People type a hyphen, a minus sign or a dash. The spaces after a sign belong to it: two runs of spaces
# in a row could share the same ones in as many ways as there are.
_TERM = re.compile("\\s*(?:([+\\-\u2212\u2013])\\s*)?([^\\s+\\-\u2212\u2013]+)")


class Term(NamedTuple):
    """One word of a sum, added (1) or subtracted (−1)."""

    sign: int
    word: str


class Nearest(NamedTuple):
    """A word near the sum.

    Attributes:
        word: the word.
        cosine: the cosine similarity of its vector and the sum, −1 to 1.
        in_sum: whether it is one of the words of the sum itself.
    """

    word: str
    cosine: float
    in_sum: bool


def terms(typed: str) -> tuple[Term, ...]:
    """Parse the words of a sum such as "king - man + woman".

    Raises:
        NotSupported: the text is not such a sum, or has more than `MOST_TERMS` words.
    """
    found: list[Term] = []
    end = 0
    while match := _TERM.match(typed, end):
        sign, word = match.groups()
        if not sign and found:
            break  # two words with nothing between them
        found.append(Term(1 if sign in (None, "+") else -1, word))
        end = match.end()
    if not found or typed[end:].strip():
        raise NotSupported(_("Type words with + or − between them, such as king − man + woman."))
    if len(found) > MOST_TERMS:
        raise NotSupported(
            _("A sum has at most {count} words. Leave some out.").format(count=MOST_TERMS)
        )
    return tuple(found)


def total(signs: Sequence[int], vectors: npt.ArrayLike) -> Array:
    """(d,) float64: the sum of the vectors, (terms, d), each times its sign, without normalisation."""
    return frozen(np.asarray(signs, np.float64) @ np.asarray(vectors, np.float64), np.float64)


def has_direction(signs: Sequence[int], vectors: npt.ArrayLike) -> bool:
    """Whether a sum is more than rounding: king − king is 0, and the cosine with 0 is undefined.

    Args:
        signs: of the terms.
        vectors: (terms, d).
    """
    rows = np.asarray(vectors, np.float64)
    size = float(np.linalg.norm(total(signs, rows)))
    return size > _ROUNDING * float(np.linalg.norm(rows, axis=1).sum())


def nearest(
    vector: npt.ArrayLike,
    words: Sequence[str],
    vectors: npt.ArrayLike,
    *,
    in_sum: Collection[str] = (),
) -> tuple[Nearest, ...]:
    """All words, ranked by the cosine of their vectors with `vector`; ties stay in order.

    Args:
        vector: (d,), such as a sum.
        words: the word of each row of `vectors`.
        vectors: (words, d).
        in_sum: the words of the sum, in lower case.
    """
    cosines = cosine(np.asarray(vector)[None], vectors)[0]
    order = np.argsort(-cosines, kind="stable")
    return tuple(Nearest(words[i], float(cosines[i]), words[i].lower() in in_sum) for i in order)


def answer(found: Sequence[Nearest], *, leave_out: bool) -> Nearest:
    """The first word; with `leave_out`, the first word that is not in the sum.

    Raises:
        ValueError: no word is left.
    """
    kept = [one for one in found if not (leave_out and one.in_sum)]
    if not kept:
        raise ValueError("No word is left to be the answer.")
    return kept[0]
