"""Over how many senses the uses of a word are spread: in which genre, or which year, has it more?

The number of groups that occur grows with the number of lines, and a rare group counts as much as a
frequent one. Hill's number counts groups by their shares, and as many lines are drawn of every value.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...records.trace import Array

LEAST = 20  # lines of a value: of fewer, a share is no share
DRAWS = 1_000
SEED = 0
_LOW, _HIGH = 2.5, 97.5  # percentiles


@dataclass(frozen=True)
class Variety:
    """Over how many groups the lines with one value of a column are spread.

    Attributes:
        value: the value: a genre, a year.
        count: how many lines it has.
        drawn: how many of them are drawn each time, as many as of every other value.
        number: exp of the entropy of their shares (Hill 1973, order 1): 1 if all lie in one group, n if
            they are spread evenly over n. The mean of the draws, with replacement.
        low: where 95 % of the draws begin.
        high: where they end.
    """

    value: Hashable
    count: int
    drawn: int
    number: float
    low: float
    high: float


def variety(groups: Sequence[int], values: Sequence[Hashable]) -> tuple[Variety, ...]:
    """Over how many groups the lines of each value are spread, the largest value first.

    Args:
        groups: (lines,), the group of each, from 0; −1 for a line that belongs to none.
        values: (lines,), its value of the column; None for none.

    Returns:
        One record for each value with `LEAST` lines or more; empty if fewer than two have.
    """
    places: dict[Hashable, list[int]] = {}
    for group, value in zip(groups, values, strict=True):
        if value is not None and group >= 0:
            places.setdefault(value, []).append(group)
    own = {value: np.bincount(of) for value, of in places.items() if len(of) >= LEAST}
    if len(own) < 2:
        return ()
    drawn = min(int(counts.sum()) for counts in own.values())
    random = np.random.default_rng(SEED)
    found = []
    for value in sorted(own, key=lambda one: (-int(own[one].sum()), str(one))):
        count = int(own[value].sum())
        numbers = _spread(random.multinomial(drawn, own[value] / count, size=DRAWS) / drawn)
        low, high = np.percentile(numbers, (_LOW, _HIGH))
        found.append(Variety(value, count, drawn, float(numbers.mean()), float(low), float(high)))
    return tuple(found)


def _spread(shares: Array) -> Array:
    """(draws,): exp of the entropy of (draws, groups) shares."""
    logarithms = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.exp(-(shares * logarithms).sum(axis=1)))
