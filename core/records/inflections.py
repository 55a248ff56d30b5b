"""Which forms of a word count as one: "bank" and "banks", "mouse" and "mice", "은행에" and "은행은".

In English, singular and plural of nouns, by their spelling and a short list. "-ing" and "-ed" are left
out: otherwise "even" and "evening" would count as one word. In Korean, Arabic and Hebrew, a noun with
and without what is written together with it (`particles`). Spellings that the model reads alike are one
word, and so are those that a search does not distinguish (`spelling`): "café" and "cafe" for an uncased
BERT, "ﬁne" and "fine" for every model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from .particles import stems
from .spelling import UNCASED, Spelling
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
_NO_PLURAL = ("ss", "us", "is")
_ES = ("ses", "xes", "zes", "ches", "shes")
_LEAST = 3  # letters of a singular: "as" and "a" are two words
_LONGEST = 100  # letters of a word that has a plural
_ENDING = 5  # letters by which two forms may differ in length


def same_word(one: str, other: str, spelling: Spelling = UNCASED) -> bool:
    """Whether two words differ at most in spelling, as singular and plural, or in their particles.

    Args:
        one: a word.
        other: another.
        spelling: which spellings the model reads alike, if one is at hand. Case never matters here.
    """
    return same_as(other, spelling)(one)


def same_as(word: str, spelling: Spelling = UNCASED) -> Callable[[str], bool]:
    """The test of whether another word is the `same_word`; a long word is looked at once for many."""
    sought = _folded(word, spelling)
    return lambda other: _same(_folded(other, spelling), sought)


def form_of(text: str, word: str, spelling: Spelling = UNCASED) -> Word | None:
    """The first word of `text` that is the `same_word` as `word`, if there is one."""
    sought = _folded(word, spelling)
    if len(sought) > 3 * len(text) + _ENDING:  # a letter in lower case has at most three
        return None
    return next((other for other in split(text) if _same(_folded(other.text, spelling), sought)), None)


def matches(
    words: Sequence[str], others: Sequence[str], spelling: Spelling = UNCASED
) -> list[int | None]:
    """For each word, the index of the first of the others that is the `same_word`; None if none is."""
    first: dict[tuple[str, str], int] = {}
    for i, other in enumerate(others):
        for form in _forms(_folded(other, spelling)):
            first.setdefault(form, i)
    found = (
        (first[form] for form in _forms(_folded(word, spelling)) if form in first) for word in words
    )
    return [min(own, default=None) for own in found]


def _folded(word: str, spelling: Spelling) -> str:
    return spelling.loose(word).casefold()


def _same(a: str, b: str) -> bool:
    return a == b or not _forms(a).isdisjoint(_forms(b))


def _forms(word: str) -> frozenset[tuple[str, str]]:
    """What a word may be a form of, and by which rule."""
    if len(word) > _LONGEST:
        return frozenset({("singular", word)})
    singulars = frozenset(("singular", form) for form in _singulars(word))
    return singulars if word.isascii() else singulars | {("stem", form) for form in stems(word)}


@lru_cache(maxsize=1024)
def _singulars(word: str) -> frozenset[str]:
    """The words whose plural `word` may be, and `word` itself."""
    if word in _IRREGULAR:
        return frozenset((word, _IRREGULAR[word]))
    singulars = {word}
    if word.endswith("s") and not word.endswith(_NO_PLURAL):
        singulars.add(word[:-1])
    if word.endswith(_ES):
        singulars.add(word[:-2])
    if word.endswith("ies"):
        singulars.add(word[:-3] + "y")
    return frozenset(one for one in singulars if one == word or len(one) >= _LEAST)
