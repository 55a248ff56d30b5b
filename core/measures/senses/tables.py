"""The senses of words in a table of static word vectors, which has one row for each word."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ..analogy import Nearest, nearest
from ..similarity import cosine


def neighbours(table: npt.ArrayLike, words: Sequence[str], word: str, *, k: int) -> tuple[Nearest, ...]:
    """The k words whose rows are nearest to a word's row by cosine, without the word itself.

    Args:
        table: (V, d).
        words: (V,), the word of each row.
        word: one of them.
        k: the number of neighbours.

    Raises:
        ValueError: if the word is not in the table.
    """
    row = np.asarray(table)[list(words).index(word)]
    return tuple(one for one in nearest(row, words, table) if one.word != word)[:k]


def knows_both(
    table: npt.ArrayLike,
    words: Sequence[str],
    senses: Mapping[str, Mapping[str, Collection[str]]],
    *,
    k: int,
) -> tuple[str, ...]:
    """The words that have at least one word of each of their senses among their k nearest.

    Args:
        table: (V, d).
        words: (V,).
        senses: word -> sense -> words that belong only to this sense.
        k: the number of neighbours.
    """
    found = []
    for word, own in senses.items():
        near = {one.word for one in neighbours(table, words, word, k=k)}
        if all(near & {*of} for of in own.values()):
            found.append(word)
    return tuple(found)


def same_topic(
    table: npt.ArrayLike, words: Sequence[str], topics: Mapping[str, Sequence[str]]
) -> float:
    """The share of the topics' words whose nearest neighbour, among all of them, has the same topic.

    Args:
        table: (V, d).
        words: (V,).
        topics: topic -> its words, at least two words in all.
    """
    each = [(word, topic) for topic, of in topics.items() for word in of]
    rows = np.asarray(table)[[list(words).index(word) for word, _ in each]]
    near = cosine(rows, rows)
    np.fill_diagonal(near, -np.inf)
    right = [each[int(j)][1] == topic for (_, topic), j in zip(each, near.argmax(axis=1), strict=True)]
    return float(np.mean(right))
