"""Which spellings are one word: those that the model reads alike.

A tokenizer rewrites a text before it splits it: in lower case, without accents, in compatibility forms,
or not at all. Its own rules therefore decide: an uncased BERT reads "Café" and "cafe" alike, a cased
one does not. What nobody sees makes no difference in any model: soft hyphens, joiners, and whether an
"é" is one character or two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import regex

from ..untrusted import normalized

Normal = Callable[[str], str]  # a tokenizer's rules: from a text to what it reads

_CACHED = 20_000  # words of a model
_CACHED_LETTERS = 40  # of the longest of these words: a visitor must not fill the memory
_MOST_LETTERS = 1_000  # of a word that is given to a tokenizer's rules, which could make much of it
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]")
# What rules put around words: BERT's around each Chinese character, Llama's before each word.
_AROUND = regex.compile(r"[\s▁]+")
# Ligatures, full and half width, positional forms of Arabic, mathematical alphabets: letters in another
# shape. Superscripts and fractions are not among them: x² is not x2.
_SHAPED = regex.compile(r"[\ufb00-\ufdfb\ufe70-\ufefc\uff01-\uffdc\U0001d400-\U0001d7ff]+")
# The tatweel, which lengthens a line, and the vowel points of Arabic and Hebrew, which most texts omit.
_POINTS = regex.compile(
    r"[\u0640\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]+"
)


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

    def key(self, word: str) -> str:
        """The form under which a word is found: the same for all spellings that the model reads alike.

        Args:
            word: one word, as `words.split` returns it.
        """
        return self._known(word) if len(word) <= _CACHED_LETTERS else self._key(word)

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
        seen = _INVISIBLE.sub("", read).replace("’", "'")
        seen = normalized("NFC", seen or read)
        return normalized("NFC", seen.casefold()) if self._folds else seen

    def __reduce__(self) -> tuple[type[Spelling], tuple[bool, Normal | None]]:
        return type(self), (self.cased, self.normal)

    def __deepcopy__(self, memo: object) -> Spelling:
        return self  # nothing changes it

    def __repr__(self) -> str:
        rules = "no rules of its own" if self.normal is None else "its tokenizer's rules"
        return f"<Spelling: {'cased' if self.cased else 'uncased'}, {rules}>"


CASED, UNCASED = Spelling(cased=True), Spelling(cased=False)
