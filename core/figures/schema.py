"""The states and events of pictures: `web/src/schema.json`, which JavaScript also reads.

Each field is one line in terms of JSON Schema: "type", or "enum" for one of several texts; "minimum",
"maximum", "maxLength", "items", "minItems", "maxItems", "properties". A type with a name is defined
under "types". There are six additional keywords:

    "nullable": it may be null, if nothing is chosen;
    "default": its value if nothing is chosen, unless that varies;
    "optional": it is sent beside the state and is not part of it;
    "own": pictures side by side each have their own; they share everything else;
    "of": what the value must be among, by the name under which `complete` gets it;
    "steps": the number is rounded to so many steps from 0 to 1.

A position may be beyond the end of the current text: `complete` checks it against the text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Container, Mapping, Sized
from importlib import resources
from types import MappingProxyType
from typing import Any

Field = Mapping[str, Any]
Fields = Mapping[str, Field]

_SCHEMA = json.loads(resources.files(__package__).joinpath("web/src/schema.json").read_text("utf-8"))
TYPES: Fields = _SCHEMA["types"]
STATES: Mapping[str, Fields] = _SCHEMA["states"]  # by the module of the picture
EVENTS: Mapping[str, Fields] = _SCHEMA["events"]  # by name; "state" carries the state itself


class Misfit(ValueError):
    """A value is invalid for its field, or its field is unknown; the message never quotes the value."""


def state(module: str) -> Fields:
    """The fields of a picture's state, without those sent beside it."""
    return {name: field for name, field in STATES[module].items() if not field.get("optional")}


def options(module: str, name: str) -> tuple[str, ...]:
    """The options of a choice in a picture, in the order of its controls."""
    return tuple(STATES[module][name]["enum"])


def complete(
    module: str,
    wanted: Mapping[str, Any],
    there: Mapping[str, Container[Any]],
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """The whole state of a picture; what is missing, or does not fit, takes its default.

    Args:
        module: the module of the picture.
        wanted: some choices; they may come from a link.
        there: what the value of a field may be, by the word behind "of". A negative minimum, such as −1
            for the mean of all heads, stands alone, and only for several.
        defaults: the defaults of this picture that differ from those of the schema.
    """
    state_of = {}
    for name, field in state(module).items():
        default = defaults.get(name, field.get("default"))
        try:
            value = fitted(field, wanted[name]) if name in wanted else default
        except Misfit:
            value = default
        state_of[name] = value if _is_there(field, wanted.get(name), there) else default
    return state_of


def _is_there(field: Field, value: Any, there: Mapping[str, Container[Any]]) -> bool:
    if value is None or "of" not in field:
        return True
    among, values = there[field["of"]], value if isinstance(value, list | tuple) else [value]
    least = whole(field.get("items", field)).get("minimum", 0)
    if least < 0 and [*values] == [least] and isinstance(values[0], int):
        return isinstance(among, Sized) and len(among) > 1
    return all(one in among and not isinstance(one, float) for one in values)


def read(fields: Fields, given: object) -> dict[str, Any]:
    """The fields of a message, each as returned by `fitted`.

    Raises:
        Misfit: if it is not a mapping, or if a field is missing, unknown, or has an invalid value.
    """
    if not isinstance(given, Mapping):
        raise Misfit("It is not a mapping.")
    if not given.keys() <= fields.keys():
        raise Misfit("It has a field that no picture has.")
    missing = [name for name, of in fields.items() if not of.get("optional") and name not in given]
    if missing:
        raise Misfit(f"It has no {missing[0]}.")
    return {name: fitted(field, given[name]) for name, field in fields.items() if name in given}


def fitted(field: Field, value: object) -> Any:
    """The value of a field in plain Python: a list for a tuple, 3 for the 3.0 of JavaScript.

    Raises:
        Misfit: if the value is invalid for this field.
    """
    field = whole(field)
    if value is None and field.get("nullable"):
        return None
    return _FITTED["enum" if "enum" in field else field["type"]](field, value)


def fits(field: Field, value: object) -> bool:
    """Whether a value is valid for this field."""
    try:
        fitted(field, value)
    except Misfit:
        return False
    return True


def whole(field: Field) -> Field:
    """A field together with its named type, if it has one."""
    named = TYPES.get(field.get("type", ""))
    return field if named is None else {**named, **field, "type": named["type"]}


def _integer(field: Field, value: object) -> int:
    low, high = field["minimum"], field["maximum"]
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise Misfit(f"It is not a whole number from {low} to {high}.")
    return number


def _number(field: Field, value: object) -> float:
    low, high = field["minimum"], field["maximum"]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high:  # NaN is in no range
        raise Misfit(f"It is not a number from {low} to {high}.")
    steps = field.get("steps")
    return value if steps is None else math.floor(value * steps + 0.5) / steps  # type: ignore[return-value]


def _string(field: Field, value: object) -> str:
    if not isinstance(value, str) or len(value) > field["maxLength"]:
        raise Misfit("It is not a text of an accepted length.")
    return value


def _boolean(field: Field, value: object) -> bool:
    if not isinstance(value, bool):
        raise Misfit("It is not true or false.")
    return value


def _enum(field: Field, value: object) -> str:
    if not isinstance(value, str) or value not in field["enum"]:
        raise Misfit("It is not one of the names.")
    return value


def _array(field: Field, value: object) -> list[Any]:
    least, most = field.get("minItems", 0), field["maxItems"]
    if not isinstance(value, list | tuple) or not least <= len(value) <= most:
        raise Misfit("It is not a list of an accepted length.")
    return [fitted(field["items"], one) for one in value]


def _object(field: Field, value: object) -> dict[str, Any]:
    return read(field["properties"], value)


_FITTED: Mapping[str, Callable[[Field, object], Any]] = {
    "integer": _integer,
    "number": _number,
    "string": _string,
    "boolean": _boolean,
    "enum": _enum,
    "array": _array,
    "object": _object,
}
