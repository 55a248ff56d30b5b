"""The rival of an expected word: of its kind, of the text first; or else the next likeliest."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.rivals import rival
from core.records.prediction import Expectation

WORDS = (" Mary", " the", " his", " Anna", " John", " store", " 7", ".", " 12")
SCORES = np.arange(len(WORDS), 0, -1, dtype=np.float32)
EXPECTED = Expectation(3, "next", SCORES, (*range(len(WORDS)),), WORDS, WORDS)


@pytest.mark.parametrize(
    ("text", "than", "found"),
    [
        ("Mary and John. the", 0, 4),  # "the" stands in the text as well
        ("John, Mary", 4, 0),
        ("Nobody", 0, 3),  # a name for a name, before likelier words of another kind
        ("The store", 0, 3),  # and before a word of the text that is none
        ("Nobody", 1, 5),  # "his" fits almost everywhere
        ("Nobody", 6, 8),
        ("Nobody", 7, 0),  # there is no other sign
        ("John", 99, 4),  # a word that is not expected at all has no kind
        ("Nobody", 99, 0),
    ],
)
def test_the_rival(text: str, than: int, found: int) -> None:
    assert rival(text, EXPECTED, than) == found
