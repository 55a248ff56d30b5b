"""The order of heads in the picture of all of them: by layer and number, or by a pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import deprecated
from ...records.trace import Array
from ..labels import written

STEPS = 20  # of the slider that leaves heads out, from 0 to 1
_CLOSE = 1e-3  # above a score of 1, by rounding


@dataclass(frozen=True, eq=False)
class Patterns:
    """How much each head follows each pattern: what heads can be put in order by.

    Attributes:
        names: of the patterns, as a screen shows them: "the token before".
        scores: (layers, heads, patterns), 0 to 1; NaN where the text gives no occasion.
        typical: the same over other texts; None if it is not known.
        thresholds: of each pattern, the score from which on a head counts as following it.
    """

    names: Sequence[str]
    scores: npt.ArrayLike
    typical: npt.ArrayLike | None
    thresholds: Sequence[float]

    here = deprecated.field("here", "scores")
    usual = deprecated.field("usual", "typical")

    def header(self, layers: int, heads: int) -> dict[str, Any]:
        """What the picture is told: of each pattern, the scores of all heads, layer by layer.

        Raises:
            ValueError: sizes do not fit, or a number is not from 0 to 1.
        """
        count = len(self.names)
        if not count or len(self.thresholds) != count:
            raise ValueError(f"{len(self.thresholds)} thresholds do not fit {count} patterns.")
        if not all(0 <= limit <= 1 for limit in self.thresholds):
            raise ValueError("Thresholds are numbers from 0 to 1.")
        shape = layers, heads, count
        return {
            "names": [written(name) for name in self.names],
            "scores": _scores(self.scores, shape),
            "typical": None if self.typical is None else _scores(self.typical, shape),
            "thresholds": [float(limit) for limit in self.thresholds],
        }


def order(
    patterns: Mapping[str, Any] | None,
    pattern: int | None,
    typical: bool | None,
    threshold: float | None,
) -> tuple[int | None, bool, float]:
    """What orders the heads: pattern, scores, the least of them; without what makes no sense.

    Args:
        patterns: those that there are, as `Patterns.header` has them.
        pattern: which of them, from 0.
        typical: whether by the scores of other texts.
        threshold: the least score of the heads that are not left out.
    """
    if patterns is None:
        return None, False, 0.0
    whole = isinstance(pattern, int) and not isinstance(pattern, bool)
    some = pattern if whole and pattern is not None and 0 <= pattern < len(patterns["names"]) else None
    number = (
        isinstance(threshold, int | float) and not isinstance(threshold, bool) and 0 <= threshold <= 1
    )
    return (
        some,
        typical is True and patterns["typical"] is not None,
        round(threshold * STEPS) / STEPS if number and threshold is not None else 0.0,
    )


def _scores(values: npt.ArrayLike, shape: tuple[int, int, int]) -> list[list[float | None]]:
    """(patterns, heads of all layers), as JSON can carry it."""
    scores: Array = np.asarray(values, np.float64)
    if scores.shape != shape:
        raise ValueError(f"Scores of {scores.shape} do not fit {shape} layers, heads and patterns.")
    known = scores[~np.isnan(scores)]
    if known.size and not (known.min() >= 0 and known.max() < 1 + _CLOSE):
        raise ValueError("Scores are numbers from 0 to 1.")
    rows = scores.reshape(-1, shape[2]).T
    return [[None if x != x else round(min(x, 1.0), 4) for x in row] for row in rows.tolist()]  # NaN
