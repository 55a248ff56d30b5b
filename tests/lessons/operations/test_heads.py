"""The head with the largest weight or the clearest pattern."""

from __future__ import annotations

import pytest

from core.lessons import BadExpression, Value
from tests.lessons.small_records import TEXT, value


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"strongest head": [TEXT, "cat", "the"]}, (1.0, 2.0)),
        ({"strongest head": [TEXT, "cat", "sat"]}, (2.0, 1.0)),
        ({"strongest head": [TEXT, "cat", "sat", 1]}, (1.0, 1.0)),
        ({"strongest pattern": [TEXT, "previous"]}, (1.0, 2.0)),
        ({"strongest pattern": [TEXT, "itself"]}, (1.0, 1.0)),
        ({"pattern": [TEXT, "previous", 1, 2]}, 1.0),
    ],
    ids=str,
)
def test_the_strongest_head_and_patterns(tree: object, expected: Value) -> None:
    assert value(tree) == expected


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"pattern": [TEXT, "zigzag", 1, 1]}, "zigzag"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)


def test_the_size_of_the_model() -> None:
    assert value({"layers": TEXT}) == 2
    assert value({"heads": TEXT}) == 3
