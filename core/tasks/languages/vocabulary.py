"""Words and their ids, and how a text is cut into them: small languages need no word pieces."""

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
# Stands for a word that is not seen. A language that has it has it among its words: it can be typed.
MASK = "[MASK]"

# How texts are cut: sign by sign; or in words, of which elided ones keep their apostrophe ("l'homme"
# is two) and compound ones their hyphen ("est-ce"). "don't" is one in English.
Cut = Literal["letters", "english", "french"]
_TOKEN = MappingProxyType(
    {
        "letters": regex.compile(r"\X", regex.VERSION1),
        "english": regex.compile(r"\[mask\]|[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*|\X"),
        "french": regex.compile(r"[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*'?|\X"),
    }
)
_UNREAD = (".", "!")  # what may end a sentence without being a word of the language


class Token(NamedTuple):
    """A word of a text as the model reads it, and its characters in the text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language, special signs first; a word's id is its index.

    Upper and lower case are one: the languages are in lower case.
    """

    words: tuple[str, ...]
    cut: Cut = field(default="english")

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, known: Iterable[str], cut: Cut) -> Vocabulary:
        """The special signs and these words, each once, in the order of the alphabet."""
        return cls((*SPECIAL, *sorted(set(known))), cut)

    @property
    def special(self) -> tuple[str, ...]:
        """The special signs."""
        return self.words[: len(SPECIAL)]

    @property
    def known(self) -> tuple[str, ...]:
        """The words that a text may hold: all but the special tokens."""
        return self.words[len(SPECIAL) :]

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    def ids(self, known: Iterable[str]) -> tuple[int, ...]:
        """The ids of words that are known. KeyError: one is not."""
        return tuple(self._ids[word] for word in known)

    def tokens(self, text: str) -> tuple[Token, ...]:
        """The words of a text, known or not, from left to right; the end of a sentence is none."""
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
        """The words of a text that are not known, each once, in order of appearance."""
        missing = (token.word for token in self.tokens(text) if token.word not in self._ids)
        return tuple(dict.fromkeys(missing))

    def read(self, text: str, name: str) -> tuple[Token, ...]:
        """The words of a text that a model can read.

        Args:
            text: in upper or lower case.
            name: what to call the language in messages.

        Raises:
            NotSupported: a word is not known, or there is none; the message offers those that are.
        """
        missing = self.unknown(text)
        offer = "It knows: " + ", ".join(self.known) + "."
        if missing:
            named = ", ".join(f"“{_short(word)}”" for word in missing[:10])
            more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
            raise NotSupported(f"{name} does not know {named}{more}. {offer}")
        tokens = self.tokens(text)
        if not tokens:
            raise NotSupported(f"This text has no word that {name} can read. {offer}")
        return tokens

    def join(self, known: Iterable[str]) -> str:
        """A text of these words: after an elided one, "l'", there is no space."""
        text = " ".join(known)
        return text.replace("' ", "'") if self.cut == "french" else text


def word_ids(text: str, spans: Iterable[tuple[int, int]]) -> tuple[int | None, ...]:
    """For each span of characters, the index of its word by the rules of `core.records.words`.

    (0, 0), a special sign, has none.
    """
    in_text = words.split(text)
    ends = np.array([word.end for word in in_text], dtype=np.int64)
    result: list[int | None] = []
    for start, end in spans:
        w = int(np.searchsorted(ends, start, side="right"))
        result.append(w if start < end and w < len(in_text) and in_text[w].start < end else None)
    return tuple(result)


def _lower(text: str) -> str:
    """In lower case and with straight apostrophes, character by character: offsets must stay."""
    lower = (c.lower() if len(c.lower()) == 1 else c for c in text)
    return "".join("'" if c in "’ʼ" else c for c in lower)


def _short(word: str) -> str:
    # What cannot be seen is named: the message must not hold a control character.
    shown = "".join(c if c.isprintable() else unicodedata.name(c, "a control sign") for c in word)
    return shown if len(shown) <= 30 else shown[:29] + "…"
