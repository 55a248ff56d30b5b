"""Which languages a model knows, as far as we know it (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

from core.measures.shared_word import FUNCTION_WORDS
from core.sense_axis import FRAMES_LANGUAGE
from core.words import split
from ui import workshop

ENGLISH_ALONE = (
    "**MiniLM learned from English alone**: sentences in other languages need *Multilingual MiniLM*, "
    "in the list of models (471 MB from the model hub, on first use)."
)
# English function words that are also common in other languages say nothing about which it is.
_ALSO_ELSEWHERE = frozenset(
    [
        *(
            "a",
            "am",
            "an",
            "as",
            "at",
            "be",
            "by",
            "do",
            "has",
            "he",
            "her",
            "i",
            "in",
            "is",
            "it",
            "may",
        ),
        *("me", "my", "no", "of", "on", "or", "s", "so", "t", "to", "was", "we"),
    ]
)
_ENOUGH = 4  # words, of which English mostly has one that only it has
_SEVERAL = 3  # of those that are common elsewhere too: no other language has so many of them at once


def known(model: str) -> str:
    """Which languages the model knows; empty where we do not know."""
    return ENGLISH_ALONE if model == "minilm" else ""


def of_frames(model: str) -> str:
    """That the frames of the axis are English, for a model that knows other languages too."""
    if model == "minilm" or workshop.is_own(model):
        return ""
    return f"The frames are {FRAMES_LANGUAGE}, whatever the language of your sentences."


def warning(model: str, texts: Sequence[str]) -> str:
    """What to say beside a verdict where a sentence does not look like one the model can read."""
    return known(model) if any(map(is_foreign, texts)) else ""


def is_foreign(text: str) -> bool:
    """Whether a sentence looks like another language than English: a guess by its short words."""
    words = [w.text.casefold() for w in split(text) if any(map(str.isalpha, w.text))]
    beyond = sum(not word.isascii() for word in words)
    if 2 * beyond > len(words):
        return True
    here = FUNCTION_WORDS & set(words)
    english = here - _ALSO_ELSEWHERE or len(here) >= _SEVERAL
    return len(words) >= _ENOUGH and not english and (beyond > 0 or len(words) >= 2 * _ENOUGH)
