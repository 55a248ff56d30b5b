"""The rival of an expected word: one of the text but a function word, or else the next likeliest."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.rivals import rival
from core.records.prediction import Expectation

WORDS = (" Mary", " the", " his", " John")
EXPECTED = Expectation(3, "next", np.array([4, 3, 2, 1], np.float32), (0, 1, 2, 3), WORDS, WORDS)


@pytest.mark.parametrize(
    ("text", "than", "found"),
    [
        ("Mary and John. the", 0, 3),  # "the" stands in the text as well
        ("John, Mary", 3, 0),
        ("Nobody", 0, 1),
        ("Nobody", 1, 0),
    ],
)
def test_the_rival(text: str, than: int, found: int) -> None:
    assert rival(text, EXPECTED, than) == found
