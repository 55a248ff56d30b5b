"""Lists, their entries and their sums."""

from __future__ import annotations

import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"list": [1, "a", True]}, (1.0, "a", True)),
        ({"item": [{"list": ["a", "b"]}, 2]}, "b"),
        ({"count": {"list": [1, 2, 3]}}, 3.0),
        ({"sum": {"list": [1, 2.5]}}, 3.5),
        ({"mean": {"list": [1, 2, 6]}}, 3.0),
        ({"max": {"list": [1, 5, 2]}}, 5.0),
        ({"min": {"list": [4, 1, 2]}}, 1.0),
        ({"argmax": {"list": [1, 5, 5]}}, 2.0),
        ({"argmin": {"list": [4, 1, 1]}}, 2.0),
        ({"join": {"list": ["a", "b"]}}, "a, b"),
        ({"join": [{"list": ["a", "b"]}, "-"]}, "a-b"),
        ({"contains": [{"list": ["a", "b"]}, "b"]}, True),
        ({"count above": [{"list": [1, 2, 3]}, 1]}, 2.0),
    ],
    ids=str,
)
def test_lists_by_hand(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"max": "a"}, "max"),
        ({"max": {"list": []}}, "entry"),
        ({"max": {"list": ["a"]}}, "max"),
        ({"item": [{"list": [1]}, 2]}, "2"),
        ({"item": [{"list": [1]}, 0]}, "0"),
        ({"item": [{"list": [1]}, 1.5]}, "whole"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)
