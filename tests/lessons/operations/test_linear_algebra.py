"""Vectors that a lesson writes or computes."""

from __future__ import annotations

import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"scale": [{"list": [1, 2]}, 3]}, (3.0, 6.0)),
        ({"dot": [{"list": [1, 2]}, {"list": [3, 4]}]}, 11.0),
        ({"cosine": [{"list": [1, 0]}, {"list": [0, 2]}]}, 0.0),
        ({"distance": [{"list": [0, 3]}, {"list": [4, 0]}]}, 5.0),
        ({"length": {"list": [3, 4]}}, 5.0),
        ({"products": [{"list": [1, 2]}, {"list": [3, 4]}]}, (3.0, 8.0)),
    ],
    ids=str,
)
def test_vectors_by_hand(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"dot": [{"list": [1]}, {"list": [1, 2]}]}, "length"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)
