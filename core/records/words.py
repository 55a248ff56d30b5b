"""Words by our own rules, over character offsets, whatever the tokenizer does.

A tokenizer's own idea of a word will not do: BERT's splits "don't" into three, Llama's puts a whole
sentence into word 0. Here a word is what a reader would point at:

- a run of letters, digits and their accents: "riverbank" holds no "bank";
- with apostrophes inside it: "don't" is one word; but a final 's is a word of its own, so that
  "the bank's roof" holds "bank";
- one Chinese or Japanese character;
- any other visible sign, one by one: "." and "🎣".
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

# Where a word of letters ends. Not \b: to that, a Chinese character goes on an English word.
_END = r"(?! [[\p{L}\p{N}\p{M}_]--[\p{Han}\p{Hiragana}\p{Katakana}]] )"
_LETTER = r"(?! [\p{Han}\p{Hiragana}\p{Katakana}] ) [\p{L}\p{N}_] [\p{M}\p{Cf}--\u200b]*"
_WORD = regex.compile(
    rf"""
      [\p{{Han}}\p{{Hiragana}}\p{{Katakana}}ー]\p{{M}}*     # Chinese, Japanese: by character
    | ['’]s {_END}                                      # the final 's of a word
    | (?: {_LETTER} )+
      (?: (?! ['’]s {_END} ) ['’] (?: {_LETTER} )+ )*  # don't
    | (?! \s | \p{{C}} ) \X                              # any other visible sign; \p{{C}}: controls
    """,
    regex.VERBOSE | regex.IGNORECASE | regex.VERSION1,
)
_UNSEEN = regex.compile(r"\p{Cf}")
_UNSEEN_END = regex.compile(r"\p{Cf}+$")


class Word(NamedTuple):
    """A word of a text: its characters and where they stand (`text[start:end]`)."""

    text: str
    start: int
    end: int


class Occurrence(NamedTuple):
    """A word of a text that reached the model.

    Attributes:
        word: as the model reads it: in lower case, if it knows no other.
        number: which of its occurrences, from 0, from left to right.
        start: where it begins, in characters of its text.
        end: where it ends.
        tokens: (pieces,) int64, its tokens; ascending.
    """

    word: str
    number: int
    start: int
    end: int
    tokens: npt.NDArray[np.int64]


@lru_cache(maxsize=32)  # one run of a page asks a hundred times, about two texts and their words
def split(text: str) -> tuple[Word, ...]:
    """The words of `text` from left to right, with the characters they stand at."""
    return tuple(Word(m.group(), m.start(), m.end()) for m in _WORD.finditer(text))


def occurrence_spans(text: str, phrase: str, *, cased: bool) -> tuple[tuple[int, int], ...]:
    """Where `phrase`, a word or several in a row, stands in `text` as whole words.

    Args:
        text: where to look.
        phrase: what to look for; its own words are found by the same rules.
        cased: whether "Bank" and "bank" differ (they do not to an uncased model).

    Returns:
        `(start, end)` in characters of `text`, one for each occurrence, from left to right.
        Occurrences do not overlap. Empty where there is none, or where `phrase` holds no word.
    """
    wanted = [_key(word.text, cased) for word in split(phrase)]
    words = split(text)
    keys = [_key(word.text, cased) for word in words]
    spans: list[tuple[int, int]] = []
    i = 0
    while wanted and i + len(wanted) <= len(words):
        if keys[i : i + len(wanted)] == wanted:
            spans.append((words[i].start, words[i + len(wanted) - 1].end))
            i += len(wanted)
        else:
            i += 1
    return tuple(spans)


def why_not_found(word: str, here: Sequence[str], *, occurrence: int, count: int) -> str:
    """Why there is no such occurrence of a word, in a sentence that names the words that are `here`."""
    if count:
        times = "once" if count == 1 else f"{count} times"
        return f"“{word}” occurs here {times}; occurrence {occurrence} was requested (the first is 0)."
    names = ", ".join(here[:30]) + (f" and {len(here) - 30} more" if len(here) > 30 else "")
    there = f"The words here are: {names}." if here else "There are no words here."
    short = word if len(word) <= 40 else word[:39] + "…"
    return f"“{short}” is not a whole word of this text. {there}"


def overlaps(spans: npt.NDArray[np.int64], start: int, end: int) -> npt.NDArray[np.bool_]:
    """Which of the tokens' `spans`, (tokens, 2) in characters, share one with `start:end`.

    A special token spans nothing, (0, 0), and so is never among them.
    """
    return (spans[:, 0] < end) & (spans[:, 1] > start)


def pieces(
    text: str, spans: npt.NDArray[np.int64], phrase: str, *, cased: bool, end: int
) -> list[npt.NDArray[np.int64]]:
    """The tokens of each occurrence of `phrase`: `occurrence_spans`, in token indices.

    A word that goes on beyond `end`, where the text was cut, is no longer the whole word.
    """
    return [tokens for _, _, tokens in spans_of(text, spans, phrase, cased=cased, end=end)]


def spans_of(
    text: str, spans: npt.NDArray[np.int64], phrase: str, *, cased: bool, end: int
) -> list[tuple[int, int, npt.NDArray[np.int64]]]:
    """`pieces`, each behind the characters of its occurrence: `(start, end, tokens)`."""
    every = (
        (first, last, np.flatnonzero(overlaps(spans, first, last)))
        for first, last in occurrence_spans(text, phrase, cased=cased)
        if last <= end
    )
    return [one for one in every if one[2].size]


def sharing(
    text: str, spans: npt.NDArray[np.int64], tokens: npt.NDArray[np.int64], start: int, end: int
) -> tuple[Word, int] | None:
    """A word outside `start:end` that one of these tokens stands for too, and that token.

    So an unknown sign and the word behind it may be one token: “🎣bank” is [UNK] to MiniLM. None where
    the tokens stand for no other word.
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
    """Every word of a text that has tokens and stands before `end`, from left to right.

    Args:
        text: the text.
        spans: (tokens, 2), the characters of each token.
        counts: how often each word has stood before this text; counted on.
        cased: whether "Bank" and "bank" differ.
        end: where the text was cut, in characters.
    """
    for word in split(text):
        tokens = np.flatnonzero(overlaps(spans, word.start, word.end))
        if word.end <= end and tokens.size:
            key = _key(word.text, cased)
            name = _UNSEEN_END.sub("", word.text if cased else word.text.lower())
            yield Occurrence(name, counts[key], word.start, word.end, tokens)
            counts[key] += 1


def _key(word: str, cased: bool) -> str:
    # Soft hyphens and direction marks are not seen. An "é" typed as two characters is the "é" typed
    # as one (NFC). ’ is how a phone types '.
    same = unicodedata.normalize("NFC", _UNSEEN.sub("", word)).replace("’", "'")
    return same if cased else unicodedata.normalize("NFC", same.casefold())
