"""Words that are said twice: their surprise, and the heads that foresee them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.lessons import BadExpression, Value
from core.measures.attention.copying import CopyingHeads
from tests.lessons.small_records import Small, value

SIZE = (5, 3)  # words in one half, and the seed


class _Copies(Small):
    """Five words twice; the second half costs 1 bit a word, or 4 without two heads."""

    def repeated(self, length: int, seed: int) -> str:
        return f"a text of {length} by {seed}"

    def score(self, text: str, changes: object = ()) -> Any:
        assert text == "a text of 5 by 3"
        return SimpleNamespace(bits=np.array([np.nan, *[10.0] * 5, *[1.0] * 5], np.float32))

    def without_copying(self, text: str, length: int, count: int) -> Any:
        return SimpleNamespace(bits=np.array([np.nan, *[10.0] * 5, *[2.0 * count] * 5], np.float32))

    def copying(self, text: str, length: int) -> CopyingHeads:
        scores = np.array([[0.1, 0.2, 0.9], [0.3, 0.8, 0.4]])
        return CopyingHeads(scores, 1 - scores, scores / 2, scores / 3, length)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"said twice": SIZE}, "a text of 5 by 3"),
        ({"surprise": [*SIZE, 1]}, 10.0),
        ({"surprise": [*SIZE, 2]}, 1.0),
        ({"surprise": [*SIZE, 2, 2]}, 4.0),
        ({"copying head": [*SIZE, "induction"]}, (1.0, 3.0)),
        ({"copying head": [*SIZE, "previous"]}, (1.0, 1.0)),
        ({"copying weight": [*SIZE, "induction", 2, 2]}, 0.8),
        ({"copying weight": [*SIZE, "duplicate", 2, 2]}, 0.4),
    ],
    ids=str,
)
def test_a_text_said_twice(tree: object, expected: Value) -> None:
    made = value(tree, _Copies())
    assert made == (pytest.approx(expected) if isinstance(expected, float) else expected)


@pytest.mark.parametrize(
    ("tree", "error", "named"),
    [
        ({"surprise": [*SIZE, 3]}, BadExpression, "halves"),
        ({"copying head": [*SIZE, "magic"]}, BadExpression, "magic"),
        ({"copying weight": [*SIZE, "sink", 3, 1]}, NotSupported, "layer 3"),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused(tree: object, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        value(tree, _Copies())
