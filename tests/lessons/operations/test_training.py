"""A model in the course of its training."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.lessons import Value
from tests.lessons.small_records import Small, value


class _InTraining(Small):
    def snapshot(self, after: int) -> Any:
        return SimpleNamespace(loss=2.5 - after / 8, accuracy=after / 16, pattern=after / 32)

    def fills(self, text: str, after: int | None = None) -> tuple[str, ...]:
        return tuple(f"{text} {after} {i}" for i in range(12))


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"loss": 4}, 2.0),
        ({"accuracy": 4}, 0.25),
        ({"found": 4}, 0.125),
        ({"item": [{"fills": ["m", 4]}, 1]}, "m 4 0"),
        ({"item": [{"fills": "m"}, 10]}, "m None 9"),
        ({"count": {"fills": "m"}}, 10.0),
    ],
    ids=str,
)
def test_after_some_steps(tree: object, expected: Value) -> None:
    assert value(tree, _InTraining()) == expected
