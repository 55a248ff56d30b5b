"""One vector a word: the mean of the vectors of its occurrences, over all texts or over some.

A mean forgets what the concordance shows: a word with two senses stands between them. What it is good
for is comparing words with words, and the same word in two parts of the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import CorpusError
from ...records.frozen import Array, Record
from .cosines import halves, largest, widened

MOST_WORDS = 100_000  # the most frequent ones
LEAST_OCCURRENCES = 5  # the mean of fewer is hardly that of a word
# (rows that have been read, rows in all) -> nothing
Report = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class WordMeans(Record):
    """The words of a corpus, the most frequent first, each with its mean vector.

    Attributes:
        words: (words,), each as the texts write it most often.
        keys: (words,), the forms under which the corpus finds them.
        counts: (words,) int64, the occurrences of each.
        vectors: (words, d_model) float32, their means.
        spread: (words,) float32, the mean squared distance of its occurrences from the mean: the trace
            of their covariance, divided by n, not by n − 1.
    """

    words: tuple[str, ...]
    keys: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    vectors: Array
    spread: Array

    def __post_init__(self) -> None:
        self._freeze("vectors", "spread")

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def number(self) -> dict[str, int]:
        """Key -> its number here, from 0."""
        return {key: i for i, key in enumerate(self.keys)}

    @cached_property
    def _unit(self) -> Array:
        """(words, d_model), of length 1; zero stays zero."""
        lengths = np.linalg.norm(self.vectors, axis=1, keepdims=True)
        unit: Array = np.divide(
            self.vectors, lengths, out=np.zeros_like(self.vectors), where=lengths > 0
        )
        return unit

    def nearest(self, word: int, k: int = 10) -> list[tuple[int, float]]:
        """The words with the largest cosines of their mean vectors with that of a word, exactly.

        Args:
            word: its number.
            k: how many.

        Returns:
            The number of each and its cosine, the nearest first, the word itself left out.
        """
        cosines = self._unit @ self._unit[word]
        cosines[word] = -np.inf
        best = largest(cosines, min(k, len(self) - 1))
        return [(int(i), float(np.clip(cosines[i], -1, 1))) for i in best]


@dataclass(frozen=True, eq=False)
class Moved(Record):
    """How far the mean vectors of words lie apart in two parts of the texts.

    Attributes:
        here: (words,) int64, the number of each word in the first part, farthest first.
        there: (words,) int64, its number in the second.
        distance: (words,) float32: an unbiased estimate of the squared distance of the two means. Means
            of few occurrences differ by chance, by s²(1/n + 1/m) on average, which is subtracted; it
            can be below 0.
        ratio: (words,) float32: the squared distance as it is, divided by what chance gives on average
            (the pseudo-F of Anderson 2001 for two groups): about 1 if nothing differs.
    """

    here: npt.NDArray[np.int64]
    there: npt.NDArray[np.int64]
    distance: Array
    ratio: Array

    def __post_init__(self) -> None:
        self._freeze("distance", "ratio")


def moved(first: WordMeans, second: WordMeans, *, least: int = 20) -> Moved:
    """The words of both parts, those first whose means lie farthest apart.

    Args:
        first: the means in one part of the texts.
        second: those in the other, of the same layer of the same model.
        least: occurrences in either part.
    """
    pairs = [
        (i, second.number[key])
        for i, key in enumerate(first.keys)
        if key in second.number
        and min(first.counts[i], second.counts[second.number[key]]) >= max(2, least)
    ]
    a, b = np.array(pairs, np.int64).reshape(-1, 2).T
    n, m = first.counts[a].astype(np.float64), second.counts[b].astype(np.float64)
    apart = ((first.vectors[a].astype(np.float64) - second.vectors[b]) ** 2).sum(axis=1)
    pooled = (n * first.spread[a] + m * second.spread[b]) / (n + m - 2)
    chance = pooled * (1 / n + 1 / m)
    ratio = np.divide(apart, chance, out=np.ones_like(apart), where=chance > 0)
    order = np.argsort(chance - apart, kind="stable")
    return Moved(
        a[order],
        b[order],
        (apart - chance)[order].astype(np.float32),
        ratio[order].astype(np.float32),
    )


def counted(rows: Iterator[pa.RecordBatch]) -> dict[str, tuple[str, int]]:
    """Key -> its commonest spelling and how often it occurs, of rows with `word` and `written`."""
    counts: dict[tuple[str, str], int] = {}
    for batch in rows:
        both = pa.table({name: batch.column(name) for name in ("word", "written")})
        found = both.group_by(["word", "written"]).aggregate([([], "count_all")])
        for key, written, count in zip(
            *(found[name].to_pylist() for name in ("word", "written", "count_all")), strict=True
        ):
            counts[key, written] = counts.get((key, written), 0) + count
    often: dict[str, tuple[int, str]] = {}
    total: dict[str, int] = {}
    for (key, written), count in counts.items():
        total[key] = total.get(key, 0) + count
        often[key] = max(often.get(key, (-1, "")), (count, written))
    return {key: (often[key][1], count) for key, count in total.items()}


def chosen(counts: dict[str, tuple[str, int]], *, least: int, most: int) -> list[tuple[str, str, int]]:
    """The most frequent words with a letter, as (key, spelling, count); ties by their keys.

    Raises:
        CorpusError: no word occurs so often.
    """
    every = [
        (key, written, count)
        for key, (written, count) in counts.items()
        if count >= least and any(map(str.isalpha, key))
    ]
    if not every:
        raise CorpusError(
            "No word occurs {least} times in these texts: there is nothing to map.",
            least=least,
        )
    return sorted(every, key=lambda one: (-one[2], one[0]))[:most]


def averaged(
    words: list[tuple[str, str, int]],
    rows: Iterator[pa.RecordBatch],
    column: str,
    width: int,
    on_progress: Report = lambda done, total: None,
    total: int = 0,
) -> WordMeans:
    """The mean vector of each word.

    Args:
        words: (key, spelling, count) of each.
        rows: the column `word` and the column of the vectors; rows of one word need not lie together.
        column: its name.
        width: d_model.
        on_progress: called after each batch of rows.
        total: how many rows there are.
    """
    numbers = {key: i for i, (key, _, _) in enumerate(words)}
    sums = np.zeros((len(words), width), np.float64 if len(words) < 20_000 else np.float32)
    squares = np.zeros(len(words))
    done = 0
    for batch in rows:
        encoded = batch.column("word").dictionary_encode()
        of_word = np.array([numbers.get(key, -1) for key in encoded.dictionary.to_pylist()], np.int64)
        of = of_word[encoded.indices.to_numpy()]
        x = widened(halves(batch.column(column), width))
        begins = np.flatnonzero(np.r_[True, np.diff(of) != 0])
        kept = of[begins] >= 0
        own = of[begins][kept]
        np.add.at(sums, own, np.add.reduceat(x, begins, axis=0)[kept])
        np.add.at(
            squares, own, np.add.reduceat(np.einsum("nd,nd->n", x, x, dtype=np.float64), begins)[kept]
        )
        done += batch.num_rows
        on_progress(done, total)
    counts = np.array([count for _, _, count in words], np.int64)
    means = sums / counts[:, None]
    spread = squares / counts - np.einsum("nd,nd->n", means, means, dtype=np.float64)
    return WordMeans(
        tuple(written for _, written, _ in words),
        tuple(key for key, _, _ in words),
        counts,
        means.astype(np.float32),
        np.maximum(spread, 0).astype(np.float32),
    )
