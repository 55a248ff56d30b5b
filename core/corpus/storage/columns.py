"""The columns that come with the texts (year, genre, …): their names, and one type for each."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import pyarrow as pa

from ...untrusted import normalized

Value = str | int | float | None
Kind = Literal["int", "float", "text"]

ARROW: Mapping[Kind, pa.DataType] = {"int": pa.int64(), "float": pa.float64(), "text": pa.string()}
# What our tables hold themselves; a column of the texts with such a name gets a "_" after it.
OWN = frozenset(
    {"hash", "word", "written", "sentence", "position", "start", "end", "source", "id", "text"}
)
# What SQL reads as something else than a column; it gets a "_" as well.
_SQL = frozenset(
    {
        *("not", "null", "true", "false", "interval", "select", "exists", "trim", "with"),
        *("current_date", "current_time", "current_timestamp"),
    }
)
_VECTOR = re.compile(r"vector_\d+")
# No leading zeros: 007 is a name, and would come back as 7.
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


def value_name(value: object) -> str:
    """A value as a person writes it: 1990 for 1990.0; values that differ have different names."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def column_name(given: str) -> str:
    """A name that a filter can use without quotes: letters of any script, digits, "_"; lower case.

    A name of signs alone becomes what they are called: "%" is `percent_sign`.

    Args:
        given: the name in the file.
    """
    given = normalized("NFKC", normalized("NFKC", given).lower())
    name = _joined(given) or _joined(" ".join(unicodedata.name(sign, "") for sign in given[:4]).lower())
    name = name or "column"
    # What begins with a digit, or with a vowel sign that has lost its letter, is no name.
    name = name if unicodedata.category(name[0])[0] == "L" else f"column_{name}"
    return f"{name}_" if name in OWN | _SQL or _VECTOR.fullmatch(name) else name


def _joined(text: str) -> str:
    """The letters and digits of a text, "_" for each run of other signs between them."""
    return "_".join("".join(sign if is_named(sign) else " " for sign in text).replace("_", " ").split())


def is_named(sign: str) -> bool:
    """Whether a sign can be part of a name: a letter, a sign on or below one, a digit, or "_"."""
    return sign == "_" or unicodedata.category(sign)[0] in "LMN"


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
