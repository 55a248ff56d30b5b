"""How often a word, or each word that a query finds, occurs in each part of a corpus, how evenly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...measures.collocation import deviation_of_proportions
from ...measures.senses.shares import wilson
from ...records.data_frames import frame
from ...records.frozen import Array, Record
from ..storage.columns import Value
from .tokens import Numbers

if TYPE_CHECKING:
    import pandas as pd

MILLION = 1_000_000


@dataclass(frozen=True, eq=False)
class Frequencies(Record):
    """A word in the parts of a corpus: its genres, years, files.

    Attributes:
        column: the column whose values the parts are.
        values: (parts,), numbers in their order, other values by their spelling; None for none.
        counts: (parts,) int64, how often the word occurs in each.
        sizes: (parts,) int64, how many words each has.
    """

    column: str
    values: tuple[Value, ...]
    counts: Numbers
    sizes: Numbers

    @property
    def per_million(self) -> Array:
        """(parts,): occurrences in a million words."""
        return MILLION * self.counts / self.sizes

    @property
    def intervals(self) -> Array:
        """(parts, 2): Wilson's 95 % interval of `per_million`; it assumes independent occurrences."""
        pairs = zip(self.counts.tolist(), self.sizes.tolist(), strict=True)
        return MILLION * np.array([wilson(count, size) for count, size in pairs])

    @property
    def deviation(self) -> float | None:
        """Gries' deviation of proportions, 0 (evenly spread) towards 1; None if it does not occur."""
        return deviation_of_proportions(self.counts, self.sizes) if self.counts.any() else None

    def to_frame(self) -> pd.DataFrame:
        """One row for each part.

        Raises:
            NotSupported: pandas is not installed.
        """
        low, high = self.intervals.T
        return frame(
            {
                self.column: list(self.values),
                "count": self.counts,
                "words": self.sizes,
                "per_million": self.per_million,
                "low": low,
                "high": high,
            }
        )


@dataclass(frozen=True, eq=False)
class WordFrequencies(Record):
    """Each of the different words that a query finds, in the parts of a corpus, the commonest first.

    Attributes:
        column: the column whose values the parts are.
        words: what was found, such as "on the basis of".
        values: (parts,), see `Frequencies`.
        counts: (words, parts) int64, how often each occurs in each.
        sizes: (parts,) int64, how many words each part has.
    """

    column: str
    words: tuple[str, ...]
    values: tuple[Value, ...]
    counts: Numbers
    sizes: Numbers

    @property
    def total(self) -> Numbers:
        """(words,): how often each occurs in all parts."""
        total: Numbers = self.counts.sum(axis=1)
        return total

    @property
    def per_million(self) -> Array:
        """(words,): occurrences in a million words of all parts."""
        rates: Array = MILLION * self.total / self.sizes.sum()
        return rates

    @property
    def intervals(self) -> Array:
        """(words, 2): Wilson's 95 % interval of `per_million`; it assumes independent occurrences."""
        size = int(self.sizes.sum())
        return MILLION * np.array([wilson(count, size) for count in self.total.tolist()]).reshape(-1, 2)

    @property
    def deviations(self) -> Array:
        """(words,): Gries' deviation of proportions of each, 0 (evenly spread) towards 1."""
        return np.array([deviation_of_proportions(one, self.sizes) for one in self.counts])

    def to_frame(self, parts: Sequence[int] | None = None) -> pd.DataFrame:
        """One row for each word; for each part, its occurrences in a million words of that part.

        Args:
            parts: the numbers of the parts that have a column; None for all.

        Raises:
            NotSupported: pandas is not installed.
        """
        low, high = self.intervals.T
        own = range(len(self.values)) if parts is None else parts
        return frame(
            {
                "word": list(self.words),
                "count": self.total,
                "per_million": self.per_million,
                "low": low,
                "high": high,
                "deviation": self.deviations,
                **{
                    f"{self.column}: {'none' if self.values[i] is None else self.values[i]}": (
                        MILLION * self.counts[:, i] / self.sizes[i]
                    )
                    for i in own
                },
            }
        )


def by_values(column: str, values: list[Value], counts: Numbers, sizes: Numbers) -> Frequencies:
    """The frequencies of a word by the values of a column.

    Args:
        column: its name.
        values: (sentences,), the value of each sentence.
        counts: (sentences,), how often the word occurs in each.
        sizes: (sentences,), how many words each has.
    """
    every, of = _parts(values, sizes)
    there = of >= 0
    return Frequencies(
        column,
        tuple(every),
        np.bincount(of[there], weights=counts[there], minlength=len(every)).astype(np.int64),
        np.bincount(of[there], weights=sizes[there], minlength=len(every)).astype(np.int64),
    )


def words_by_values(
    column: str,
    values: list[Value],
    names: Sequence[str],
    sentences: Numbers,
    sizes: Numbers,
) -> WordFrequencies:
    """The frequencies of each of several words by the values of a column.

    Args:
        column: its name.
        values: (sentences,), the value of each sentence.
        names: (occurrences,), the word of each occurrence.
        sentences: (occurrences,), the sentence of each, as a place in `values`.
        sizes: (sentences,), how many words each has.
    """
    every, of = _parts(values, sizes)
    numbers: dict[str, int] = {}
    word = np.array([numbers.setdefault(one, len(numbers)) for one in names], np.int64)
    part = of[sentences]
    cells = np.bincount(
        word[part >= 0] * len(every) + part[part >= 0], minlength=len(numbers) * len(every)
    ).reshape(len(numbers), len(every))
    there = of >= 0
    order = (-cells.sum(axis=1)).argsort(kind="stable")
    said = [*numbers]
    return WordFrequencies(
        column,
        tuple(said[i] for i in order),
        tuple(every),
        cells[order].astype(np.int64),
        np.bincount(of[there], weights=sizes[there], minlength=len(every)).astype(np.int64),
    )


def _parts(values: Sequence[Value], sizes: Numbers) -> tuple[list[Value], Numbers]:
    """The values that have words, in order; and (sentences,) which of them each has, −1 for none."""
    every = in_order({one for one, size in zip(values, sizes.tolist(), strict=True) if size})
    numbers = {one: i for i, one in enumerate(every)}
    return every, np.array([numbers.get(one, -1) for one in values], np.int64)


def in_order(values: Collection[Value]) -> list[Value]:
    """Values of a column, numbers in their order, other values by their spelling, None last."""

    def key(value: Value) -> tuple[bool, bool, float, str]:
        number = isinstance(value, int | float)
        return value is None, not number, float(value) if number else 0.0, str(value)  # type: ignore[arg-type]

    return sorted(values, key=key)
