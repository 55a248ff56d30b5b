"""Pictures beside each other with linked choices: `runtime/linkedpictures.js`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Link(NamedTuple):
    """Links pictures of a group: each shows what a visitor chooses or points at in the others.

    Attributes:
        group: the name that linked pictures share.
        queries: for each query of this picture, its number in the group; None if no other has it.
        keys: for each key, its number in the group.
    """

    group: str
    queries: Sequence[int | None]
    keys: Sequence[int | None]

    def header(self, queries: int, keys: int) -> dict[str, Any]:
        """The part of the header that describes the link.

        Raises:
            ValueError: there are not as many numbers as tokens.
        """
        if (len(self.queries), len(self.keys)) != (queries, keys):
            raise ValueError(
                f"A link of {len(self.queries)} × {len(self.keys)} tokens does not fit a picture of "
                f"{queries} × {keys}."
            )
        return {"group": self.group, "queries": list(self.queries), "keys": list(self.keys)}
