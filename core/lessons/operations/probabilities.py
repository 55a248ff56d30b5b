"""Lists of numbers as probabilities: the softmax of scores, the entropy of shares."""

from __future__ import annotations

import math

from ..expressions import BadExpression, Operation
from .arguments import NUMBERS, non_empty


def softmax(values: tuple[float, ...]) -> tuple[float, ...]:
    """e^x of each entry x, divided by the sum over all; raises BadExpression if there are none."""
    raised = [math.exp(one - max(values)) for one in non_empty("softmax", values)]
    return tuple(one / sum(raised) for one in raised)


def _entropy(values: tuple[float, ...]) -> float:
    if any(one < 0 for one in values):
        raise BadExpression("“entropy” takes shares, none below 0.")
    return -math.fsum(one * math.log(one) for one in values if one > 0)


OPERATIONS = (
    Operation(
        "softmax",
        NUMBERS,
        "The softmax of a list: e^x of each entry x, divided by the sum over all entries.",
        lambda _, g: softmax(g["of"]),
    ),
    Operation(
        "entropy",
        NUMBERS,
        "The entropy of a list of shares, −Σ p·ln p, in nats.",
        lambda _, g: _entropy(g["of"]),
    ),
)
