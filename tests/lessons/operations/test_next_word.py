"""What a model expects next, what speaks for it, and what is left after a change, by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.lessons import BadExpression, Value
from core.records.interventions import Ablate, Change, Cut, Replace
from core.records.prediction import Expectation
from tests.lessons.small_records import TEXT, Small, value

WORDS = (" one", " two", " cat")


def _expectation(*logits: float) -> Expectation:
    ids = tuple(sorted(range(3), key=lambda i: -logits[i]))
    words = tuple(WORDS[i] for i in ids)
    return Expectation(4, "next", np.array(logits, np.float32), ids, words, words)


class _Speaks(Small):
    """Expects "one" three times as often as the others; a change makes "two" the first."""

    def __init__(self) -> None:
        self.changes: tuple[Change, ...] = ()

    def first_token(self, word: str) -> int:
        return [one.strip() for one in WORDS].index(word.strip())

    def expects(self, text: str, changes: Sequence[Change] = ()) -> Expectation:
        self.changes = tuple(changes)
        if changes:
            return _expectation(0, 2, 0)
        return _expectation(math.log(3), 0, 0) if text == TEXT else _expectation(0, math.log(2), 0)

    def written(self, text: str, count: int, temperature: float, seed: int) -> str:
        return f" {count} at\n{temperature:g} by {seed}"

    def leads(self, text: str, token: int, other: int) -> Any:
        by_depth = np.array([[9, 1, 2, -1, 0.5]], np.float32)
        by_head = np.array([[0.1, 0.7, 0.2]] * 2)
        by_head[1, 2] = 0.9
        return SimpleNamespace(sources=SimpleNamespace(by_depth=by_depth), by_head=by_head)

    def score(self, text: str, changes: Sequence[Change] = ()) -> Any:
        bits = np.array([np.nan, 2, 4, 6], np.float32)
        offsets = ((0, 3), (3, 7), (7, 11), (11, 15))
        return SimpleNamespace(
            bits=bits, offsets=offsets, ranks=np.array([-1, 0, 0, 0]), first_scored=3
        )

    def sink(self, text: str) -> Any:
        return SimpleNamespace(attention=np.array([0.25, 0.75]), total_share=0.4)

    def without_first(self, text: str) -> Expectation:
        return _expectation(0, 0, 0)

    def with_state_of(self, a: str, b: str, depth: int, position: int) -> Expectation:
        assert (a, depth, position) == (TEXT, 2, 2)
        return _expectation(math.log(2), math.log(2), 0)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ({"next words": TEXT}, ("one", "two", "cat")),
        ({"next probability": TEXT}, 3 / 5),
        ({"next probability": [TEXT, "two"]}, 1 / 5),
        ({"next probability": {"text": TEXT, "temperature": 0.5}}, 9 / 11),
        ({"writes": [TEXT, 3, 0.5, 7]}, "3 at 0.5 by 7"),
        ({"writes": [TEXT, 3]}, "3 at 1 by 0"),
        ({"rival": TEXT}, "cat"),  # it stands in the text
        ({"lead": [TEXT, "one", "two"]}, math.log(3)),
        ({"lead without word": [TEXT, "one", "two", "cat"]}, -2.0),
        ({"lead without head": [TEXT, "one", "two", 2, 3]}, -2.0),
        ({"lead with word": [TEXT, "one", "two", "cat", "dog"]}, -2.0),
        ({"speaks": [TEXT, "one", "two", "cat"]}, 2.0),
        ({"speaks most": [TEXT, "one", "two"]}, "cat"),
        ({"speaks most": TEXT}, "cat"),
        ({"speaks most at": TEXT}, 3.0),
        ({"head speaks": [TEXT, "one", "two", 1, 2]}, 0.7),
        ({"head speaks most": [TEXT, "one", "two"]}, (2.0, 3.0)),
        ({"to the first": TEXT}, 0.5),
        ({"from the first": TEXT}, 0.4),
        ({"probability without the first": TEXT}, 1 / 3),
        ({"bits a word": "abc def ghi jkl"}, 4.0),
        ({"bits a word": ["abc def ghi jkl", "abc def"]}, 5.0),
        # From −ln 2 to ln 3, half of the way in logits is not half of the words: 0 is .39 of it.
        ({"comes back": [TEXT, "b", "one", "two", "cat", 2]}, math.log(2) / math.log(6)),
    ],
    ids=str,
)
def test_what_is_expected_and_why(tree: object, expected: Value) -> None:
    made = value(tree, _Speaks())
    assert made == (pytest.approx(expected, abs=1e-6) if isinstance(expected, float) else expected)


def test_the_changes_are_those_of_the_model() -> None:
    records = _Speaks()
    value({"lead without word": [TEXT, "one", "two", "cat"]}, records)
    changed: tuple[object, ...] = records.changes
    assert changed == (Cut(4, 2),)  # the last token no longer reads the word
    value({"lead without head": [TEXT, "one", "two", 2, 3]}, records)
    changed = records.changes
    assert changed == (Ablate(1, 2),)
    value({"lead with word": [TEXT, "one", "two", "cat:2", "dog"]}, records)
    changed = records.changes
    assert changed == (Replace("cat", "dog", 1),)


@pytest.mark.parametrize(
    ("tree", "error", "named"),
    [
        ({"next probability": [TEXT, "one", 0]}, BadExpression, "temperature"),
        ({"writes": [TEXT, 41]}, BadExpression, "1 to 40"),
        ({"writes": [TEXT, 1, -1]}, BadExpression, "temperature"),
        ({"bits a word": ["abc def", "xyz"]}, BadExpression, "beginning"),
        ({"bits a word": ["abc", ""]}, NotSupported, "too short"),
        ({"comes back": [TEXT, TEXT, "one", "two", "cat", 2]}, NotSupported, "same answer"),
        ({"comes back": [TEXT, "b", "one", "two", "cat", 3]}, NotSupported, "layer 3"),
    ],
    ids=str,
)
def test_what_is_not_there_is_refused(tree: object, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        value(tree, _Speaks())
