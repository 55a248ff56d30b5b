"""Words by our own rules, over character offsets, whatever the tokenizer does.

Tokenizers disagree about words: BERT's splits "don't" into three, and Llama's puts a whole sentence
into word 0. Here, a word is one of these:

- a run of letters, digits and their accents: "riverbank" does not contain the word "bank";
- the same with apostrophes inside: "don't" is one word. A final 's is a word of its own, and
  "the bank's roof" therefore contains "bank";
- one Chinese or Japanese character;
- any other single visible character, such as "." and "🎣".
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from ..memory import cached

# The end of a word of letters. \b would let a Chinese character continue an English word.
_END = r"(?! [[\p{L}\p{N}\p{M}_]--[\p{Han}\p{Hiragana}\p{Katakana}]] )"
_LETTER = r"(?! [\p{Han}\p{Hiragana}\p{Katakana}] ) [\p{L}\p{N}_] [\p{M}\p{Cf}--\u200b]*"
# One flag, a pair of letters. \X finds it too, but counts from the first of a row of flags for each.
FLAG = r"\p{RI}{1,2}[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]*"
_WORD = regex.compile(
    rf"""
      [\p{{Han}}\p{{Hiragana}}\p{{Katakana}}ー]\p{{M}}*     # Chinese, Japanese: by character
    | ['’]s {_END}                                      # the final 's of a word
    | (?: {_LETTER} )+
      (?: (?! ['’]s {_END} ) ['’] (?: {_LETTER} )+ )*  # don't
    | {FLAG}
    | (?! \s | \p{{C}} ) \X                              # any other visible sign; \p{{C}}: controls
    """,
    regex.VERBOSE | regex.IGNORECASE | regex.VERSION1,
)
_UNSEEN = regex.compile(r"\p{Cf}")


class Word(NamedTuple):
    """A word of a text, and its characters there (`text[start:end]`)."""

    text: str
    start: int
    end: int


class Occurrence(NamedTuple):
    """A word of a text that reached the model.

    Attributes:
        word: the word as the model reads it, in lower case for an uncased model.
        number: the number of this occurrence, from 0, from left to right.
        start: its first character in its text.
        end: the character after its last one.
        tokens: (pieces,) int64, the indices of its tokens, ascending.
    """

    word: str
    number: int
    start: int
    end: int
    tokens: npt.NDArray[np.int64]


@cached()  # one run of a page asks a hundred times, about two texts and their words
def split(text: str) -> tuple[Word, ...]:
    """The words of `text` from left to right, with their characters."""
    return tuple(Word(m.group(), m.start(), m.end()) for m in _WORD.finditer(text))


def occurrence_spans(text: str, phrase: str, *, cased: bool) -> tuple[tuple[int, int], ...]:
    """The occurrences in `text` of `phrase`, one whole word or several in a row.

    Args:
        text: the text to search.
        phrase: the word or words to find; the same rules split it into words.
        cased: whether "Bank" and "bank" differ (not for an uncased model).

    Returns:
        `(start, end)` in characters of `text`, one for each occurrence, from left to right.
        Occurrences do not overlap. Empty if there is none, or if `phrase` contains no word.
    """
    phrase_words, words = split(phrase), split(text)
    if (
        not 0 < len(phrase_words) <= len(words)
    ):  # told at once: a list may ask for it in each of its lines
        return ()
    wanted = [key_of(word.text, cased) for word in phrase_words]
    # Each different word as one character, so that Python's own search finds the phrase: it takes time
    # in proportion to the text, however long the phrase is.
    characters: dict[str, str] = {}
    for key in wanted:
        characters.setdefault(key, chr(len(characters) + 1))
    row = "".join(characters.get(key_of(word.text, cased), "\0") for word in words)
    sought = "".join(characters[key] for key in wanted)
    spans: list[tuple[int, int]] = []
    i = row.find(sought)
    while i >= 0:
        after = i + len(wanted)
        spans.append((words[i].start, words[after - 1].end))
        i = row.find(sought, after)
    return tuple(spans)


def why_not_found(
    word: str, here: Sequence[str], *, occurrence: int, count: int, first: int = 0
) -> str:
    """An error message for a missing occurrence of a word; it lists the words `here`.

    Args:
        word: the word.
        here: the words of the text, if it has none of these.
        occurrence: the requested one, as whoever asked counts.
        count: how many there are.
        first: the number of the first one in that counting.
    """
    if count:
        times = "once" if count == 1 else f"{count} times"
        asked = f"occurrence {occurrence} was requested (the first is {first})"
        return f"“{word}” occurs here {times}; {asked}."
    names = ", ".join(here[:30]) + (f" and {len(here) - 30} more" if len(here) > 30 else "")
    there = f"The words here are: {names}." if here else "There are no words here."
    short = word if len(word) <= 40 else word[:39] + "…"
    return f"“{short}” is not a whole word of this text. {there}"


def overlaps(spans: npt.NDArray[np.int64], start: int, end: int) -> npt.NDArray[np.bool_]:
    """(tokens,) bool: which of the tokens' `spans`, (tokens, 2), share a character with `start:end`.

    A special token has the empty span (0, 0) and therefore never does.
    """
    return (spans[:, 0] < end) & (spans[:, 1] > start)


def pieces(
    text: str, spans: npt.NDArray[np.int64], phrase: str, *, cased: bool, end: int
) -> list[npt.NDArray[np.int64]]:
    """The tokens of each occurrence of `phrase`: `occurrence_spans`, in token indices.

    A word that crosses `end`, where the text was truncated, does not count: it is no longer whole.
    """
    return [tokens for _, _, tokens in spans_of(text, spans, phrase, cased=cased, end=end)]


def spans_of(
    text: str, spans: npt.NDArray[np.int64], phrase: str, *, cased: bool, end: int
) -> list[tuple[int, int, npt.NDArray[np.int64]]]:
    """`pieces` with the characters of each occurrence: `(start, end, tokens)`."""
    every = (
        (first, last, np.flatnonzero(overlaps(spans, first, last)))
        for first, last in occurrence_spans(text, phrase, cased=cased)
        if last <= end
    )
    return [one for one in every if one[2].size]


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


def occurrences(
    text: str, spans: npt.NDArray[np.int64], counts: Counter[str], *, cased: bool, end: int
) -> Iterator[Occurrence]:
    """Every word of a text that has tokens and ends before `end`, from left to right.

    Args:
        text: the text.
        spans: (tokens, 2), the characters of each token.
        counts: the number of earlier occurrences of each word; updated in place.
        cased: whether "Bank" and "bank" differ.
        end: the character at which the text was truncated.
    """
    read, covers = coverage(text, spans, end=end)
    for word, covered in zip(read, covers, strict=True):
        key = key_of(word.text, cased)
        name = name_of(word.text, cased)
        yield Occurrence(name, counts[key], word.start, word.end, np.flatnonzero(covered))
        counts[key] += 1


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
    """A word of a text as the model reads it, in lower case for an uncased model."""
    name = word if cased else word.lower()
    end = len(name)  # a pattern with "$" would try each of the signs as the first of the end
    while end and unicodedata.category(name[end - 1]) == "Cf":
        end -= 1
    return name[:end]


def key_of(word: str, cased: bool) -> str:
    """The form under which a word is found: the same for all spellings that do not differ on screen.

    Args:
        word: one word, as `split` returns it.
        cased: whether "Bank" and "bank" differ.
    """
    # Soft hyphens and direction marks are invisible. An "é" typed as two characters equals the "é"
    # typed as one (NFC). A phone types ’ for '.
    same = unicodedata.normalize("NFC", _UNSEEN.sub("", word)).replace("’", "'")
    return same if cased else unicodedata.normalize("NFC", same.casefold())
