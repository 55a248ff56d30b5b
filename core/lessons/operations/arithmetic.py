"""Arithmetic with single numbers, as 64-bit floats."""

from __future__ import annotations

import math
import re

from ..expressions import BadExpression, Operation
from .arguments import Given, parameters


def _divided(given: Given) -> float:
    if given["by"] == 0:
        raise BadExpression("Nothing can be divided by 0.")
    return float(given["x"] / given["by"])


def _root(given: Given) -> float:
    if given["x"] < 0:
        raise BadExpression("A number below 0 has no square root.")
    return math.sqrt(given["x"])


def _exp(given: Given) -> float:
    if given["x"] > 700:
        raise BadExpression("e to this power is not a finite number.")
    return math.exp(given["x"])


def _number(text: str) -> float:
    if not re.fullmatch(r"[-−]?[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise BadExpression(f"“{text[:40]}” is not a number.")
    return float(text.replace("−", "-"))


OPERATIONS = (
    Operation(
        "number",
        parameters("digits: string"),
        "The number that a text of the lesson writes in digits, such as “12” or “−0.5”.",
        lambda _, g: _number(g["digits"]),
    ),
    Operation(
        "+", parameters("x: number"), "The sum of its arguments.", lambda _, g: math.fsum(g.values()), 2
    ),
    Operation(
        "-",
        parameters("x: number", "less: number"),
        "The first number minus the second.",
        lambda _, g: g["x"] - g["less"],
    ),
    Operation(
        "*",
        parameters("x: number"),
        "The product of its arguments.",
        lambda _, g: math.prod(g.values()),
        2,
    ),
    Operation(
        "/",
        parameters("x: number", "by: number"),
        "The first number divided by the second.",
        lambda _, g: _divided(g),
    ),
    Operation(
        "exp", parameters("x: number"), "e raised to the power of a number.", lambda _, g: _exp(g)
    ),
    Operation("sqrt", parameters("x: number"), "The square root of a number.", lambda _, g: _root(g)),
    Operation(
        "abs", parameters("x: number"), "The absolute value of a number.", lambda _, g: abs(g["x"])
    ),
)
