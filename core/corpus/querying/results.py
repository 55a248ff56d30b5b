"""What a corpus answers, for a terminal and for CSV: its lines as a table, and tables as lines."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from ...records.data_frames import frame
from .corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd

CONTEXT = 45  # characters on each side of a word in a terminal
LEFT, WORD, RIGHT = "left", "word", "right"


def lines(
    corpus: Corpus,
    query: str,
    *,
    where: str | None = None,
    most: int = 100,
    seed: int | None = None,
) -> pd.DataFrame:
    """The lines of a word, a phrase or a query: what stands before it, itself, what stands after it.

    Args:
        corpus: the corpus.
        query: see `Corpus.count`.
        where: see `Corpus.count`.
        most: how many lines at most.
        seed: some are drawn at random by it, in the order of the texts; None for the first ones.

    Raises:
        CorpusError: see `Corpus.count`.
        NotSupported: pandas is not installed.
    """
    rows = corpus.rows(query, where=where)
    which = np.arange(min(most, rows.num_rows))
    if seed is not None and rows.num_rows > most:
        which = np.sort(np.random.default_rng(seed).choice(rows.num_rows, most, replace=False))
    found = corpus.lines(rows.take(which))
    return frame(
        {
            LEFT: [one.left for one in found],
            WORD: [one.text[one.start : one.end] for one in found],
            RIGHT: [one.right for one in found],
            "source": [one.source for one in found],
            **{name: [one.columns[name] for one in found] for name in corpus.manifest.columns},
        }
    )


def aligned(table: pd.DataFrame, to_left: Collection[str]) -> str:
    """A table for a terminal, its columns aligned; of contexts, what stands next to the word.

    Args:
        table: the table.
        to_left: the columns of words; numbers, and what stands before a word, are aligned to the right.
    """
    columns = []
    for name in table.columns:
        cells = [str(name), *(_said(cell) for cell in table[name])]
        if RIGHT in to_left and name in (LEFT, RIGHT):
            part = slice(-CONTEXT, None) if name == LEFT else slice(CONTEXT)
            cells = [" ".join(cell.split())[part] for cell in cells]
        width = max(map(len, cells))
        columns.append([cell.ljust(width) if name in to_left else cell.rjust(width) for cell in cells])
    return "".join(f"{'  '.join(row).rstrip()}\n" for row in zip(*columns, strict=True))


def _said(cell: object) -> str:
    if cell is None or cell != cell:  # NaN
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
