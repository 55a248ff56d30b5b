"""How an operation declares its parameters, and reads its arguments.

All counting in arguments starts at 1; here it starts at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import NotSupported
from ...records.frozen import Array
from ...records.trace import Trace
from ..expressions import BadExpression, Kind, Parameter, Value
from ..model_records import Records, tokens_of

Given = Mapping[str, Any]  # the arguments of an operation, by name
TEXT, AFTER, SECOND = "text: string", "after: whole?", "second: string?"
IN_HEAD = ("layer: whole", "head: whole")


def parameters(*described: str) -> tuple[Parameter, ...]:
    """Parameters as "name: kind", with a "?" after optional ones."""
    made = []
    for one in described:
        name, _, kind = one.partition(": ")
        known: Kind = kind.rstrip("?")  # type: ignore[assignment]
        made.append(Parameter(name, known, not kind.endswith("?")))
    return tuple(made)


NUMBERS = parameters("of: numbers")


def non_empty(operation: str, values: tuple[Value, ...]) -> tuple[Any, ...]:
    """The values; raises BadExpression if there are none."""
    if not values:
        raise BadExpression(f"“{operation}” needs at least one entry.")
    return values


def floats(values: Array) -> tuple[float, ...]:
    """An array of numbers as a value of an expression."""
    return tuple(float(one) for one in values)


def trace_of(records: Records, given: Given) -> Trace:
    """The trace of the text, or of the pair of texts, that the arguments name."""
    after = given.get("after")
    return records.trace(given["text"], None if after is None else int(after), given.get("second"))


def tokens_at(records: Records, given: Given) -> Array:
    """The tokens of the word that the arguments name, from 0."""
    return tokens_of(trace_of(records, given), given["word"])


def from_zero(what: str, number: float, count: int) -> int:
    """The number of a layer, a head or a step, counted from 0; raises NotSupported if there is none."""
    if not 1 <= number <= count:
        raise NotSupported(f"There is no {what} {number:.0f}: there are {count}.")
    return int(number) - 1


def layer_of(trace: Trace, given: Given) -> int:
    """The layer that the arguments name, from 0."""
    return from_zero("layer", given["layer"], trace.grid[0])


def head_of(trace: Trace, given: Given) -> int:
    """The head that the arguments name, from 0."""
    return from_zero("head", given["head"], trace.grid[1])
