"""The choices inside the picture of a layer: a field for each part of its state.

In a link, heads and tokens count from 1, as on the screen, and the mean of all heads is "mean". The
field of a part that has its default value holds None, and the link omits it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from core.figures import schema
from core.figures.attention.layer_state import MEAN
from ui import permalink
from ui.state.fields import Field

_NONE, _MEAN = "none", "mean"


def _position(typed: str) -> int:
    if int(typed) < 1:
        raise ValueError(typed)
    return int(typed) - 1


def _counted(position: int) -> str:
    return str(position + 1)


def _head(typed: str) -> int:
    return MEAN if typed == _MEAN else _position(typed)


def _head_name(head: int) -> str:
    return _MEAN if head == MEAN else _counted(head)


def _heads(typed: str) -> tuple[int, ...]:
    return () if typed == _NONE else tuple(map(_head, typed.split(".")))


def _head_names(heads: tuple[int, ...]) -> str:
    return ".".join(map(_head_name, heads)) or _NONE


def _decimal(share: float) -> str:
    """1 and 0.00001, not 1.0 and 1e-05."""
    return np.format_float_positional(float(share), trim="-")


class _Part(NamedTuple):
    """A part of the state in a link: its key, and how it is parsed and written."""

    url: str
    parse: Callable[[str], Any]
    write: Callable[[Any], str] = permalink.written


_SCHEMA = schema.state("layer")
# The usual key of each part in a link.
_URL = {"level": "r", "on": "on", "head": "h", "query": "q", "key": "k", "pin": "pin"}
_URL |= {"threshold": "th", "alone": "ta", "special": "s", "view": "vw", "sort": "so"}
# How a part is parsed and written, by its type in the schema.
_BY_TYPE: Mapping[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "position": (_position, _counted),
    "headOrMean": (_head, _head_name),
    "array": (_heads, _head_names),
    "share": (permalink.real(0, 1), _decimal),
    "boolean": (permalink.switch, permalink.written),
}


def _part(name: str, field: schema.Field) -> _Part:
    if "enum" in field:
        return _Part(_URL[name], permalink.one_of(*field["enum"]))
    return _Part(_URL[name], *_BY_TYPE[field["type"]])


_PARTS = {name: _part(name, field) for name, field in _SCHEMA.items()}
# Parts that each of several pictures side by side has for itself.
OWN = tuple(name for name, field in _SCHEMA.items() if field.get("own"))


def field(what: str, key: str, *, url: str = "") -> Field[Any]:
    """The field of one part of the state; its value is None if nothing is chosen.

    Args:
        what: the name of the part in the picture.
        key: its name in the session.
        url: a suffix to its usual key in a link.
    """
    part = _PARTS[what]

    def parse(typed: str) -> Any:
        return part.parse(typed) if typed else None

    return Field(part.url + url, key, None, parse=parse, write=part.write)


def fields(name: str) -> dict[str, Field[Any]]:
    """The fields of all parts of the state, in the order of the link.

    Args:
        name: the prefix of their names in the session.
    """
    return {what: field(what, f"{name} {what}") for what in _PARTS}


def chosen(state: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each part of a picture's state for its field: None for the default.

    Args:
        state: the state that the picture sent.
        default: the state if nothing is chosen.
    """
    return {what: _unless_default(state.get(what), default.get(what)) for what in _PARTS}


def _unless_default(value: Any, default: Any) -> Any:
    value, default = (tuple(one) if isinstance(one, list) else one for one in (value, default))
    return None if value == default else value
