"""Why a word has different positions in two sentences: the difference of the two sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...records.contributions import rounding
from ...records.trace import Array, Record
from .by_word import Why

_OWN, _SINK = ("", 0), ("", 1)  # no word is empty
TWO = " / "  # between two compared words


@dataclass(frozen=True, eq=False)
class Apart(Record):
    """The contributions in the first sentence minus those in the second.

    A word that occurs in both sentences has one entry; repeated words are paired in order. The compared
    words share one entry. A word of one sentence counts with that sentence's sign.

    Attributes:
        words: the words.
        where: the sentences in which each occurs: "A and B", "A" or "B".
        own: the index of the compared word.
        by_layer: (layers + 1, words), see `Why.by_layer`.
        alone: the position of the first word alone minus that of the second: 0 for one word, whose zero
            cancels.
        constants: (layers + 1,), see `Why.constants`. `alone`, each row of `by_layer` and its constant
            add up to `coordinate`.
        by_head: (layers, heads), see `Why.by_head`.
        parts: (layers, 4), see `Why.parts`. Each row adds up to `moved`.
        coordinate: the coordinate in the first sentence minus that in the second.
    """

    words: tuple[str, ...]
    where: tuple[str, ...]
    own: int
    alone: float
    by_layer: Array
    constants: Array
    by_head: Array
    parts: Array
    coordinate: float

    def __post_init__(self) -> None:
        self._freeze("by_layer", "constants", "by_head", "parts")

    @property
    def names(self) -> tuple[str, ...]:
        """The words; one that occurs in only one sentence names it."""
        pairs = zip(self.words, self.where, strict=True)
        return tuple(word if at == "A and B" else f"{word} ({at})" for word, at in pairs)

    @property
    def contributions(self) -> Array:
        """(words,), through all layers."""
        sources: Array = self.by_layer[0]
        return sources

    @property
    def error(self) -> float:
        """The largest difference between a sum and `coordinate`: only rounding."""
        return rounding(self.by_layer, self.constants, self.moved)

    @property
    def moved(self) -> float:
        """The move of the first word from where it stands alone, minus that of the second."""
        return self.coordinate - self.alone

    def strongest(self, most: int) -> tuple[int, ...]:
        """The compared word and the `most` words that differ most, in their order."""
        sizes = np.abs(self.contributions)
        sizes[self.own] = np.inf
        largest = np.argsort(-sizes, kind="stable")[:most]
        return tuple(sorted(largest.tolist()))


def apart(a: Why, b: Why) -> Apart:
    """The first sentence minus the second, in one model.

    Raises:
        ValueError: the sentences come from models of different shapes.
    """
    if a.by_head.shape != b.by_head.shape:
        raise ValueError(f"{a.by_head.shape} and {b.by_head.shape} heads cannot be subtracted.")
    rows: dict[tuple[str, int], Array] = {}
    names: dict[tuple[str, int], str] = {}
    sentences: dict[tuple[str, int], list[str]] = {}
    for side, sign, sentence in ((a, 1, "A"), (b, -1, "B")):
        for i, row in enumerate(_rows(side)):
            names.setdefault(row, side.names[i])
            rows[row] = rows.get(row, 0) + sign * side.by_layer[:, i]
            sentences.setdefault(row, [])
            if sentence not in sentences[row]:
                sentences[row].append(sentence)
    own = TWO.join(dict.fromkeys(" ".join(s.names[i] for i in s.own) for s in (a, b)))
    return Apart(
        words=tuple(own if row == _OWN else names[row] for row in rows),
        where=tuple(" and ".join(sentences[row]) for row in rows),
        own=[*rows].index(_OWN),
        alone=a.alone - b.alone,
        by_layer=np.stack([*rows.values()], axis=1),
        constants=a.constants - b.constants,
        by_head=a.by_head - b.by_head,
        parts=a.parts - b.parts,
        coordinate=a.coordinate - b.coordinate,
    )


def _rows(side: Why) -> Sequence[tuple[str, int]]:
    """The row of each word, by its text and number of repetition.

    `_OWN` is the compared word, `_SINK` a decoder's first token.
    """
    counts: dict[str, int] = {}
    rows = []
    for i, word in enumerate(side.words):
        if not i and side.has_sink:
            rows.append(_SINK)
            continue
        number = counts.get(word, 0)
        counts[word] = number + (i not in side.own)
        rows.append(_OWN if i in side.own else (word, number))
    return rows
