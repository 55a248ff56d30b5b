"""Conditions, and whether two values are the same."""

from __future__ import annotations

import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"=": [1, 1]}, True),
        ({"=": [1, True]}, False),
        ({"=": ["1", 1]}, False),
        ({"=": [{"list": [1, 2]}, {"list": [1, 2]}]}, True),
        ({"!=": ["a", "b"]}, True),
        ({"<": [1, 2]}, True),
        ({"<": [2, 2]}, False),
        ({"<=": [2, 2]}, True),
        ({"<=": [3, 2]}, False),
        ({">": [2, 2]}, False),
        ({">=": [2, 2]}, True),
        ({"and": [True, False]}, False),
        ({"or": [True, False]}, True),
        ({"not": True}, False),
        ({"if": [{">": [2, 1]}, "yes", {"/": [1, 0]}]}, "yes"),
        ({"if": {"condition": False, "then": 1, "else": 2}}, 2.0),
    ],
    ids=str,
)
def test_conditions(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"if": [1, 2, 3]}, "true or false"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)
