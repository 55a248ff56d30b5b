"""Which forms of a word count as one: "bank" and "banks", "mouse" and "mice", "은행에" and "은행은".

In English, singular and plural of nouns, by their spelling and a short list. "-ing" and "-ed" are left
out: otherwise "even" and "evening" would count as one word. In Korean, Arabic and Hebrew, a noun with
and without what is written together with it (`particles`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from .particles import stems
from .words import Word, split

_IRREGULAR: Mapping[str, str] = MappingProxyType(
    {
        "mice": "mouse",
        "men": "man",
        "women": "woman",
        "children": "child",
        "teeth": "tooth",
        "feet": "foot",
        "geese": "goose",
        "leaves": "leaf",
        "wolves": "wolf",
        "knives": "knife",
        "lives": "life",
        "halves": "half",
        "shelves": "shelf",
    }
)
_LEAST = 3  # letters of a singular: "as" and "a" are two words


def same_word(one: str, other: str) -> bool:
    """Whether two words differ at most in case, as singular and plural, or in their particles."""
    a, b = one.casefold(), other.casefold()
    if a == b or _singulars(a) & _singulars(b):
        return True
    return not (a.isascii() or b.isascii()) and bool(stems(a) & stems(b))


def form_of(text: str, word: str) -> Word | None:
    """The first word of `text` that is `word` in another form, if there is one."""
    return next((other_form for other_form in split(text) if same_word(other_form.text, word)), None)


@lru_cache(maxsize=1024)
def _singulars(word: str) -> frozenset[str]:
    """The words whose plural `word` may be, and `word` itself."""
    if word in _IRREGULAR:
        return frozenset((word, _IRREGULAR[word]))
    singulars = {word}
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        singulars.add(word[:-1])
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        singulars.add(word[:-2])
    if word.endswith("ies"):
        singulars.add(word[:-3] + "y")
    return frozenset(one for one in singulars if one == word or len(one) >= _LEAST)
