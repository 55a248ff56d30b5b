"""A decoder with one part of the paper, in a lesson."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.lessons import Value
from core.records.frozen import Array
from core.records.prediction import Expectation
from tests.lessons.small_records import Small, value


class _Exchanges(Small):
    """Expects the first of three words; with another part, the second."""

    def expects(self, text: str, changes: object = ()) -> Expectation:
        return Expectation(
            1, "next", np.array([2, 0, 0], np.float32), (0, 1, 2), *[("a", "b", "c")] * 2
        )

    def first_token(self, word: str) -> int:
        return "abc".index(word)

    def exchanged(self, text: str, part: str) -> Array:
        return np.array([0, math.log(2), 0] if part == "norm" else [2, 0, 0], np.float32)

    def lengths(self, text: str, part: str) -> Array:
        return np.array([1.0, 2.0, 3.0 if part == "order" else 30.0])

    def kept(self, part: str) -> int:
        return 12 if part == "heads" else 4


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"probability with part": ["t", "norm"]}, 1 / 4),
        ({"probability with part": ["t", "norm", "b"]}, 1 / 2),
        ({"probability with part": "t"}, math.exp(2) / (math.exp(2) + 2)),
        ({"place with part": ["t", "norm"]}, 2.0),
        ({"place with part": ["t", "as it is"]}, 1.0),
        ({"state length": {"text": "t", "layer": 0}}, 1.0),
        ({"state length": {"text": "t", "layer": 1}}, 2.0),
        ({"state length": "t"}, 30.0),
        ({"state length": ["t", "order"]}, 3.0),
        ({"keeps": []}, 4.0),
        ({"keeps": "heads"}, 12.0),
    ],
    ids=str,
)
def test_a_part_is_exchanged(tree: object, expected: Value) -> None:
    assert value(tree, _Exchanges()) == pytest.approx(expected)
