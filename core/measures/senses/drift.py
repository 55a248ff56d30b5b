"""How far a word's mean vector moved over time, or differs between genres: no clusters are needed.

Two means of few occurrences lie apart by chance alone. Each distance therefore has two companions: an
interval by resampling, and what remains of it where the years of the occurrences are shuffled.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...records.trace import Array

DRAWS = 200
LEAST = 5  # occurrences of a step: the mean of fewer is that of single lines
SEED = 0
_LOW, _HIGH = 2.5, 97.5  # percentiles
_CHANCE = 95


@dataclass(frozen=True)
class Drift:
    """The distance of a word's mean vector at a step of time from that at the first step.

    Attributes:
        value: the step: a year, or the first of several; or a genre.
        count: how many occurrences it has.
        distance: 1 − the cosine of the two means.
        low: where its 95 % interval begins: occurrences of both steps drawn anew with replacement,
            and the distances of these samples shifted so that their mean is `distance`. Their means lie
            farther apart than those of all; without the shift, the interval could miss the distance.
        high: where it ends.
        chance: what 95 % of shuffled years stay below. A distance above it is no accident of sampling.
    """

    value: Hashable
    count: int
    distance: float
    low: float
    high: float
    chance: float


def drift(
    vectors: Array,
    values: Sequence[Hashable],
    *,
    least: int = LEAST,
    start: Hashable | None = None,
) -> tuple[Drift, ...]:
    """How far the mean moved from the first value, for every later one with enough occurrences.

    Args:
        vectors: (n, d).
        values: (n,), the value of each, such as its year; None for none. Sorted, they are in order of
            time.
        least: occurrences that a value needs.
        start: the value from which it is measured; None for the first one with enough occurrences.

    Returns:
        One record for each other value; empty if fewer than two have enough occurrences, or `start`
        has not.
    """
    places: dict[Hashable, list[int]] = {}
    for at, value in enumerate(values):
        if value is not None:
            places.setdefault(value, []).append(at)
    steps = {
        one: np.array(places[one]) for one in sorted(places, key=_order) if len(places[one]) >= least
    }
    if start is None:
        start = next(iter(steps), None)
    if len(steps) < 2 or start not in steps:
        return ()
    x = np.asarray(vectors, np.float64)
    rng = np.random.default_rng(SEED)
    first = steps.pop(start)
    later = steps.items()
    found = []
    for value, own in later:
        distance = _apart(x[first].mean(axis=0), x[own].mean(axis=0))
        drawn = _resampled(x, first, rng), _resampled(x, own, rng)
        again = _apart(*drawn)
        low, high = np.maximum(np.percentile(again + distance - again.mean(), (_LOW, _HIGH)), 0)
        mixed = _shuffled(x, first, own, rng)
        chance = float(np.percentile(_apart(*mixed), _CHANCE))
        found.append(Drift(value, len(own), float(distance), float(low), float(high), chance))
    return tuple(found)


def _order(value: Hashable) -> tuple[bool, float, str]:
    number = isinstance(value, int | float)
    return not number, float(value) if number else 0.0, str(value)  # type: ignore[arg-type]


def _apart(one: Array, other: Array) -> Array:
    """1 − the cosine along the last axis."""
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    dots = np.einsum("...d,...d->...", one, other)
    return np.asarray(1 - np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0))


def _resampled(x: Array, own: npt.NDArray[np.int64], rng: np.random.Generator) -> Array:
    """(draws, d) means of as many rows, drawn with replacement."""
    counts = rng.multinomial(len(own), np.full(len(own), 1 / len(own)), size=DRAWS)
    return np.asarray(counts @ x[own] / len(own))


def _shuffled(
    x: Array, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[Array, Array]:
    """(draws, d) twice: means of the two, their rows dealt out at random."""
    both = x[np.concatenate([one, other])]
    share = np.zeros((DRAWS, len(both)))
    for row in share:
        row[rng.permutation(len(both))[: len(one)]] = 1
    total = both.sum(axis=0)
    first = share @ both
    return first / len(one), (total - first) / len(other)
