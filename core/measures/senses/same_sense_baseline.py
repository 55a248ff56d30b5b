"""The same-sense baseline: how similar the vectors of a word are when its sense stays the same.

A cosine of .85 between two contextual vectors says little on its own, because it falls with depth
whatever the words mean. This module measures pairs of labelled sentences for comparison.

A `Spread` describes these sentences, not all possible ones: n sentences give n(n − 1)/2 pairs, which
are not independent. Read its 5 % and 95 % quantiles. The smallest and the largest pair depend on single
odd sentences, and move apart as sentences are added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from ...errors import NotSupported
from ...records.trace import Array, Record, frozen
from ..maps.trajectory import WordPath
from ..similarity import cosine

QUANTILES = (0.0, 0.05, 0.5, 0.95, 1.0)


@dataclass(frozen=True, eq=False)
class Spread(Record):
    """The distribution of a number at every depth, each (depths,) float32.

    Attributes:
        least: the smallest.
        low: the 5 % quantile, linear between neighbours.
        median: the 50 % quantile.
        high: the 95 % quantile.
        most: the largest.
        count: the number of values.
    """

    least: Array
    low: Array
    median: Array
    high: Array
    most: Array
    count: int

    def __post_init__(self) -> None:
        self._freeze("least", "low", "median", "high", "most")


@dataclass(frozen=True, eq=False)
class SameSenseBaseline:
    """The cosine similarities of pairs of a word's labelled sentences.

    Attributes:
        same: those of pairs with the same sense.
        different: those of pairs with different senses.
    """

    same: Spread
    different: Spread


def cosines(a: WordPath, b: WordPath) -> Array:
    """The cosine similarity of two paths at every depth, (depths,) float32, −1 to 1.

    The cosine with a zero vector is 0.

    Raises:
        ValueError: the paths come from models with different numbers of layers or widths.
    """
    pairs = zip(a.vectors, b.vectors, strict=True)
    return frozen([float(cosine(x[None], y[None])[0, 0]) for x, y in pairs])


def same_sense_baseline(groups: Mapping[str, Sequence[WordPath]]) -> SameSenseBaseline:
    """The range of `cosines` over pairs of the same sense and over pairs of different senses.

    The senses are pooled: one with more sentences has more pairs and therefore more weight.

    Args:
        groups: sense -> the paths of the word in the sentences of this sense, all from one model.

    Raises:
        NotSupported: there are fewer than two senses, or no sense with two sentences.
        ValueError: the paths come from models of different shapes.
    """
    paths, senses = _flat(groups)
    if len(set(senses)) < 2:
        raise NotSupported("A baseline between senses needs sentences of at least two senses.")
    same, different = _pairs(senses)
    by_depth = np.array([cosine(x, x) for x in _depths(paths)])  # (depths, paths, paths)
    return SameSenseBaseline(*(_spread(by_depth[:, i, j].T) for i, j in (same, different)))


def sense_accuracy(groups: Mapping[str, Sequence[WordPath]]) -> Array:
    """The nearest-centroid accuracy of a sentence's sense, see `centroid_accuracies`.

    For the learned vector, which is the same in all sentences, it equals guessing.

    Returns:
        (depths,) float32, 0 to 1.

    Raises:
        NotSupported: there are fewer than two senses, or a sense has only one sentence.
    """
    paths, senses = _flat(groups)
    return frozen(centroid_accuracies(_depths(paths), senses))


def centroid_accuracies(depths: Sequence[Array], labels: Sequence[str]) -> list[float]:
    """The nearest-centroid accuracy of the labels at each depth, 0 to 1.

    Each vector is left out in turn. The centroid of a label is the mean of its other vectors, and the
    nearest one has the largest cosine. A tie of k labels counts 1/k if the right label is among them.

    Args:
        depths: (vectors, width) for each depth.
        labels: the label of each vector.

    Raises:
        NotSupported: there are fewer than two labels, or a label has only one vector.
    """
    names = sorted(set(labels))
    number = {name: i for i, name in enumerate(names)}
    of, each = np.array([number[label] for label in labels]), np.arange(len(labels))
    if len(names) < 2 or np.bincount(of).min() < 2:
        raise NotSupported(
            "To tell senses apart, Polysee needs at least two senses, with two sentences each."
        )
    right = []
    for vectors in depths:
        x = vectors.astype(np.float64)
        sums = (of == np.arange(len(names))[:, None]).astype(np.float64) @ x
        near = cosine(x, sums)  # the length of a mean does not affect the cosine
        rest = sums[of] - x  # for its own label, the centroid without the vector itself
        lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(rest, axis=1)
        products = np.einsum("nd,nd->n", x, rest)
        near[each, of] = np.divide(products, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        best = near >= near.max(axis=1, keepdims=True) - 1e-9
        right.append(float((best[each, of] / best.sum(axis=1)).mean()))
    return right


def _flat(groups: Mapping[str, Sequence[WordPath]]) -> tuple[list[WordPath], list[str]]:
    """All paths, and the sense of each."""
    return list(chain(*groups.values())), [sense for sense, group in groups.items() for _ in group]


def _pairs(senses: Sequence[str]) -> tuple[tuple[list[int], list[int]], ...]:
    """The pairs of one sense and those of two: the indices of their first and of their second words."""
    pairs = list(combinations(range(len(senses)), 2))
    same = [(i, j) for i, j in pairs if senses[i] == senses[j]]
    different = [(i, j) for i, j in pairs if senses[i] != senses[j]]
    if not same:
        raise NotSupported("A baseline within a sense needs at least two sentences of that sense.")
    return tuple(([i for i, _ in some], [j for _, j in some]) for some in (same, different))


def _depths(paths: Sequence[WordPath]) -> list[Array]:
    """The vectors of all paths at every depth, (paths, width of the depth) float64 each."""
    return [np.array(at, np.float64) for at in zip(*(path.vectors for path in paths), strict=True)]


def _spread(values: npt.NDArray[np.float64]) -> Spread:
    """(numbers, depths) -> their spread."""
    least, low, median, high, most = np.quantile(values, QUANTILES, axis=0)
    return Spread(least, low, median, high, most, len(values))
