"""Which spellings are one word: those that the model reads alike.

A tokenizer rewrites a text before it splits it: in lower case, without accents, in compatibility forms,
or not at all. Its own rules therefore decide: an uncased BERT reads "Café" and "cafe" alike, a cased
one does not. What nobody sees makes no difference in any model: soft hyphens, joiners, and whether an
"é" is one character or two.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from typing import TypeVar

import regex

from ..untrusted import normalized

Normal = Callable[[str], str]  # a tokenizer's rules: from a text to what it reads
T = TypeVar("T")

_CACHED = 20_000  # words of a model
_CACHED_SEARCHES = 512  # of words in short texts; a page asks for the same few up to sixty times a run
_CACHED_LETTERS = 40  # of the longest of these words: a visitor must not fill the memory
_MOST_LETTERS = 1_000  # of a word that is given to a tokenizer's rules, which could make much of it
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]")
# What rules put around words: BERT's around each Chinese character, Llama's before each word.
_AROUND = regex.compile(r"[\s▁]+")
# Ligatures, full and half width, positional forms of Arabic, mathematical alphabets: letters in another
# shape. Superscripts and fractions are not among them: x² is not x2.
_SHAPED_SET = "\ufb00-\ufdfb\ufe70-\ufefc\uff01-\uffdc\U0001d400-\U0001d7ff"
_SHAPED = regex.compile(f"[{_SHAPED_SET}]+")
# The tatweel, which lengthens a line, and the vowel points of Arabic and Hebrew, which most texts omit.
_POINTS_SET = (
    "\u0640\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
)
_POINTS = regex.compile(f"[{_POINTS_SET}]+")
SET_OTHERWISE = f"[{_SHAPED_SET}{_POINTS_SET}]"  # what only `loose` ignores, as a pattern


_LIGATURES = {"ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ", "st": "ﬆ"}
_MOST_SHAPES = 64  # of one word, with and without its ligatures
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MATHEMATICAL, _STYLES, _DIGITS, _DIGIT_STYLES = 0x1D400, 13, 0x1D7CE, 5


def shapes(word: str) -> frozenset[str]:
    """A word in letters of other shapes: with ligatures, in full or half width, mathematical.

    `Spelling.loose` takes these to the word again. All letters of a word are in one style; the word
    itself, in lower case, in upper case, and with a capital.
    """
    cases = {word, word.lower(), word.upper(), word.capitalize()}
    found = {one.translate(table) for one in cases for table in _tables()} | _with_ligatures(word)
    return frozenset(found - {word})


@cache
def _tables() -> tuple[dict[int, str], ...]:
    """The styles: from a letter to the same in that style."""
    wide = {code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
    half = {
        ord(whole): chr(code)
        for code in range(0xFF66, 0xFF9E)
        if len(whole := unicodedata.normalize("NFKC", chr(code))) == 1
    }
    mathematical = [
        {ord(letter): chr(first + i) for i, letter in enumerate(_ALPHABET)}
        for first in range(_MATHEMATICAL, _MATHEMATICAL + _STYLES * 52, 52)
    ]
    digits = [
        {ord(digit): chr(first + i) for i, digit in enumerate("0123456789")}
        for first in range(_DIGITS, _DIGITS + _DIGIT_STYLES * 10, 10)
    ]
    return wide, half, *mathematical, *digits


def _with_ligatures(word: str) -> set[str]:
    """A word with some of its ligatures, or with all."""
    found = {word}
    for letters, ligature in sorted(_LIGATURES.items(), key=lambda one: -len(one[0])):
        for place in range(word.count(letters)):
            if len(found) > _MOST_SHAPES // 2:
                return found
            found |= {_nth(one, letters, ligature, place) for one in found}
            found |= {one.replace(letters, ligature) for one in found}
    return found


def _nth(word: str, letters: str, by: str, place: int) -> str:
    """A word with one occurrence of some letters replaced; the word itself if there are fewer."""
    parts = word.split(letters)
    if place + 1 >= len(parts):
        return word
    return letters.join(parts[: place + 1]) + by + letters.join(parts[place + 1 :])


def seen(word: str) -> str:
    """A word without what nobody sees in it."""
    return _INVISIBLE.sub("", word)


class Spelling:
    """The spellings that one model reads alike. Threads can share it.

    Attributes:
        cased: whether the model distinguishes upper and lower case.
        normal: its tokenizer's rules; None if it has none.
    """

    def __init__(self, cased: bool, normal: Normal | None = None) -> None:
        self.cased, self.normal = cased, normal
        # A tokenizer may ignore case elsewhere than in its rules.
        self._folds = not cased and (normal is None or normal("Bank") != normal("bank"))
        self._known = lru_cache(_CACHED)(self._key)
        self._found = lru_cache(_CACHED_SEARCHES)(lambda search, *of: search(*of, self))

    def key(self, word: str) -> str:
        """The form under which a word is found: the same for all spellings that the model reads alike.

        Args:
            word: one word, as `words.split` returns it.
        """
        return self._known(word) if len(word) <= _CACHED_LETTERS else self._key(word)

    def once(self, search: Callable[..., T], *of: Hashable) -> T:
        """`search(*of, self)`, which depends on nothing else, computed once; `of` must be short."""
        found: T = self._found(search, *of)
        return found

    def loose(self, word: str) -> str:
        """A form that also ignores how letters are shaped, and points that most texts omit.

        "ﬁne" and "fine", full width, the tatweel, the vowels of Hebrew and Arabic. Models may read them
        differently: this form only helps to find a word that a text has in no other spelling.
        """
        key = self.key(word)
        if key.isascii():
            return key if self.cased else key.lower()
        plain = _SHAPED.sub(lambda part: normalized("NFKC", part[0]), key)
        plain = _POINTS.sub("", plain) or key
        return normalized("NFC", plain if self.cased else plain.casefold())

    def _key(self, word: str) -> str:
        parts = word.split()
        if len(parts) > 1:  # a phrase keeps its spaces
            return " ".join(map(self.key, parts))
        read = word
        if self.normal is not None and len(word) <= _MOST_LETTERS:
            read = _AROUND.sub("", self.normal(word)) or word
        # A phone types ’ for '.
        shown = normalized("NFC", seen(read).replace("’", "'") or read)
        return normalized("NFC", shown.casefold()) if self._folds else shown

    def __reduce__(self) -> tuple[type[Spelling], tuple[bool, Normal | None]]:
        return type(self), (self.cased, self.normal)

    def __deepcopy__(self, memo: object) -> Spelling:
        return self  # nothing changes it

    def __repr__(self) -> str:
        rules = "no rules of its own" if self.normal is None else "its tokenizer's rules"
        return f"<Spelling: {'cased' if self.cased else 'uncased'}, {rules}>"


CASED, UNCASED = Spelling(cased=True), Spelling(cased=False)
