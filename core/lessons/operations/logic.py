"""Names, choices and conditions: of two values, the same or not, larger or smaller."""

from __future__ import annotations

from collections.abc import Callable

from ..expressions import Operation, Value
from .arguments import parameters


def _same(a: Value, b: Value) -> bool:
    """Values of two kinds are never the same: true is not 1."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return type(a) is type(b) and a == b


_SIGNS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}


def _compared(name: str, compare: Callable[[float, float], bool]) -> Operation:
    about = f"Whether the first number is {_SIGNS[name]} the second."
    return Operation(
        name,
        parameters("x: number", "other: number"),
        about,
        lambda _, given: bool(compare(given["x"], given["other"])),
    )


OPERATIONS = (
    Operation(
        "value",
        parameters("name: string"),
        "The value that was given this name earlier.",
        lambda _, g: "",
    ),
    Operation(
        "if",
        parameters("condition: truth", "then: any", "else: any"),
        "The second argument if the first is true, otherwise the third; only that one is computed.",
        lambda _, g: "",
    ),
    Operation(
        "=",
        parameters("a: any", "b: any"),
        "Whether two values are the same.",
        lambda _, g: _same(g["a"], g["b"]),
    ),
    Operation(
        "!=",
        parameters("a: any", "b: any"),
        "Whether two values differ.",
        lambda _, g: not _same(g["a"], g["b"]),
    ),
    _compared("<", float.__lt__),
    _compared("<=", float.__le__),
    _compared(">", float.__gt__),
    _compared(">=", float.__ge__),
    Operation(
        "and",
        parameters("condition: truth"),
        "Whether all conditions are true.",
        lambda _, g: all(g.values()),
        2,
    ),
    Operation(
        "or",
        parameters("condition: truth"),
        "Whether at least one condition is true.",
        lambda _, g: any(g.values()),
        2,
    ),
    Operation(
        "not",
        parameters("condition: truth"),
        "True if the condition is false, and false if it is true.",
        lambda _, g: not g["condition"],
    ),
)
