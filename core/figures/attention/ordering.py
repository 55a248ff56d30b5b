"""The patterns by which the heads in the picture of all heads can be ordered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...records.trace import Array
from ..labels import written

_CLOSE = 1e-3  # tolerated above a score of 1, for rounding


@dataclass(frozen=True, eq=False)
class Patterns:
    """How much each head follows each pattern, by which heads can be ordered.

    Attributes:
        names: the names of the patterns on the screen: "the token before".
        scores: (layers, heads, patterns), 0 to 1; NaN if the text has no position for the pattern.
        typical: the same for other texts; None if unknown.
        thresholds: the least score for each pattern at which a head counts as following it.
    """

    names: Sequence[str]
    scores: npt.ArrayLike
    typical: npt.ArrayLike | None
    thresholds: Sequence[float]

    def header(self, layers: int, heads: int) -> dict[str, Any]:
        """The part of the header with the scores of all heads for each pattern, layer by layer.

        Raises:
            ValueError: if sizes do not fit, or a number is not from 0 to 1.
        """
        count = len(self.names)
        if not count or len(self.thresholds) != count:
            raise ValueError(f"{len(self.thresholds)} thresholds do not fit {count} patterns.")
        if not all(0 <= limit <= 1 for limit in self.thresholds):
            raise ValueError("Thresholds must be numbers from 0 to 1.")
        shape = layers, heads, count
        return {
            "names": [written(name) for name in self.names],
            "scores": _scores(self.scores, shape),
            "typical": None if self.typical is None else _scores(self.typical, shape),
            "thresholds": [float(limit) for limit in self.thresholds],
        }


def _scores(values: npt.ArrayLike, shape: tuple[int, int, int]) -> list[list[float | None]]:
    """(patterns, heads of all layers), as JSON values."""
    scores: Array = np.asarray(values, np.float64)
    if scores.shape != shape:
        raise ValueError(f"Scores of {scores.shape} do not fit {shape} layers, heads and patterns.")
    known = scores[~np.isnan(scores)]
    if known.size and not (known.min() >= 0 and known.max() < 1 + _CLOSE):
        raise ValueError("Scores must be numbers from 0 to 1.")
    rows = scores.reshape(-1, shape[2]).T
    return [[None if x != x else round(min(x, 1.0), 4) for x in row] for row in rows.tolist()]  # NaN
