"""What a picture of one layer shows first: the state as JavaScript keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import style

LEVELS = ("lines", "head", "token", "product")
PINS = ("query", "key")
VIEWS = ("weights", "scores")
SORTS = ("place", "size")
MEAN = -1  # in the place of a head: the mean of all
_SHORT, _LONG = 0.05, 0.1  # the weight from which on lines are drawn; above `style.LINEAR_UP_TO` tokens
_ALONE = 0.01  # the same for the lines of a chosen token alone


def start(
    asked: Mapping[str, Any], heads: int, shape: tuple[int, int], gone: Sequence[int] = ()
) -> dict[str, Any]:
    """The whole state; what is missing in `asked`, or makes no sense, is as usual.

    Args:
        asked: as `layer_view` takes it; it may come from a link.
        heads: how many there are; a mean of one head is none.
        shape: queries and keys.
        gone: which of the heads the layer does not have; of one that has none at all, all could be.
    """
    present = [head for head in range(heads) if head not in set(gone)] or [*range(heads)]
    threshold = _LONG if max(shape) > style.LINEAR_UP_TO else _SHORT
    usual: dict[str, Any] = {"level": "lines", "on": tuple(present), "head": present[0], "query": None}
    usual |= {"key": None, "pin": None, "threshold": threshold, "special": None}
    usual |= {"alone": _ALONE, "view": "weights", "sort": "place"}

    def share(value: object) -> bool:
        return isinstance(value, int | float) and 0 <= value <= 1

    def within(value: object, count: int) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count

    def there(value: object) -> bool:
        return within(value, heads) and value in present

    def mean(value: object) -> bool:
        return type(value) is int and value == MEAN and len(present) > 1

    allowed: dict[str, Callable[[Any], bool]] = {
        "level": lambda x: x in LEVELS,
        "on": lambda x: (
            isinstance(x, list | tuple) and (all(there(i) for i in x) or (len(x) == 1 and mean(x[0])))
        ),
        "head": lambda x: there(x) or mean(x),
        "query": lambda x: within(x, shape[0]),
        "key": lambda x: within(x, shape[1]),
        "pin": lambda x: x in PINS,
        "threshold": share,
        "alone": share,
        "special": lambda x: isinstance(x, bool),
        "view": lambda x: x in VIEWS,
        "sort": lambda x: x in SORTS,
    }
    state = {
        what: asked[what] if what in asked and allowed[what](asked[what]) else otherwise
        for what, otherwise in usual.items()
    }
    if state["pin"] and state[state["pin"]] is None:
        state["pin"] = None  # of a token that another model has
    return state


def whole(header: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The same of the picture with this header: `Picture.complete`."""
    shape = len(header["queries"]), len(header["keys"])
    return start(wanted, header["heads"], shape, header["gone"])
