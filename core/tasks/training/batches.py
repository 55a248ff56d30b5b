"""Examples as arrays: inputs, targets, and the alignment that attention should learn.

B examples, L positions with predictions, S positions of a source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...records.frozen import Array
from ..languages.vocabulary import END_ID, PAD_ID, START_ID

NOWHERE = -1
UNKNOWABLE = 0.3  # the weight of a label that is random: a model that writes must learn it, and cannot


class Example(NamedTuple):
    """One example, as ids and positions.

    Attributes:
        source: the input of an encoder–decoder's encoder; empty if there is none.
        reads: the input of the model, or of its decoder.
        labels: for each position, the token to predict; PAD_ID if there is none.
        attend_to: for each position, the index of the token that it should attend to (in the source, if
            there is one); NOWHERE if any will do.
        counts: for each position, the weight of its label in the loss: at least 1, or less where nobody
            can know the label (`UNKNOWABLE`), or 0 where there is none.
    """

    source: tuple[int, ...]
    reads: tuple[int, ...]
    labels: tuple[int, ...]
    attend_to: tuple[int, ...]
    counts: tuple[float, ...]


def pair(source: Sequence[int], target: Sequence[int], attend_to: Sequence[int]) -> Example:
    """A source and its target. The decoder reads the target shifted right, after a start token.

    Args:
        source: the ids, without an end token: it would learn to summarise the others, and words would
            attend to it (measured in sorting: up to one row in six).
        target: the ids, without an end token, which is added here.
        attend_to: for each token of the target, the position in the source that it comes from.
    """
    return Example(
        tuple(source),
        (START_ID, *target),
        (*target, END_ID),
        (*attend_to, NOWHERE),
        (1.0,) * (len(target) + 1),
    )


@dataclass(frozen=True, eq=False)
class Batch:
    """Examples side by side, padded with PAD_ID: see `Example` for the meaning of each array.

    Attributes:
        source_BS: int64, or None if the model has no source.
        reads_BL: int64.
        labels_BL: int64.
        attend_to_BL: int64.
        counts_BL: float32; 0 without a label.
    """

    source_BS: Array | None
    reads_BL: Array
    labels_BL: Array
    attend_to_BL: Array
    counts_BL: Array

    @property
    def knowable_BL(self) -> Array:
        """Where there is a label that can be known."""
        found: Array = self.counts_BL >= 1
        return found

    @property
    def random_BL(self) -> Array:
        """Where there is a label that nobody can know."""
        found: Array = (self.counts_BL > 0) & (self.counts_BL < 1)
        return found


def collate(examples: Sequence[Example]) -> Batch:
    """A batch of these examples, as long as the longest of them."""
    sources = [example.source for example in examples]
    return Batch(
        _padded(sources, PAD_ID) if sources[0] else None,
        _padded([example.reads for example in examples], PAD_ID),
        _padded([example.labels for example in examples], PAD_ID),
        _padded([example.attend_to for example in examples], NOWHERE),
        _padded([example.counts for example in examples], 0, np.float32),
    )


def _padded(rows: Sequence[Sequence[float]], fill: int, dtype: type = np.int64) -> Array:
    filled: Array = np.full((len(rows), max(map(len, rows))), fill, dtype)
    for line, row in zip(filled, rows, strict=True):
        line[: len(row)] = row
    return filled
