"""Which value of a column a word is typical of: where it occurs more often than by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...measures.collocation import log_likelihood
from ..storage.columns import Value
from .frequencies import in_order
from .tokens import Tokens

MOST_VALUES = 8  # as many as have a colour of their own: those with the most words
# Of a log-likelihood: chance reaches it once in 1,000 times (χ², one degree of freedom).
SURE = 10.83


@dataclass(frozen=True, eq=False)
class Typical:
    """Words and the value of a column that each is most typical of.

    Attributes:
        column: the column.
        values: its values with the most words, in their order; None for none.
        left_out: how many other values there are: no word is called typical of them.
        of: key of a word -> the number in `values` of the one with the highest log-likelihood (Dunning
            1993) of the word in its texts against all others, where it is more frequent there, and
            chance reaches that once in 1,000 times; words without such a value are missing.
    """

    column: str
    values: tuple[Value, ...]
    left_out: int
    of: Mapping[str, int]


def typical(
    column: str, tokens: Tokens, sentences: npt.NDArray[np.int64], values: Sequence[Value]
) -> Typical:
    """See `Typical`.

    Args:
        column: its name.
        tokens: the words of the corpus.
        sentences: (sentences,), their numbers.
        values: (sentences,), the value of each.
    """
    every = in_order(set(values))
    number = {one: i for i, one in enumerate(every)}
    of_sentence = np.full(int(sentences.max(initial=-1)) + 1, -1, np.int64)
    of_sentence[sentences] = [number[one] for one in values]
    spoken = np.flatnonzero(tokens.is_word)
    part, form = of_sentence[tokens.sentence[spoken]], tokens.form[spoken]
    sizes = np.bincount(part, minlength=len(every))
    kept = np.sort(np.argsort(-sizes, kind="stable")[:MOST_VALUES])
    kept = kept[sizes[kept] > 0]
    keys = {key: i for i, key in enumerate(dict.fromkeys(tokens.keys))}
    key_of = np.array([keys[key] for key in tokens.keys])[form]
    frequency = np.bincount(key_of, minlength=len(keys))
    sure = np.zeros((len(kept), len(keys)))
    for row, value in enumerate(kept):
        own = np.bincount(key_of[part == value], minlength=len(keys))
        there = frequency > 0
        sure[row, there] = log_likelihood(own[there], sizes[value], frequency[there], len(spoken))
    best = sure.argmax(axis=0) if len(kept) else np.zeros(len(keys), np.int64)
    found = {
        key: int(best[i])
        for key, i in keys.items()
        if key and len(kept) > 1 and sure[best[i], i] > SURE
    }
    return Typical(column, tuple(every[i] for i in kept), len(every) - len(kept), found)
