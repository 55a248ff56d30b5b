"""The initial state of a picture of one layer, in the format that JavaScript uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import schema
from ..scales import square_root

LEVELS = schema.options("layer", "level")
MEAN = schema.TYPES["headOrMean"]["minimum"]  # the index of the mean of all heads
SHORT, LONG = 0.05, 0.1  # the initial threshold of lines; the second for long texts


def start(
    wanted: Mapping[str, Any], heads: int, shape: tuple[int, int], gone: Sequence[int] = ()
) -> dict[str, Any]:
    """The complete state; missing or invalid values in `wanted` take their defaults.

    Args:
        wanted: the state, see `layer_view`; it may come from a link.
        heads: the number of heads; a single head has no mean.
        shape: the numbers of queries and keys.
        gone: which heads are missing in the layer; if all are, any can be chosen.
    """
    present = [head for head in range(heads) if head not in set(gone)] or [*range(heads)]
    threshold = LONG if square_root(*shape) else SHORT
    there = {"heads": present, "queries": range(shape[0]), "keys": range(shape[1])}
    defaults = {"on": present, "head": present[0], "threshold": threshold}
    state = schema.complete("layer", wanted, there, defaults)
    if state["pin"] and state[state["pin"]] is None:
        state["pin"] = None  # a token that only another model has
    return state


def whole(header: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The complete state for the picture with this header: `Picture.complete`."""
    shape = len(header["queries"]), len(header["keys"])
    return start(wanted, header["heads"], shape, header["missingHeads"])
