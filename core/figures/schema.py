"""What is chosen in pictures and what they tell: `web/src/schema.json`, which JavaScript reads as well.

Each field stands there in one line, in words of JSON Schema: "type", or "enum" for one of some texts;
"minimum", "maximum", "maxLength", "items", "minItems", "maxItems", "properties". A type with a name of
its own stands under "types". Four words more:

    "nullable": it may be null, where nothing is chosen;
    "default": what it is where nobody has chosen, as far as that is always the same;
    "optional": it is told beside the state and is no part of it;
    "own": pictures beside each other each have their own; all else they share.

A position may lie beyond the text that is shown by now: whoever takes a state knows how long that is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

Field = Mapping[str, Any]
Fields = Mapping[str, Field]

_SCHEMA = json.loads(resources.files(__package__).joinpath("web/src/schema.json").read_text("utf-8"))
TYPES: Fields = _SCHEMA["types"]
STATES: Mapping[str, Fields] = _SCHEMA["states"]  # by the picture's module
EVENTS: Mapping[str, Fields] = _SCHEMA["events"]  # by name; with "state" comes the state itself


class Misfit(ValueError):
    """What was given fits no field, or not its own. The message holds nothing of it."""


def state(module: str) -> Fields:
    """The fields of a picture's state, without what is told beside it."""
    return {name: field for name, field in STATES[module].items() if not field.get("optional")}


def options(module: str, name: str) -> tuple[str, ...]:
    """What a choice in a picture is one of, in the order of its controls."""
    return tuple(STATES[module][name]["enum"])


def read(fields: Fields, given: object) -> dict[str, Any]:
    """The fields of what was given, each as `fitted`.

    Raises:
        Misfit: it is no mapping, a field is missing, is none of these, or holds what it cannot.
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
    """A value of a field, as plain Python has it: a list for a tuple, 3 for the 3.0 of JavaScript.

    Raises:
        Misfit: it is no value of this field.
    """
    field = _whole(field)
    if value is None and field.get("nullable"):
        return None
    return _FITTED["enum" if "enum" in field else field["type"]](field, value)


def fits(field: Field, value: object) -> bool:
    """Whether it is a value of this field."""
    try:
        fitted(field, value)
    except Misfit:
        return False
    return True


def _whole(field: Field) -> Field:
    """A field with all that its type says, if that has a name of its own."""
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
    return value  # type: ignore[return-value]


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
