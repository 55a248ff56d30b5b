"""How often a word occurs in each part of a corpus, and how evenly it is spread over them."""

from __future__ import annotations

from collections.abc import Collection
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


def by_values(column: str, values: list[Value], counts: Numbers, sizes: Numbers) -> Frequencies:
    """The frequencies of a word by the values of a column.

    Args:
        column: its name.
        values: (sentences,), the value of each sentence.
        counts: (sentences,), how often the word occurs in each.
        sizes: (sentences,), how many words each has.
    """
    every = in_order({one for one, size in zip(values, sizes.tolist(), strict=True) if size})
    numbers = {one: i for i, one in enumerate(every)}
    of = np.array([numbers.get(one, -1) for one in values], np.int64)
    there = of >= 0
    return Frequencies(
        column,
        tuple(every),
        np.bincount(of[there], weights=counts[there], minlength=len(every)).astype(np.int64),
        np.bincount(of[there], weights=sizes[there], minlength=len(every)).astype(np.int64),
    )


def in_order(values: Collection[Value]) -> list[Value]:
    """Values of a column, numbers in their order, other values by their spelling, None last."""

    def key(value: Value) -> tuple[bool, bool, float, str]:
        number = isinstance(value, int | float)
        return value is None, not number, float(value) if number else 0.0, str(value)  # type: ignore[arg-type]

    return sorted(values, key=key)
