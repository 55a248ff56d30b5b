"""What makes a word stand elsewhere in one sentence than in another: one sum less the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...deprecated import field
from ...records.contributions import rounding
from ...records.trace import Array, Record
from .by_word import Why

_OWN = ("", 0)  # no word is empty
TWO = " / "  # between two words that are asked about


@dataclass(frozen=True, eq=False)
class Apart(Record):
    """The contributions in the first sentence minus those in the second.

    A word that stands in both is one row, paired in order where it stands several times, and the words
    that are asked about are one row. What stands in one sentence alone counts with its own sign.

    Attributes:
        words: each row once.
        where: which sentences it stands in, "A and B", "A" or "B".
        own: which row is what is asked about.
        by_layer: (layers + 1, words), as `Why.by_layer`.
        constants: (layers + 1,), as `Why.constants`. Each row of `by_layer` and its constant add up to
            `coordinate`.
        by_head: (layers, heads), as `Why.by_head`.
        parts: (layers, 4), as `Why.parts`. Each row makes `coordinate`.
        coordinate: the first word's less the second's, as they were run.
    """

    words: tuple[str, ...]
    where: tuple[str, ...]
    own: int
    by_layer: Array
    constants: Array
    by_head: Array
    parts: Array
    coordinate: float

    place = field("place", "coordinate")
    pushes = field("pushes", "contributions")
    carried = field("carried", "by_head")

    def __post_init__(self) -> None:
        self._freeze("by_layer", "constants", "by_head", "parts")

    @property
    def names(self) -> tuple[str, ...]:
        """The words; one that stands in one sentence alone says in which."""
        pairs = zip(self.words, self.where, strict=True)
        return tuple(word if at == "A and B" else f"{word} ({at})" for word, at in pairs)

    @property
    def contributions(self) -> Array:
        """(words,), through all layers."""
        sources: Array = self.by_layer[0]
        return sources

    @property
    def error(self) -> float:
        """How far the sums are from `coordinate`, at the worst of the layers: rounding alone."""
        return rounding(self.by_layer, self.constants, self.coordinate)

    def strongest(self, most: int) -> tuple[int, ...]:
        """The word itself and the `most` rows that differ most, in their order."""
        sizes = np.abs(self.contributions)
        sizes[self.own] = np.inf
        largest = np.argsort(-sizes, kind="stable")[:most]
        return tuple(sorted(largest.tolist()))


def apart(a: Why, b: Why) -> Apart:
    """One sentence less the other, by one model.

    Raises:
        ValueError: they were run by models of two shapes.
    """
    if a.by_head.shape != b.by_head.shape:
        raise ValueError(f"{a.by_head.shape} and {b.by_head.shape} heads cannot be subtracted.")
    rows: dict[tuple[str, int], Array] = {}
    names: dict[tuple[str, int], str] = {}
    stands: dict[tuple[str, int], list[str]] = {}
    for side, sign, called in ((a, 1, "A"), (b, -1, "B")):
        for i, row in enumerate(_rows(side)):
            names.setdefault(row, side.names[i])
            rows[row] = rows.get(row, 0) + sign * side.by_layer[:, i]
            stands.setdefault(row, [])
            if called not in stands[row]:
                stands[row].append(called)
    own = TWO.join(dict.fromkeys(" ".join(s.names[i] for i in s.own) for s in (a, b)))
    return Apart(
        words=tuple(own if row == _OWN else names[row] for row in rows),
        where=tuple(" and ".join(stands[row]) for row in rows),
        own=[*rows].index(_OWN),
        by_layer=np.stack([*rows.values()], axis=1),
        constants=a.constants - b.constants,
        by_head=a.by_head - b.by_head,
        parts=a.parts - b.parts,
        coordinate=a.coordinate - b.coordinate,
    )


def _rows(side: Why) -> Sequence[tuple[str, int]]:
    """The row of each word: the word and how often it stood before; `_OWN` for the word itself."""
    counts: dict[str, int] = {}
    rows = []
    for i, word in enumerate(side.words):
        number = counts.get(word, 0)
        counts[word] = number + (i not in side.own)
        rows.append(_OWN if i in side.own else (word, number))
    return rows
