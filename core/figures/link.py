"""Pictures beside each other that show the same choice: `runtime/linkedpictures.js`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Link(NamedTuple):
    """Where what is chosen or pointed at in one picture is shown in the others of its group.

    Attributes:
        group: a name that the pictures of one page share.
        queries: of each query of this picture, its number in the group; None where no other has it.
        keys: the same of its keys.
    """

    group: str
    queries: Sequence[int | None]
    keys: Sequence[int | None]

    def header(self, queries: int, keys: int) -> dict[str, Any]:
        """What the picture is told.

        Raises:
            ValueError: there are not as many numbers as tokens.
        """
        if (len(self.queries), len(self.keys)) != (queries, keys):
            raise ValueError(
                f"A link of {len(self.queries)} × {len(self.keys)} tokens does not fit a picture of "
                f"{queries} × {keys}."
            )
        return {"group": self.group, "queries": list(self.queries), "keys": list(self.keys)}
