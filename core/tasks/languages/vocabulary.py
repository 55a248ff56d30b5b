"""Words and their ids, and how a text is split into words: toy languages need no word pieces."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
import regex

from ...errors import NotSupported
from ...records import words

PAD, START, END = SPECIAL = ("[PAD]", "[START]", "[END]")
PAD_ID, START_ID, END_ID = range(len(SPECIAL))
# The token for a hidden word. If a language has it, it counts as a word, and a user can type it.
MASK = "[MASK]"

# How texts are split: by characters; or into words, where elided ones keep their apostrophe ("l'homme"
# is two words) and compounds their hyphen ("est-ce"). In English, "don't" is one word.
Cut = Literal["letters", "english", "french"]
_WORD = r"[\p{L}\p{M}\p{N}]+"
_SIGN = rf"(?:{words.FLAG}|\X)"
_TOKEN = MappingProxyType(
    {
        "letters": regex.compile(_SIGN, regex.VERSION1),
        "english": regex.compile(rf"\[mask\]|{_WORD}(?:'{_WORD})*|{_SIGN}"),
        "french": regex.compile(rf"{_WORD}(?:-{_WORD})*'?|{_SIGN}"),
    }
)
_UNREAD = (".", "!")  # may end a sentence without being a word of the language


class Token(NamedTuple):
    """A word of a text as the model reads it, and its characters in the text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language, special tokens first; the id of a word is its index.

    Case does not matter: the languages are in lower case.
    """

    words: tuple[str, ...]
    cut: Cut = field(default="english")

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, known: Iterable[str], cut: Cut) -> Vocabulary:
        """The special tokens and these words, each once, in alphabetical order."""
        return cls((*SPECIAL, *sorted(set(known))), cut)

    @property
    def special(self) -> tuple[str, ...]:
        """The special tokens."""
        return self.words[: len(SPECIAL)]

    @property
    def known(self) -> tuple[str, ...]:
        """The words that a text may contain: all but the special tokens."""
        return self.words[len(SPECIAL) :]

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    def ids(self, known: Iterable[str]) -> tuple[int, ...]:
        """The ids of known words. KeyError: if one is unknown."""
        return tuple(self._ids[word] for word in known)

    def tokens(self, text: str) -> tuple[Token, ...]:
        """The words of a text, known or not, from left to right; a full stop at the end is ignored."""
        lower = _lower(text)
        tokens = [
            Token(m.group(), m.start(), m.end())
            for m in _TOKEN[self.cut].finditer(lower)
            if not m.group().isspace()
        ]
        while tokens and tokens[-1].word in _UNREAD and tokens[-1].word not in self._ids:
            tokens.pop()
        if MASK not in self._ids:
            return tuple(tokens)
        return tuple(t._replace(word=MASK) if t.word == MASK.lower() else t for t in tokens)

    def unknown(self, text: str) -> tuple[str, ...]:
        """The unknown words of a text, each once, in order of appearance."""
        missing = (token.word for token in self.tokens(text) if token.word not in self._ids)
        return tuple(dict.fromkeys(missing))

    def read(self, text: str, name: str) -> tuple[Token, ...]:
        """The words of a text that a model can read.

        Args:
            text: the text, in upper or lower case.
            name: the name of the language in messages.

        Raises:
            NotSupported: if a word is unknown, or there is none; the message lists known words.
        """
        missing = self.unknown(text)
        offer = "It knows: " + ", ".join(self.known) + "."
        if missing:
            named = ", ".join(f"“{_short(word)}”" for word in missing[:10])
            more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
            raise NotSupported(
                "{name} does not know {named}{more}. {offer}",
                name=name,
                named=named,
                more=more,
                offer=offer,
            )
        tokens = self.tokens(text)
        if not tokens:
            raise NotSupported(
                "This text has no word that {name} can read. {offer}",
                name=name,
                offer=offer,
            )
        return tokens

    def join(self, known: Iterable[str]) -> str:
        """A text made of these words: no space follows an elided one, "l'"."""
        text = " ".join(known)
        return text.replace("' ", "'") if self.cut == "french" else text


def word_ids(text: str, spans: Iterable[tuple[int, int]]) -> tuple[int | None, ...]:
    """For each span of characters, the index of its word by the rules of `core.records.words`.

    (0, 0), a special token, has none.
    """
    in_text = words.split(text)
    ends = np.array([word.end for word in in_text], dtype=np.int64)
    result: list[int | None] = []
    for start, end in spans:
        w = int(np.searchsorted(ends, start, side="right"))
        result.append(w if start < end and w < len(in_text) and in_text[w].start < end else None)
    return tuple(result)


def _lower(text: str) -> str:
    """In lower case, with straight apostrophes, one character for one: offsets stay valid."""
    lower = (c.lower() if len(c.lower()) == 1 else c for c in text)
    return "".join("'" if c in "’ʼ" else c for c in lower)


def _short(word: str) -> str:
    # Invisible characters are described: the message must not contain a control character.
    shown = "".join(c if c.isprintable() else unicodedata.name(c, "a control sign") for c in word)
    return shown if len(shown) <= 30 else shown[:29] + "…"
