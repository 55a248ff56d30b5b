"""The rival of an expected next word: the one that it is asked to be explained against."""

from __future__ import annotations

from ..records.prediction import Expectation
from .function_words import FUNCTION_WORDS

RIVALS = 20  # likeliest tokens among which a word of the text is looked for
PUNCTUATION = ".,;:!?\"'()[]«»„“”…"


def rival(text: str, expected: Expectation, than: int) -> int:
    """The likeliest other word that stands in the text, or else the next likeliest token.

    Words like "the" stand in most texts, and are no rivals for that.

    Args:
        text: what was read.
        expected: what is expected next.
        than: the token that is explained.
    """
    words = {part.strip(PUNCTUATION) for part in text.split()}
    rest = [i for i, one in enumerate(expected.ids[:RIVALS]) if one != than]
    for i in rest:
        word = expected.texts[i].strip()
        if word in words and word.lower() not in FUNCTION_WORDS:
            return expected.ids[i]
    return expected.ids[rest[0]]
