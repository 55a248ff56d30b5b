"""Softmax and entropy."""

from __future__ import annotations

import math

import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"softmax": {"list": [0, 0]}}, (0.5, 0.5)),
        ({"entropy": {"list": [0.5, 0.5, 0]}}, math.log(2)),
    ],
    ids=str,
)
def test_softmax_and_entropy(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"entropy": {"list": [-1]}}, "below 0"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)
