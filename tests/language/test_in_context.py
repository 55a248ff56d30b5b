"""Pairs in a prompt, and the interval of a share."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import SettingError
from core.language.in_context import ASKED, CAPITALS, InContext, pairs_in, questions

OWN = "hot : cold\n\n big:small \nשמש : ירח"


def test_own_pairs() -> None:
    assert pairs_in(OWN) == [("hot", "cold"), ("big", "small"), ("שמש", "ירח")]


@pytest.mark.parametrize(
    "text", ["", "a : b", "a : b\nc", "a : b\n :d", "a:b\nc:", f"a : b\nc : {61 * 'd'}", "a:b\n" * 31]
)
def test_what_is_no_list_of_pairs(text: str) -> None:
    with pytest.raises(SettingError):
        pairs_in(text)


@pytest.mark.parametrize("shots", [0, 2, 8])
def test_a_question_is_never_among_its_examples(shots: int) -> None:
    pairs = pairs_in(CAPITALS)
    asked = questions(pairs, shots, 1)
    assert len(asked) == ASKED
    for (question, answer), one in zip(pairs, asked, strict=False):
        *examples, last = one.prompt.splitlines()
        assert last == f"{question} :"
        assert one.whole == f"{one.prompt} {answer}"
        assert len({*examples}) == shots
        assert not any(line.startswith(f"{question} :") for line in examples)


def test_more_examples_than_there_are() -> None:
    with pytest.raises(SettingError):
        questions(pairs_in(OWN), 3, 1)


def test_wilson() -> None:
    """Against the roots of (p − x)² = z² x (1 − x) / n, which define the interval."""
    found = InContext((0, 2, 8), np.array([0, 3, 12]), 12)
    for p, low, high in zip(found.share, *found.interval(), strict=True):
        z2 = 1.959964**2
        roots = np.sort(np.roots([1 + z2 / 12, -(2 * p + z2 / 12), p * p]).real)
        assert (low, high) == pytest.approx((roots[0], roots[1]), abs=1e-6)
    assert found.to_frame().loc[8, "share"] == 1
