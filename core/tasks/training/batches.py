"""Examples as numbers: inputs, targets, and the alignment that attention should learn.

B examples, L positions of what is predicted from, S positions of a source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...records.frozen import Array
from ..languages.vocabulary import END_ID, PAD_ID, START_ID

NOWHERE = -1


class Example(NamedTuple):
    """One example, in ids and positions.

    Attributes:
        source: what the encoder of an encoder–decoder reads; empty where there is none.
        reads: what the model, or its decoder, reads.
        labels: of each position, the token that should be predicted there; PAD_ID where none is.
        attend_to: of each position, the index of the token that it should attend to (in the source, if
            there is one); NOWHERE where any will do.
        counts: of each position, how much its label counts in the loss.
    """

    source: tuple[int, ...]
    reads: tuple[int, ...]
    labels: tuple[int, ...]
    attend_to: tuple[int, ...]
    counts: tuple[float, ...]


def pair(source: Sequence[int], target: Sequence[int], attend_to: Sequence[int]) -> Example:
    """A source and its target. The decoder reads the target shifted right, behind a start sign.

    Args:
        source: ids. There is no end sign behind them: it would come to hold a summary of the others,
            and words would attend there (measured: in sorting, up to one row in six).
        target: ids, without an end sign; it is added.
        attend_to: of each token of the target, the position in the source where it comes from.
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
    """Examples side by side, filled up with PAD_ID: see `Example` for what each array says.

    Attributes:
        source_BS: int64, or None where the model has no source.
        reads_BL: int64.
        labels_BL: int64.
        attend_to_BL: int64.
        counts_BL: float32; 0 where there is no label.
    """

    source_BS: Array | None
    reads_BL: Array
    labels_BL: Array
    attend_to_BL: Array
    counts_BL: Array


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
