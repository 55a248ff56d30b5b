"""The share of each sense of a word over a column of its texts: how did it change?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

_Z = 1.959964  # of a normal distribution: 95 % lie within ± so many standard deviations


@dataclass(frozen=True)
class Share:
    """The share of a sense among the occurrences of a word with one value of a column.

    Attributes:
        value: the value: a year, a genre.
        sense: the sense, or the number of a cluster.
        count: how many of these occurrences have it.
        total: how many occurrences have this value.
        low: where the 95 % interval begins, 0 to 1 (Wilson 1927).
        high: where it ends.
    """

    value: Hashable
    sense: Hashable
    count: int
    total: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """`count` / `total`."""
        return self.count / self.total


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share, which never leaves 0 to 1, not even for small numbers.

    It holds for independent occurrences. Those of one text often share a sense; it is then too narrow.
    Source: Wilson 1927, without continuity correction.

    Raises:
        ValueError: unless 0 ≤ count ≤ total and total ≥ 1.
    """
    if not 0 <= count <= total or total < 1:
        raise ValueError(f"{count} of {total} is no share.")
    share, z2 = count / total, _Z * _Z
    middle = share + z2 / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    low, high = ((middle + sign * spread) / (1 + z2 / total) for sign in (-1, 1))
    return (0.0 if count == 0 else low), (1.0 if count == total else high)


def shares(senses: Sequence[Hashable], values: Sequence[Hashable]) -> tuple[Share, ...]:
    """The share of each sense for each value, both in the order in which they first occur.

    Args:
        senses: (occurrences,), the sense or cluster of each.
        values: (occurrences,), its value of the column; occurrences without one (None) are left out.
    """
    both = [(v, s) for v, s in zip(values, senses, strict=True) if v is not None]
    totals, counts = Counter(v for v, _ in both), Counter(both)
    every = dict.fromkeys(s for _, s in both)
    return tuple(
        Share(value, sense, counts[value, sense], total, *wilson(counts[value, sense], total))
        for value, total in totals.items()
        for sense in every
    )
