"""Vectors of words and texts."""

from __future__ import annotations

import numpy as np
import pytest

from core.lessons import BadExpression, Value
from core.records.frozen import Array
from tests.lessons.small_records import TEXT, Small, value


class _WithMore(Small):
    def nearest(self, vector: Array, count: int) -> tuple[str, ...]:
        return tuple(f"{vector.sum():.0f}" for _ in range(count))

    def step(self, text: str, step: str, layer: int, head: int) -> Array:
        return np.array([[layer, head, i] for i in range(5)])


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"learned": [TEXT, "cat"]}, (4.0, 5.0)),
        ({"vector": {"text": TEXT, "word": "cat", "layer": 0}}, (5.0, 6.0)),
        ({"vector": {"text": TEXT, "word": "cat", "layer": 1}}, (8.0, 10.0)),
        ({"vector": [TEXT, "cat"]}, (12.0, 15.0)),
        ({"sentence": TEXT}, (12.0, 15.0)),
    ],
    ids=str,
)
def test_vectors_of_words_and_texts(tree: object, expected: Value) -> None:
    assert value(tree) == expected


def test_the_nearest_words_of_a_vector() -> None:
    assert value({"nearest": [{"list": [1, 2]}, 3]}, _WithMore()) == ("3", "3", "3")
    for most in (0, 5000):
        with pytest.raises(BadExpression, match="4,096 words"):
            value({"nearest": [{"list": [1, 2]}, most]}, _WithMore())


def test_a_row_of_a_step() -> None:
    assert value({"step row": [TEXT, "mix", "sat", 2, 3]}, _WithMore()) == (1.0, 2.0, 3.0)
    assert value({"step row": [TEXT, "mix", "the"]}, _WithMore()) == (0.0, 0.0, 1.0)
