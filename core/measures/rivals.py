"""The rival of an expected next word: the one that it is asked to be explained against."""

from __future__ import annotations

from unicodedata import category

from ..records.prediction import Expectation
from .function_words import FUNCTION_WORDS

RIVALS = 10  # likeliest tokens among which it is looked for
PUNCTUATION = ".,;:!?\"'()[]«»„“”…"


def rival(text: str, expected: Expectation, than: int) -> int:
    """The likeliest other word of the same kind, of the text if it has one; or the next likeliest.

    To ask why *Paris* comes rather than *capital* makes little sense: only a name could be in the
    place of a name. Two words are of one kind if both begin with a capital, another letter, a digit or
    a sign. Words like "the" fit almost everywhere, and are no rivals for that.

    Args:
        text: what was read.
        expected: what is expected next.
        than: the token that is explained.
    """
    words = {part.strip(PUNCTUATION) for part in text.split()}
    likeliest = dict(zip(expected.ids[:RIVALS], map(str.strip, expected.texts), strict=False))
    kind = _kind(likeliest[than]) if than in likeliest else ""
    rest = {i: word for i, word in likeliest.items() if i != than}
    alike = {
        i: word
        for i, word in rest.items()
        if kind in ("", _kind(word)) and word.lower() not in FUNCTION_WORDS
    }
    of_text = [i for i, word in alike.items() if word in words]
    return next(iter(of_text or (alike if kind else rest) or rest))


def _kind(word: str) -> str:
    """What a word begins with."""
    of = category(word[:1] or " ")
    if of in ("Lu", "Lt"):
        return "capital"
    return {"N": "digit", "L": "letter"}.get(of[0], "sign")
