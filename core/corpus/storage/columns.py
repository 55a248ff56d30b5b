"""The columns that come with the texts (year, genre, …): their names, and one type for each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import pyarrow as pa

Value = str | int | float | None
Kind = Literal["int", "float", "text"]

ARROW: Mapping[Kind, pa.DataType] = {"int": pa.int64(), "float": pa.float64(), "text": pa.string()}
# What our tables hold themselves; a column of the texts with such a name gets a "_" after it.
OWN = frozenset(
    {"hash", "word", "written", "sentence", "position", "start", "end", "source", "id", "text"}
)
_VECTOR = re.compile(r"vector_\d+")
# No leading zeros: 007 is a name, and would come back as 7.
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


def column_name(given: str) -> str:
    """A name that a filter can use without quotes: letters, digits and "_", in lower case.

    Args:
        given: the name in the file.
    """
    name = re.sub(r"\W+", "_", given.strip().lower(), flags=re.ASCII).strip("_") or "column"
    name = name if not name[0].isdigit() else f"column_{name}"
    return f"{name}_" if name in OWN or _VECTOR.fullmatch(name) else name


def column_names(given: Iterable[str]) -> tuple[str, ...]:
    """`column_name` of each, with numbers where two would be the same."""
    names: dict[str, None] = {}
    numbers: dict[str, int] = {}  # of the last column with such a name
    for one in given:
        name = base = column_name(one)
        while name in names:
            numbers[base] = numbers.get(base, 1) + 1
            name = f"{base}_{numbers[base]}"
        names[name] = None
    return tuple(names)


def value_of(given: Any) -> Value:
    """A value of a file as a column can hold it; None for an empty one and for lists and objects."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int):
        return given if abs(given) < 2**63 else str(given)
    if isinstance(given, float):
        return given if math.isfinite(given) else None
    if isinstance(given, str):
        return given.strip() or None
    if given is None or isinstance(given, list | dict | bytes):
        return None
    return str(given)


def kind_of(value: Value) -> Kind | None:
    """The narrowest kind that holds a value; None for no value."""
    if value is None:
        return None
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    if _INTEGER.fullmatch(value):
        return "int"
    try:
        return (
            "float"
            if math.isfinite(float(value)) and not re.search(r"[_a-zA-Z]|^-?0\d", value)
            else "text"
        )
    except ValueError:
        return "text"


def wider(a: Kind | None, b: Kind | None) -> Kind | None:
    """The kind that holds the values of both."""
    order = (None, "int", "float", "text")
    return max(a, b, key=order.index)


def as_kind(value: Value, kind: Kind) -> Value:
    """A value as its column holds it.

    Raises:
        ValueError: it does not fit; possible only for texts that were added later.
    """
    if value is None:
        return None
    if kind == "text":
        return str(value)
    if kind_of(value) == "int":
        return int(value) if kind == "int" else float(value)
    if kind == "float" and kind_of(value) == "float":
        return float(value)
    raise ValueError(f"{value!r} is no number.")
