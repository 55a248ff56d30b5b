"""Lists: their entries, and what sums them up."""

from __future__ import annotations

import math

from ..expressions import BadExpression, Operation, Value
from .arguments import NUMBERS, non_empty, parameters


def _entry(values: tuple[Value, ...], at: float) -> Value:
    if not 1 <= at <= len(values):
        raise BadExpression(f"The list has {len(values)} entries; there is no entry {at:.0f}.")
    return values[int(at) - 1]


OPERATIONS = (
    Operation(
        "list", parameters("entry: any"), "A list of its arguments.", lambda _, g: tuple(g.values()), 0
    ),
    Operation(
        "item",
        parameters("of: list", "at: whole"),
        "The entry of a list at an index.",
        lambda _, g: _entry(g["of"], g["at"]),
    ),
    Operation(
        "count",
        parameters("of: list"),
        "The number of entries in a list.",
        lambda _, g: float(len(g["of"])),
    ),
    Operation(
        "contains",
        parameters("of: strings", "string: string"),
        "Whether a list contains a string.",
        lambda _, g: g["string"] in g["of"],
    ),
    Operation(
        "join",
        parameters("of: strings", "with: string?"),
        "The strings of a list as one string, with a separator between them; “, ” if it is left out.",
        lambda _, g: g.get("with", ", ").join(g["of"]),
    ),
    Operation("sum", NUMBERS, "The sum of the entries of a list.", lambda _, g: math.fsum(g["of"])),
    Operation(
        "mean",
        NUMBERS,
        "The mean of the entries of a list.",
        lambda _, g: math.fsum(non_empty("mean", g["of"])) / len(g["of"]),
    ),
    Operation(
        "max", NUMBERS, "The largest entry of a list.", lambda _, g: max(non_empty("max", g["of"]))
    ),
    Operation(
        "min", NUMBERS, "The smallest entry of a list.", lambda _, g: min(non_empty("min", g["of"]))
    ),
    Operation(
        "argmax",
        NUMBERS,
        "The index of the largest entry of a list; the first if several are equal.",
        lambda _, g: float(1 + max(range(len(non_empty("argmax", g["of"]))), key=g["of"].__getitem__)),
    ),
    Operation(
        "argmin",
        NUMBERS,
        "The index of the smallest entry of a list; the first if several are equal.",
        lambda _, g: float(1 + min(range(len(non_empty("argmin", g["of"]))), key=g["of"].__getitem__)),
    ),
    Operation(
        "count above",
        parameters("of: numbers", "least: number"),
        "The number of entries that are larger than a number.",
        lambda _, g: float(sum(one > g["least"] for one in g["of"])),
    ),
)
