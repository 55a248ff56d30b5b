"""The choices inside the picture of a layer: a field for each part of its state.

In a link, heads and tokens count from 1, as on the screen, and the mean of all heads is "mean". The
field of a part that has its default value holds None, and the link omits it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.figures import schema
from core.figures.attention.layer_state import MEAN
from ui import formats
from ui.state.fields import Field

_NONE, _MEAN = "none", "mean"
_SCHEMA = schema.state("layer")
# The usual key of each part in a link.
URLS = {"level": "r", "on": "on", "head": "h", "query": "q", "key": "k", "pin": "pin"}
URLS |= {"threshold": "th", "alone": "ta", "all": "al", "special": "s", "view": "vw", "sort": "so"}


def _format(field: schema.Field) -> formats.Parser[Any]:
    """How a part stands in a link, by its type in the schema."""
    if "enum" in field:
        return formats.Words(tuple(field["enum"]))
    if field["type"] == "array":
        return formats.Listed(_format(field["items"]), _NONE)
    most = schema.whole(field).get("maximum", 1)
    by_type: Mapping[str, formats.Parser[Any]] = {
        "position": formats.Counted(most + 1),
        "headOrMean": formats.Either(_MEAN, MEAN, formats.Counted(most + 1)),
        "share": formats.Real(0, 1),
        "boolean": formats.Switch(),
    }
    return by_type[field["type"]]


# Parts that each of several pictures side by side has for itself.
OWN = tuple(name for name, field in _SCHEMA.items() if field.get("own"))


def field(what: str, key: str, *, url: str = "") -> Field[Any]:
    """The field of one part of the state; its value is None if nothing is chosen.

    Args:
        what: the name of the part in the picture.
        key: its name in the session.
        url: a suffix to its usual key in a link.
    """
    return Field(URLS[what] + url, key, None, parse=formats.Maybe(_format(_SCHEMA[what])))


def fields(name: str) -> dict[str, Field[Any]]:
    """The fields of all parts of the state, in the order of the link.

    Args:
        name: the prefix of their names in the session.
    """
    return {what: field(what, f"{name} {what}") for what in URLS}


def chosen(state: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each part of a picture's state for its field: None for the default.

    Args:
        state: the state that the picture sent.
        default: the state if nothing is chosen.
    """
    return {what: _unless_default(state.get(what), default.get(what)) for what in URLS}


def _unless_default(value: Any, default: Any) -> Any:
    value, default = (tuple(one) if isinstance(one, list) else one for one in (value, default))
    return None if value == default else value
