"""Positions between two senses, and verdicts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.records.frozen import Array
from core.records.trace import Trace
from tests.lessons.small_records import TEXT, Small, small_trace, value


class _Axis:
    """The first number of a word's learned vector and after two layers, less 3."""

    def coordinates(self, trace: Trace, tokens: Array) -> Array:
        assert trace.hidden is not None
        states = np.stack([trace.learned, *trace.hidden])
        return np.asarray(states[:, tokens].mean(axis=1)[:, 0] - 3)


class _WithSenses(Small):
    def between(self, word: str, texts: tuple[str, ...]) -> Any:
        assert (word, texts) == ("the", (TEXT,))
        return SimpleNamespace(axis=_Axis(), names=("shore", "money"))

    def verdict(self, word: str, a: str, b: str) -> str:
        return f"{word} in {a} and {b}"

    def without_head(self, text: str, layer: int, head: int) -> Trace:
        assert (text, layer, head) == (TEXT, 1, 2)
        return small_trace(text, by=5)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"on axis": [TEXT, "the"]}, 3.0),  # 2 · 3 − 3
        ({"on axis": [TEXT, "the:1", 1]}, -1.0),
        ({"side": [TEXT, "the"]}, "money"),
        ({"side": [TEXT, "the", 1]}, "shore"),
        ({"verdict": ["the", "a", "b"]}, "the in a and b"),
        ({"without head": [TEXT, "the", 2, 3]}, 7.0),  # 2 · 5 − 3
    ],
    ids=str,
)
def test_a_word_between_its_senses(tree: object, expected: float | str) -> None:
    assert value(tree, _WithSenses()) == expected


def test_a_layer_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotSupported, match="layer 9"):
        value({"on axis": [TEXT, "the", 9]}, _WithSenses())
