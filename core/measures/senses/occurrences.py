"""One word in many sentences: the positions of its occurrences at every depth, and their neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import NotSupported
from ...records.trace import Array, Record
from ..maps.neighbour_map import FEWEST
from .same_sense_baseline import centroid_accuracies

MOST_MAPPED = 500  # occurrences on a neighbour map: t-SNE of six layers takes half a minute
MOST_LABELS = 100  # a column of numbers is not a column of labels


@dataclass(frozen=True, eq=False)
class Occurrences(Record):
    """The vectors of a word, one for each of its occurrences.

    Attributes:
        learned: (occurrences, d_embedding), the row of the word-embedding table, repeated.
        hidden: (occurrences, layers, d_model), the output of each layer.
        texts: (occurrences,), the index of the sentence of each occurrence.
    """

    learned: Array
    hidden: Array
    texts: tuple[int, ...]

    def __post_init__(self) -> None:
        self._freeze("learned", "hidden")
        if not len(self.learned) == len(self.hidden) == len(self.texts):
            raise ValueError("Each occurrence has one learned vector, one of each layer, and one text.")

    @cached_property
    def n_learned(self) -> int:
        """How many different learned vectors there are, up to rounding: one for each different word."""
        near = np.round(self.learned / max(1.0, float(np.abs(self.learned).max(initial=0))), 5)
        return 1 if (near == near[:1]).all() else len(np.unique(near, axis=0))

    @property
    def depths(self) -> tuple[Array, ...]:
        """(occurrences, d) for each depth: the learned vectors, then the output of each layer."""
        return self.learned, *np.moveaxis(self.hidden, 1, 0)

    @cached_property
    def lengths(self) -> Array:
        """(depths, occurrences) float32: the length of each vector."""
        return np.stack([np.sqrt(np.einsum("nd,nd->n", x, x)) for x in self.depths])


def maps(occurrences: Occurrences, components: int = 2) -> tuple[Array, Array]:
    """Project each depth onto the directions in which its own vectors differ most.

    The sign of a principal component is arbitrary, and each depth has its own components. Each map is
    therefore rotated and reflected to bring its points as near as possible to those of the map before
    (orthogonal Procrustes; Schönemann 1966), which changes no distance within it. Identical vectors
    coincide.

    Args:
        occurrences: the occurrences of one word.
        components: the number of directions, 2 or 3.

    Returns:
        The coordinates, (occurrences, depths, components) float32; and for each depth the share of the
        variance that these directions hold, (depths,) float32, 0 without variance.

    Raises:
        NotSupported: there are fewer than two occurrences.
    """
    return projected(occurrences.depths, components)


def projected(depths: Sequence[Array], components: int = 2) -> tuple[Array, Array]:
    """Project the vectors of each depth, (occurrences, d): see `maps`, which says all else."""
    if len(depths[0]) < 2:
        raise NotSupported("A map needs at least two occurrences of the word.")
    coordinates, shares = [], []
    before: Array | None = None
    for vectors in depths:
        x = vectors - vectors.mean(axis=0, dtype=np.float64)
        at, sizes = _directions(x, components)
        # identical vectors, up to rounding
        if sizes[0] < 1e-6 * max(1.0, float(np.abs(vectors).max())):
            coordinates.append(np.zeros((len(x), components)))
            shares.append(0.0)
            continue
        if before is not None:
            u, _, v = np.linalg.svd(at.T @ before)
            at = at @ (u @ v)
        before = at
        coordinates.append(at)
        shares.append(float((sizes**2).sum() / (x**2).sum()))
    return np.stack(coordinates, axis=1).astype(np.float32), np.array(shares, np.float32)


def neighbour_maps(
    occurrences: Occurrences, how: Callable[[Array], Array], components: int = 2
) -> Array:
    """A map of neighbours for each depth, each rotated to match the one before it.

    Args:
        occurrences: the occurrences of one word.
        how: maps different vectors, (n, d) float32, to coordinates, (n, components): t-SNE or UMAP.
        components: 2 or 3.

    Returns:
        (occurrences, depths, components) float32. Identical vectors coincide. With fewer than `FEWEST`
        different vectors, all points are in the middle.

    Raises:
        NotSupported: there are more than `MOST_MAPPED` occurrences, or no depth with enough of them.
    """
    if len(occurrences.texts) > MOST_MAPPED:
        raise NotSupported(
            "A map of neighbours of {n_texts:,} occurrences would take too long: at most "
            "{most_mapped:,}. Choose PCA, or fewer sentences.",
            n_texts=len(occurrences.texts),
            most_mapped=MOST_MAPPED,
        )
    coordinates = np.zeros((len(occurrences.texts), len(occurrences.depths), components))
    before: Array | None = None
    for depth, vectors in enumerate(occurrences.depths):
        # Rounding must not separate points: the learned vector is a single one, however it was summed.
        near = np.round(vectors / max(1.0, float(np.abs(vectors).max())), 5)
        _, first, which = np.unique(near, axis=0, return_index=True, return_inverse=True)
        if len(first) < FEWEST:
            continue
        at = np.asarray(how(vectors[first].astype(np.float32)), np.float64)[which.reshape(-1)]
        at -= at.mean(axis=0)
        if before is not None:
            u, _, v = np.linalg.svd(at.T @ before)
            at = at @ (u @ v)
        before = coordinates[:, depth] = at
    if before is None:
        raise NotSupported(
            "A map of neighbours needs at least {fewest} different vectors of the word. "
            "Choose PCA, or add sentences.",
            fewest=FEWEST,
        )
    return coordinates.astype(np.float32)


def _directions(x: Array, count: int) -> tuple[Array, Array]:
    """Centre (n, d), project onto the first components, (n, count); also returns all sizes, (count,).

    It uses the eigenvectors of the smaller of xᵀx and xxᵀ: for 10,000 vectors, this is ten times as
    fast as the singular value decomposition of x.
    """
    at, sizes = np.zeros((len(x), count)), np.zeros(count)
    tall = len(x) > x.shape[1]
    if tall:  # products of 32-bit floats are twice as fast, and exact enough for directions
        short = x.astype(np.float32)
        values, directions = np.linalg.eigh((short.T @ short).astype(np.float64))
    else:
        values, directions = np.linalg.eigh(x @ x.T)
    first = np.arange(len(values))[::-1][:count]
    sizes[: len(first)] = np.sqrt(np.maximum(values[first], 0))
    at[:, : len(first)] = (
        x @ directions[:, first] if tall else directions[:, first] * sizes[: len(first)]
    )
    return at, sizes


def nearest_centroid_accuracy(occurrences: Occurrences, labels: Sequence[str]) -> Array:
    """The nearest-centroid accuracy at each depth, see `centroid_accuracies`.

    Returns:
        (depths,) float32, 0 to 1.

    Raises:
        NotSupported: there are fewer than two labels, or a label has only one occurrence.
    """
    return np.array(centroid_accuracies(occurrences.depths, labels), np.float32)


def scorable(labels: Sequence[str]) -> Array | None:
    """Which occurrences count in `nearest_centroid_accuracy`: those whose label occurs at least twice.

    Args:
        labels: the label of each occurrence; "" means none.

    Returns:
        (occurrences,) bool; None if fewer than two labels remain, or more than `MOST_LABELS`.
    """
    counts = Counter(label for label in labels if label)
    scored = {label for label, count in counts.items() if count > 1}
    if not 2 <= len(scored) <= MOST_LABELS:
        return None
    return np.array([label in scored for label in labels])


def some(occurrences: Occurrences, which: Array) -> Occurrences:
    """A selection of the occurrences; `which` is (occurrences,) bool."""
    if which.all():
        return occurrences
    texts = tuple(text for text, chosen in zip(occurrences.texts, which, strict=True) if chosen)
    return Occurrences(occurrences.learned[which], occurrences.hidden[which], texts)


def nearest(
    occurrences: Occurrences, of: int, depth: int, most: int | None = None
) -> tuple[tuple[int, float], ...]:
    """The other occurrences with their cosine to one of them, the nearest first; ties stay in order.

    The lengths of all vectors are cached; among 10,000 occurrences, this takes milliseconds.

    Args:
        occurrences: the occurrences of one word.
        of: the index of one occurrence, from 0.
        depth: 0 for the learned vectors, then the layers.
        most: the largest number of results; None for all.
    """
    x, lengths = occurrences.depths[depth], occurrences.lengths[depth]
    both = lengths * lengths[of]
    near = np.divide(x @ x[of], both, out=np.zeros_like(both), where=both > 0).clip(-1, 1)
    # Identical vectors are equally near, whatever rounding does.
    order = np.argsort(-np.round(near, 6), kind="stable")
    order = order[order != of][:most]
    return tuple((int(i), float(near[i])) for i in order)
