"""The initial state of a picture of one layer, in the format that JavaScript uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import schema
from ..scales import square_root

_FIELDS = schema.state("layer")
LEVELS = schema.options("layer", "level")
MEAN = schema.TYPES["headOrMean"]["minimum"]  # the index of the mean of all heads
_SHORT, _LONG = (
    0.05,
    0.1,
)  # the initial threshold of lines; the second for long texts


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
    threshold = _LONG if square_root(*shape) else _SHORT
    defaults = {name: field.get("default") for name, field in _FIELDS.items()}
    defaults |= {"on": tuple(present), "head": present[0], "threshold": threshold}

    def in_range(value: object, count: int) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count

    def is_present(value: object) -> bool:
        return in_range(value, heads) and value in present

    def is_mean(value: object) -> bool:
        return type(value) is int and value == MEAN and len(present) > 1

    # Check what depends on this layer, beyond what is valid in every layer.
    checks: dict[str, Callable[[Any], bool]] = {
        "on": lambda x: all(is_present(i) for i in x) or (len(x) == 1 and is_mean(x[0])),
        "head": lambda x: is_present(x) or is_mean(x),
        "query": lambda x: in_range(x, shape[0]),
        "key": lambda x: in_range(x, shape[1]),
    }

    def makes_sense(name: str, value: Any) -> bool:
        return schema.fits(_FIELDS[name], value) and (name not in checks or checks[name](value))

    state = {
        name: wanted[name] if name in wanted and makes_sense(name, wanted[name]) else default
        for name, default in defaults.items()
    }
    if state["pin"] and state[state["pin"]] is None:
        state["pin"] = None  # a token that only another model has
    return state


def whole(header: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The complete state for the picture with this header: `Picture.complete`."""
    shape = len(header["queries"]), len(header["keys"])
    return start(wanted, header["heads"], shape, header["missingHeads"])
