"""Words by our own rules, over character offsets, whatever the tokenizer does.

Tokenizers disagree about words: BERT's splits "don't" into three, and Llama's puts a whole sentence
into word 0. Here, a word is one of these:

- a run of letters, digits and their accents: "riverbank" does not contain the word "bank";
- the same with what nobody sees inside, such as a soft hyphen or a zero-width space;
- the same with apostrophes inside: "don't" is one word. A final 's is a word of its own, and
  "the bank's roof" therefore contains "bank"; so is a word that lost its last vowel: "l'eau" contains
  "eau" (`elision`);
- in scripts without spaces, such as Chinese and Thai, a word of ICU's dictionaries (`unspaced`);
- any other single visible character, such as "." and "🎣".

Tokens have boundaries of their own. A word has all tokens that share a character with it: a token that
spans two words belongs to both, and one that ends inside a word is one of its pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from ..memory import cached
from ..untrusted import normalized
from .elision import APOSTROPHES, elided
from .particles import may_have_particle, with_particles
from .spelling import Spelling, seen
from .unspaced import BETWEEN_WORDS, LETTERS, RUN, SIGNS, ends

# The end of a word of letters. \b would let a Chinese character continue an English word.
_END = rf"(?! [[\p{{L}}\p{{N}}\p{{M}}_]--{LETTERS}] )"
_LETTER = rf"[[\p{{L}}\p{{N}}_]--{LETTERS}] {SIGNS}"
# A zero-width space shows where a line may end. Between letters of a script with spaces it hides in a
# word, as a soft hyphen does, and tokenizers drop it; other scripts write it in place of a space.
_BREAK = rf"\u200b [\p{{M}}\p{{Cf}}]* (?= [[\p{{L}}\p{{N}}_]--{LETTERS}--{BETWEEN_WORDS}] )"
_S = "['’][sSſ]"  # upper and lower case by hand: a flag would take four times as long
# One flag, a pair of letters. \X finds it too, but counts from the first of a row of flags for each.
FLAG = r"\p{RI}{1,2}[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]*"
# Chinese or Thai, to be split by ICU; the final 's of a word; a word such as "don't".
OF_LETTERS = rf"""
      (?<run> {RUN} )
    | {_S} {_END}
    | (?: {_LETTER} (?: {_BREAK} )? )+ (?: (?! {_S} {_END} ) ['’] (?: {_LETTER} (?: {_BREAK} )? )+ )*
    """
_WORD = regex.compile(
    rf"""
      {OF_LETTERS}
    | {FLAG}
    | (?! \s | \p{{C}} ) \X                              # any other visible sign; \p{{C}}: controls
    """,
    regex.VERBOSE | regex.VERSION1,
)
# The same for a text in ASCII, as most English sentences are, in a quarter of the time.
_ASCII_WORD = re.compile(r"'[sS](?!\w)|\w+(?:(?!'[sS](?!\w))'\w+)*|[!-~]", re.ASCII)


class Word(NamedTuple):
    """A word of a text, and its characters there (`text[start:end]`)."""

    text: str
    start: int
    end: int


class Occurrence(NamedTuple):
    """A word of a text that reached the model.

    Attributes:
        word: the word as it is written, in lower case for an uncased model; if the text spells it in
            several ways, as where it comes first.
        number: the number of this occurrence, from 0, among all that `finding` finds by its name:
            "بنك" is found in "البنك" too, which is a word of its own.
        start: its first character in its text.
        end: the character after its last one.
        tokens: (pieces,) int64, the indices of its tokens, ascending.
    """

    word: str
    number: int
    start: int
    end: int
    tokens: npt.NDArray[np.int64]


_WORD_BYTES = 200  # about, in memory, with its text and its places


# One run of a page asks a hundred times, about two texts and their words; a stream of a million texts
# asks once about each.
@cached(most=64, weigh=lambda words: _WORD_BYTES * len(words))
def split(text: str) -> tuple[Word, ...]:
    """The words of `text` from left to right, with their characters."""
    return tuple(_split(text))


def _split(text: str) -> Iterator[Word]:
    for found in _ASCII_WORD.finditer(text) if text.isascii() else _WORD.finditer(text):
        word, at = found[0], found.start()
        if found.lastgroup == "run":
            start = 0
            for end in ends(word):
                yield Word(word[start:end], at + start, at + end)
                start = end
            continue
        if any(sign in word for sign in APOSTROPHES):
            first = 0
            while before := elided(word, first):
                yield Word(word[first : first + before], at + first, at + first + before)
                first += before
            word, at = word[first:], at + first
        yield Word(word, at, at + len(word))


def overlaps(spans: npt.NDArray[np.int64], start: int, end: int) -> npt.NDArray[np.bool_]:
    """(tokens,) bool: which of the tokens' `spans`, (tokens, 2), share a character with `start:end`.

    A special token has the empty span (0, 0) and therefore never does.
    """
    return (spans[:, 0] < end) & (spans[:, 1] > start)


def sharing(
    text: str, spans: npt.NDArray[np.int64], tokens: npt.NDArray[np.int64], start: int, end: int
) -> tuple[Word, int] | None:
    """Another word, outside `start:end`, that shares one of these tokens; and that token.

    An unknown character and the word after it can be one token: “🎣bank” is [UNK] in MiniLM. None if no
    other word shares the tokens.
    """
    for word in split(text):
        if word.end <= start or end <= word.start:
            both = tokens[overlaps(spans[tokens], word.start, word.end)]
            if both.size:
                return word, int(both[0])
    return None


class Counts:
    """The names of the words so far, and how often each was found: see `occurrences`."""

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._names: dict[str, str] = {}  # key -> the word as it came first
        self._seen: Counter[str] = Counter()  # by the form that a search compares
        self._joined = False  # whether one so far may have a particle

    def count(self, word: str) -> tuple[str, int]:
        """Count one more word; its name, and how many were found by that name before."""
        spelling = self._spelling
        name = self._names.setdefault(spelling.key(word), name_of(word, spelling.cased))
        form = spelling.loose(word)
        number = self._seen[form]
        if self._joined:
            forms = with_particles(form)
            number += sum(count for other, count in self._few(forms) if other in forms)
        self._joined = self._joined or may_have_particle(form)
        self._seen[form] += 1
        return name, number

    def _few(self, forms: frozenset[str]) -> Iterable[tuple[str, int]]:
        """What was seen, or what was asked for: whichever is less."""
        if len(self._seen) < len(forms):
            return self._seen.items()
        return ((form, self._seen[form]) for form in forms if form in self._seen)


def occurrences(
    text: str,
    spans: npt.NDArray[np.int64],
    counts: Counts | None = None,
    *,
    spelling: Spelling,
    end: int,
) -> Iterator[Occurrence]:
    """Every word of a text that has tokens and ends before `end`, from left to right.

    Args:
        text: the text.
        spans: (tokens, 2), the characters of each token.
        counts: what was found in the texts before, updated in place; None if there are none.
        spelling: which spellings are one word.
        end: the character at which the text was truncated.
    """
    read, covers = coverage(text, spans, end=end)
    counts = counts or Counts(spelling)
    for word, covered in zip(read, covers, strict=True):
        name, number = counts.count(word.text)
        yield Occurrence(name, number, word.start, word.end, np.flatnonzero(covered))


def coverage(
    text: str, spans: npt.NDArray[np.int64], *, end: int
) -> tuple[tuple[Word, ...], npt.NDArray[np.bool_]]:
    """Every word of a text that has tokens and ends before `end`, and which tokens are its own.

    Args:
        text: the text.
        spans: (tokens, 2), the characters of each token.
        end: the character at which the text was truncated.

    Returns:
        The words from left to right, and (words, tokens) bool: whether they share a character.
    """
    every = [word for word in split(text) if word.end <= end]
    edges = np.array([(word.start, word.end) for word in every], np.int64).reshape(-1, 2, 1)
    covers = (spans[:, 0] < edges[:, 1]) & (spans[:, 1] > edges[:, 0])
    there = np.asarray(covers.any(axis=1))
    return tuple(compress(every, there)), covers[there]


def name_of(word: str, cased: bool) -> str:
    """A word of a text as a screen names it: in lower case for an uncased model.

    A word with "İ" stays as it is written: its lower case is an "i" with a second dot. So does one in
    which there is nothing to see.
    """
    name = word if cased or "\u0130" in normalized("NFC", word) else word.lower()
    end = len(name)  # a pattern with "$" would try each of the signs as the first of the end
    while end and unicodedata.category(name[end - 1]) == "Cf":
        end -= 1
    return name[:end] if seen(name[:end]) else name
