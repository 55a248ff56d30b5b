"""A frozen record from a parsed JSON value, by the types that the record declares."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

R = TypeVar("R")


class Misfit(ValueError):
    """A value has another type than its field; the message says where, and what it is."""


def record(kind: type[R], value: object) -> R:
    """A record out of what `parse` returned.

    Args:
        kind: a dataclass. Its fields are declared as `bool`, `int`, `float`, `str`, `Literal[…]`,
            another such record, `tuple[X, ...]`, `Mapping[str, X]`, or one of several of these.
            A list becomes a tuple, a whole number a float where one is declared, and nothing else is
            converted.
        value: the JSON object. Fields with a default may be absent.

    Raises:
        Misfit: a field is missing, unknown, or of another type.
    """
    return cast(R, _fitted(kind, value, kind.__name__))


def _fitted(kind: Any, value: object, where: str) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, value, where)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (types.UnionType, Union):
        for one in inner:
            try:
                return _fitted(one, value, where)
            except Misfit:
                continue
    elif origin is Literal:
        if type(value) is str and value in inner:
            return value
    elif origin is tuple and inner[1:] == (Ellipsis,):
        if isinstance(value, list):
            return tuple(_fitted(inner[0], one, f"{where}[{i}]") for i, one in enumerate(value))
    elif origin is not None and issubclass(origin, Mapping):
        if isinstance(value, dict):
            return {key: _fitted(inner[1], one, f"{where}.{key}") for key, one in value.items()}
    elif kind is float and type(value) is int:
        return float(value)
    elif type(value) is kind:  # exactly: true is no number
        return value
    raise Misfit(f"{where} is {_described(value)}")


def _record(kind: Any, value: object, where: str) -> Any:
    if not isinstance(value, dict):
        raise Misfit(f"{where} is {_described(value)}")
    hints = _hints(kind)
    if unknown := value.keys() - hints.keys():
        raise Misfit(f"{where} has an unknown “{min(unknown)[:40]}”")
    for one in fields(kind):
        needed = one.default is MISSING and one.default_factory is MISSING
        if needed and one.name not in value:
            raise Misfit(f"{where} has no “{one.name}”")
    return kind(**{name: _fitted(hints[name], one, f"{where}.{name}") for name, one in value.items()})


@cache  # one for each kind of record
def _hints(kind: type) -> dict[str, Any]:
    every = get_type_hints(kind)
    return {one.name: every[one.name] for one in fields(cast(Any, kind)) if one.init}


def _described(value: object) -> str:
    """A value in an error: short, whatever it is."""
    names = {dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value)) or f"“{str(value)[:40]}”"
