"""What a picture of one layer shows first: the state as JavaScript keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import schema
from ..scales import square_root

_FIELDS = schema.state("layer")
LEVELS = schema.options("layer", "level")
MEAN = schema.TYPES["headOrMean"][
    "minimum"
]  # in the place of a head, below all heads: the mean of them
_SHORT, _LONG = (
    0.05,
    0.1,
)  # lines are drawn from this weight on; the second for long texts


def start(
    wanted: Mapping[str, Any], heads: int, shape: tuple[int, int], gone: Sequence[int] = ()
) -> dict[str, Any]:
    """The whole state; what is missing in `wanted`, or makes no sense, is as usual.

    Args:
        wanted: as `layer_view` takes it; it may come from a link.
        heads: how many there are; a mean of one head is none.
        shape: queries and keys.
        gone: which of the heads the layer does not have; of one that has none at all, all could be.
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

    # What makes sense in this layer and not in every one.
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
        state["pin"] = None  # of a token that another model has
    return state


def whole(header: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The same of the picture with this header: `Picture.complete`."""
    shape = len(header["queries"]), len(header["keys"])
    return start(wanted, header["heads"], shape, header["missingHeads"])
