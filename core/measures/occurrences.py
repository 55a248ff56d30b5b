"""One word in many sentences: where its occurrences lie at every depth, and which are near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import NotSupported
from core.measures.likeness import cosine
from core.measures.sense_range import told_right
from core.trace import Array, Record


@dataclass(frozen=True, eq=False)
class Occurrences(Record):
    """The vectors of a word, one of each place where it stands.

    Attributes:
        learned: (occurrences, d_embedding), the row of the word-embedding table, over and over.
        hidden: (occurrences, layers, d_model), what each layer returns.
        texts: (occurrences,), which of the sentences each stands in.
    """

    learned: Array
    hidden: Array
    texts: tuple[int, ...]

    def __post_init__(self) -> None:
        self._freeze("learned", "hidden")
        if not len(self.learned) == len(self.hidden) == len(self.texts):
            raise ValueError("Each occurrence has one learned vector, one of each layer, and one text.")

    @property
    def depths(self) -> tuple[Array, ...]:
        """(occurrences, d) each: the learned vectors, then what each layer returns."""
        return self.learned, *np.moveaxis(self.hidden, 1, 0)


def maps(found: Occurrences) -> tuple[Array, Array]:
    """Each depth seen along the two directions in which its own vectors differ most.

    Principal components have no sign, and each depth has its own: a map is turned and mirrored so that
    its points lie as near as they can to where they lay in the one before (orthogonal Procrustes;
    Schönemann 1966), which changes no distance within it. All vectors the same are all in one place.

    Returns:
        The places, (occurrences, depths, 2) float32, and of each depth which share of the spread its
        two directions hold, (depths,) float32, 0 where there is no spread.

    Raises:
        NotSupported: there are fewer than two occurrences.
    """
    if len(found.texts) < 2:
        raise NotSupported("A map needs the word at least twice.")
    places, shares = [], []
    before: Array | None = None
    for vectors in found.depths:
        x = vectors - vectors.mean(axis=0, dtype=np.float64)
        left, sizes, _ = np.linalg.svd(x, full_matrices=False)
        if sizes[0] < 1e-6 * max(1.0, float(np.abs(vectors).max())):  # one vector, but for rounding
            places.append(np.zeros((len(x), 2)))
            shares.append(0.0)
            continue
        at = np.zeros((len(x), 2))
        at[:, : min(2, len(sizes))] = (left * sizes)[:, :2]
        if before is not None:
            u, _, v = np.linalg.svd(at.T @ before)
            at = at @ (u @ v)
        before = at
        places.append(at)
        shares.append(float((sizes[:2] ** 2).sum() / (sizes**2).sum()))
    return np.stack(places, axis=1).astype(np.float32), np.array(shares, np.float32)


def told_apart(found: Occurrences, labels: Sequence[str]) -> Array:
    """How often the nearest centroid tells the label of an occurrence: see `told_right`.

    Returns:
        (depths,) float32, 0 to 1.

    Raises:
        NotSupported: there are no two labels, or one has only one occurrence.
    """
    return np.array(told_right(found.depths, labels), np.float32)


def nearest(found: Occurrences, of: int, depth: int) -> tuple[tuple[int, float], ...]:
    """All other occurrences and their cosine with one of them, the nearest first.

    Args:
        found: the occurrences.
        of: which one, from 0.
        depth: 0 for the learned vectors, then the layers.
    """
    x = found.depths[depth]
    near = cosine(x[of : of + 1], x)[0]
    order = np.argsort(-near, kind="stable")
    return tuple((int(i), float(near[i])) for i in order if i != of)
