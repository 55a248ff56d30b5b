"""The continuations of a text that were tried, as a tree: `writing/branches.js`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import style
from .labels import runs_left, spelled
from .picture import Picture

_ROW, _AROUND, _MOST_ROWS = 34, 70, 14  # pixels; if there are more rows, they scroll
_CLOSE = 1e-4  # tolerated beyond 0 or 1, for rounding


@dataclass(frozen=True)
class Branch:
    """A token in a tree of continuations.

    Attributes:
        parent: the index of the token before it; −1 if the tree begins with it.
        text: the token, spelled as in the text.
        probability: the model's probability of the token after those before it, from 0 to 1.
    """

    parent: int
    text: str
    probability: float


def branches(
    nodes: Sequence[Branch], *, sentence: str, name: str, chosen: int | None = None
) -> Picture:
    """A tree of tokens from left to right: where several were tried, it forks.

    A line is as wide as the token's probability, on one scale for all trees. Tokens without a fork
    between them stand in one row, as running text; so does the chosen path, which is the first row. A
    large tree scrolls.
    Event: "bar" {index}.

    Args:
        nodes: the tokens, each after its parent; those with the same parent stand below each
            other in their order.
        sentence: the picture in one sentence, for those who do not see it.
        name: the name of the saved file, after "polysee-".
        chosen: the token at which the chosen path ends; None for no such path.

    Raises:
        ValueError: there is nothing to draw, a node does not come after its parent, a probability is
            not from 0 to 1, or the chosen node does not exist.
    """
    if not nodes:
        raise ValueError("There is nothing to draw.")
    for i, node in enumerate(nodes):
        if not -1 <= node.parent < i:
            raise ValueError(f"Node {i} does not come after its parent, {node.parent}.")
    numbers = np.array([node.probability for node in nodes], np.float32)
    if not (np.isfinite(numbers).all() and numbers.min() >= -_CLOSE and numbers.max() <= 1 + _CLOSE):
        raise ValueError("Probabilities must be numbers from 0 to 1.")
    if chosen is not None and not 0 <= chosen < len(nodes):
        raise ValueError(f"There is no node {chosen}, counted from 0, among {len(nodes)}.")
    parents = [int(node.parent) for node in nodes]
    ends = len(nodes) - len({*parents} - {-1})
    header: dict[str, Any] = {
        "labels": [spelled(node.text) for node in nodes],
        "parents": parents,
        "left": runs_left([node.text for node in nodes]),
        "hue": style.WEIGHT_HUE,
        "chosen": None if chosen is None else int(chosen),
        "height": _ROW * min(ends, _MOST_ROWS) + _AROUND,
        "dtype": "float32",
        "sentence": sentence,
        "file": f"polysee-{name}",
    }
    return Picture("branches", header, numbers.clip(0, 1).astype("<f4").tobytes())
