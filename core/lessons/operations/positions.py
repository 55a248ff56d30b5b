"""Positions: their formulas, the model’s own table, and the effect of word order."""

from __future__ import annotations

import math

from ...errors import NotSupported
from ..expressions import BadExpression, Operation
from ..model_records import Records
from .arguments import TEXT, Given, floats, from_zero, parameters


def _angle(position: float, pair: int, width: int, base: float) -> float:
    return float(position / base ** (2 * pair / width))


def _sinusoid(given: Given) -> tuple[float, ...]:
    width, base = _width(given["width"]), given.get("base", 10_000.0)
    if base <= 0:
        raise BadExpression("The base must be above 0.")
    angles = [_angle(given["place"], i // 2, width, base) for i in range(width)]
    return tuple(math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(angles))


def _width(width: float) -> int:
    if not 1 <= width <= 4096:
        raise BadExpression("A vector must have 1 to 4,096 numbers.")
    return int(width)


def _rotated(given: Given) -> tuple[float, ...]:
    vector, base = given["of"], given.get("base", 10_000.0)
    if len(vector) % 2 or not vector or base <= 0:
        raise BadExpression(
            "Rotary positions turn pairs: the vector must have an even number of entries."
        )
    turned = list[float]()
    for i in range(0, len(vector), 2):
        angle = _angle(given["place"], i // 2, len(vector), base)
        x, y = vector[i : i + 2]
        turned += [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)]
    return tuple(turned)


def _table_row(records: Records, given: Given) -> tuple[float, ...]:
    table = records.position_table()
    if not 0 <= given["place"] < len(table):
        raise NotSupported(f"The table has {len(table)} positions.")
    return floats(table[int(given["place"])])


def _order(records: Records, given: Given) -> float:
    layer = from_zero("layer", given["layer"], 999)
    found = records.orders(given["text"], given["other"], layer)
    apart = found.with_positions if given["positions"] else found.without
    return float(apart.max())


OPERATIONS = (
    Operation(
        "sinusoid",
        parameters("place: number", "width: whole", "base: number?"),
        "The sinusoidal vector of a position, counted from 0: sine and cosine in turn.",
        lambda _, g: _sinusoid(g),
    ),
    Operation(
        "rotate",
        parameters("of: numbers", "place: number", "base: number?"),
        "A vector with each pair of its numbers turned by the angle of a position, counted from 0.",
        lambda _, g: _rotated(g),
    ),
    Operation(
        "position row",
        parameters("place: whole"),
        "A row of the model’s table of learned positions, counted from 0.",
        _table_row,
    ),
    Operation(
        "order",
        parameters(TEXT, "other: string", "layer: whole", "positions: truth"),
        "The largest difference that word order makes to the same tokens’ vectors, after a layer.",
        _order,
    ),
)
