"""The captions of a layer's heads below their picture: `layer/about.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..labels import written
from .ordering import Patterns


@dataclass(frozen=True, eq=False)
class About:
    """The patterns of each head of one layer, and the heads of the model that are similar to it.

    Attributes:
        layer: the layer, from 0.
        patterns: the scores of its heads for each pattern.
        follows: for each head, the pattern that it follows; None if it follows none.
        similar: for each head, similar heads in descending order: layer, head, cosine.
        also: a further sentence for a single head; "" for none.
    """

    layer: int
    patterns: Patterns
    follows: Sequence[int | None]
    similar: Sequence[Sequence[tuple[int, int, float]]]
    also: str = ""

    def header(self, heads: int) -> dict[str, Any]:
        """The part of the header that describes the heads.

        Raises:
            ValueError: sizes do not fit, or a score is not from 0 to 1.
        """
        if not len(self.follows) == len(self.similar) == heads:
            given = f"{len(self.follows)} and {len(self.similar)}"
            raise ValueError(f"Captions of {given} heads do not fit {heads} heads.")
        known = self.patterns.header(1, heads)
        return {
            **{what: known[what] for what in ("names", "scores", "typical")},
            "layer": self.layer,
            "follows": list(self.follows),
            "similar": [[[i, j, round(near, 4)] for i, j, near in those] for those in self.similar],
            "note": written(self.also),
        }
