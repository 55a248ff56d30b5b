"""Positions between two senses, and verdicts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.lessons import BadExpression
from core.lessons.model_records import Moved
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

    def moved(self, text: str, word: str) -> Moved:
        assert (text, word) == (TEXT, "the")
        return Moved(-0.5, 0.25, (("cat", 0.25), ("sat", -0.75), ("Cat", 1.0)))

    def by_head(self, text: str, word: str, other: str) -> Array:
        assert (text, word, other) == (TEXT, "the", "cat")
        return np.array([[0.1, -0.2, 0.3], [0.0, -0.5, 0.2]])

    def without_word(self, text: str, word: str, other: str) -> Trace:
        assert (text, word, other) == (TEXT, "the", "cat")
        return small_trace(text, by=7)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"on axis": [TEXT, "the"]}, 3.0),  # 2 · 3 − 3
        ({"on axis": [TEXT, "the:1", 1]}, -1.0),
        ({"side": [TEXT, "the"]}, "money"),
        ({"side": [TEXT, "the", 1]}, "shore"),
        ({"verdict": ["the", "a", "b"]}, "the in a and b"),
        ({"without head": [TEXT, "the", 2, 3]}, 7.0),  # 2 · 5 − 3
        ({"without word": [TEXT, "the", "cat"]}, 11.0),  # 2 · 7 − 3
        ({"alone": [TEXT, "the"]}, -0.5),
        ({"adds": [TEXT, "the", "sat"]}, -0.75),
        ({"adds": [TEXT, "the", "cat"]}, 1.25),  # both of its occurrences
        ({"adds": [TEXT, "the", "The"]}, 0.25),  # its own vector
        ({"adds most": [TEXT, "the"]}, "cat"),
        ({"head adds": [TEXT, "the", "cat", 1, 3]}, 0.3),
        ({"item": [{"head adds most": [TEXT, "the", "cat"]}, 1]}, 2.0),  # the farthest, either way
        ({"item": [{"head adds most": [TEXT, "the", "cat"]}, 2]}, 2.0),
    ],
    ids=str,
)
def test_a_word_between_its_senses(tree: object, expected: float | str) -> None:
    assert value(tree, _WithSenses()) == expected


def test_a_layer_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotSupported, match="layer 9"):
        value({"on axis": [TEXT, "the", 9]}, _WithSenses())


def test_a_word_that_is_alone_is_moved_by_none() -> None:
    class Alone(_WithSenses):
        def moved(self, text: str, word: str) -> Moved:
            return Moved(-0.5, 0.0, ())

    assert value({"adds most": [TEXT, "the"]}, Alone()) == ""


def test_what_is_no_word_of_the_text_adds_nothing() -> None:
    with pytest.raises(BadExpression, match="“dog” is no other word"):
        value({"adds": [TEXT, "the", "dog"]}, _WithSenses())
    with pytest.raises(BadExpression, match="number of a token"):
        value({"alone": [TEXT, 2]}, _WithSenses())
