"""A translation word by word."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.lessons import BadExpression, Value
from core.records.prediction import Expectation
from tests.lessons.small_records import Small, value

WORDS = ("ein", "zwei", "drei")


def _expectation(*logits: float) -> Expectation:
    ids = tuple(sorted(range(3), key=lambda i: -logits[i]))
    words = tuple(WORDS[i] for i in ids)
    return Expectation(0, "next", np.array(logits, np.float32), ids, words, words)


class _Translator(Small):
    """Writes "zwei" and an end sign, for a source of two words."""

    def decoding(self, text: str) -> Any:
        cross = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
        own = np.array([[[[1, 0], [0.25, 0.75]]]], np.float32)
        trace = SimpleNamespace(
            encoder=SimpleNamespace(tokens=("two", "three")),
            decoder=SimpleNamespace(tokens=("[START]", "zwei"), attention=SimpleNamespace(weights=own)),
            cross=SimpleNamespace(weights=cross),
        )
        expectations = (_expectation(0, math.log(2), 0), _expectation(3, 2, 1))
        return SimpleNamespace(
            tokens=("zwei", "[END]"),
            words=("zwei",),
            expectations=expectations,
            likeliest=lambda step: expectations[step].tokens[0],
            trace=trace,
        )


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"translation": "t"}, ("zwei",)),
        ({"source": "t"}, ("two", "three")),
        ({"reads": "t"}, ("[START]", "zwei")),
        ({"expected": ["t", 1]}, ("zwei", "ein", "drei")),
        ({"cross weights": ["t", 2, 1, 3]}, (10.0, 11.0)),
        ({"decoder weights": ["t", 2, 1, 1]}, (0.25, 0.75)),
    ],
    ids=str,
)
def test_what_is_read_written_and_attended_to(tree: object, expected: Value) -> None:
    assert value(tree, _Translator()) == expected


def test_the_probability_of_a_word() -> None:
    for arguments, expected in (
        ({}, 1 / 2),
        ({"word": "ein"}, 1 / 4),
        ({"word": "ein", "temperature": 0.5}, 1 / 6),  # 2² against 1 and 1
    ):
        made = value({"probability": {"text": "t", "step": 1, **arguments}}, _Translator())
        assert made == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tree", "error", "named"),
    [
        ({"probability": ["t", 1, "vier"]}, NotSupported, "vier"),
        ({"probability": ["t", 1, "ein", 0]}, BadExpression, "temperature"),
        ({"expected": ["t", 3]}, NotSupported, "step 3"),
        ({"cross weights": ["t", 1, 2, 1]}, NotSupported, "layer 2"),
        ({"decoder weights": ["t", 1, 1, 2]}, NotSupported, "head 2"),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused(tree: object, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        value(tree, _Translator())
