"""What is said of the heads of a layer beneath their picture: `layer/about.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..labels import written
from .ordering import Patterns


@dataclass(frozen=True, eq=False)
class About:
    """What each head of one layer does, and which heads of the model are like it.

    Attributes:
        layer: which one it is, from 0.
        patterns: how much each of its heads follows each pattern; of one layer.
        follows: of each head, the pattern that it counts as following; None for none.
        similar: of each head, others that are like it, most similar first: layer, head, cosine.
        also: a sentence that is said with a single head; "" for none.
    """

    layer: int
    patterns: Patterns
    follows: Sequence[int | None]
    similar: Sequence[Sequence[tuple[int, int, float]]]
    also: str = ""

    def header(self, heads: int) -> dict[str, Any]:
        """What the picture is told.

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
