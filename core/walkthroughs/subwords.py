"""How words become tokens: byte pairs learned from a text, and WordPiece's longest match.

Byte-pair encoding: Sennrich, Haddow and Birch (2016), Algorithm 1, starting from letters. WordPiece, as
BERT applies it: Wu et al. (2016), section 4.1; the longest matching piece, from left to right.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..untrusted import normalized

MARK = "##"  # before a piece that continues a word
UNKNOWN = "[UNK]"
_JOINERS = (
    "\u200c\u200d"  # zero-width: they shape their neighbours, and hold a family of emoji together
)
_NO_CHARACTER = "\ufffd"
# Ranges of characters of which each is a separate word in BERT.
_IDEOGRAPHS = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)


class Pair(NamedTuple):
    """Two adjacent tokens.

    Attributes:
        left: the first token.
        right: the second token.
        times: how often they are adjacent in the text.
    """

    left: str
    right: str
    times: int

    @property
    def merged(self) -> str:
        """The token that the pair becomes."""
        return self.left + self.right


@dataclass(frozen=True)
class BytePairs:
    """Merges learned from a text, and the text after each of them.

    Attributes:
        words: the words of the text, in order.
        letters: the initial tokens, in alphabetical order.
        merges: the merges in the order of learning, each with its count at that time.
        candidates: before each merge, and after the last, all remaining pairs, the best first.
        states: after 0, 1, 2 … merges, the tokens of each word.
    """

    words: tuple[str, ...]
    letters: tuple[str, ...]
    merges: tuple[Pair, ...]
    candidates: tuple[tuple[Pair, ...], ...]
    states: tuple[tuple[tuple[str, ...], ...], ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """The number of tokens in the text after 0, 1, 2 … merges."""
        return tuple(sum(map(len, state)) for state in self.states)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as in uncased BERT: in lower case, without accents.

    Each punctuation mark and each ideograph is a separate word; other signs belong to the word that
    contains them. Control characters are left out. Zero-width joiners stay: see `seen`.
    """
    decomposed = normalized("NFD", text.lower())
    apart = "".join(
        " " if c.isspace() else f" {c} " if _stands_alone(c) else c for c in decomposed if _is_kept(c)
    )
    return tuple(word for word in apart.split() if seen(word))


def seen(word: str) -> str:
    """A word without its zero-width joiners, which BERT removes as well."""
    return "".join(c for c in word if c not in _JOINERS)


def _is_kept(character: str) -> bool:
    if character.isspace() or character in _JOINERS:
        return True
    kind = unicodedata.category(character)
    return kind != "Mn" and kind[0] != "C" and character != _NO_CHARACTER


def _stands_alone(character: str) -> bool:
    code = ord(character)
    in_ascii = 33 <= code <= 126 and not character.isalnum()
    ideograph = any(first <= code <= last for first, last in _IDEOGRAPHS)
    return in_ascii or ideograph or unicodedata.category(character)[0] == "P"


def byte_pairs(words: Sequence[str], most: int) -> BytePairs:
    """Learn merges from these words, and apply each of them.

    The most frequent pair within words is merged everywhere. Among equally frequent pairs, the one with
    the older tokens comes first: letters in alphabetical order, then merges in order of learning. The
    library `tokenizers` uses the same order.

    Args:
        words: the words of a text; a pair never crosses the end of a word.
        most: the number of merges; fewer if no pair is left.
    """
    letters = tuple(sorted({letter for word in words for letter in word}))
    age = {letter: i for i, letter in enumerate(letters)}
    state = tuple(tuple(word) for word in words)
    merges: list[Pair] = []
    candidates, states = [_ranked(state, age)], [state]
    while len(merges) < most and candidates[-1]:
        best = candidates[-1][0]
        merges.append(best)
        age.setdefault(best.merged, len(age))
        state = tuple(merge(tokens, best) for tokens in state)
        states.append(state)
        candidates.append(_ranked(state, age))
    return BytePairs(tuple(words), letters, tuple(merges), tuple(candidates), tuple(states))


def _ranked(state: Sequence[Sequence[str]], age: dict[str, int]) -> tuple[Pair, ...]:
    counts = Counter(pair for tokens in state for pair in pairwise(tokens))
    order = sorted(counts, key=lambda pair: (-counts[pair], age[pair[0]], age[pair[1]]))
    return tuple(Pair(*pair, counts[pair]) for pair in order)


def merge(tokens: Sequence[str], pair: Pair) -> tuple[str, ...]:
    """The tokens of a word with this pair merged wherever it occurs, from left to right."""
    merged: list[str] = []
    i = 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == (pair.left, pair.right):
            merged.append(pair.merged)
            i += 2
        else:
            merged.append(tokens[i])
            i += 1
    return tuple(merged)


def encoded(word: str, merges: Sequence[Pair]) -> tuple[str, ...]:
    """The tokens of any word, by applying the merges in the order of learning."""
    tokens = tuple(word)
    for pair in merges:
        tokens = merge(tokens, pair)
    return tokens


class Match(NamedTuple):
    """One piece of a word, and the longer strings that were tried before it.

    Attributes:
        piece: the longest one in the vocabulary; `UNKNOWN` if there is none.
        tried: longer strings that are not in it, the longest first.
    """

    piece: str
    tried: tuple[str, ...]


def longest_match(word: str, vocabulary: Collection[str]) -> tuple[Match, ...]:
    """The pieces of one word: each is the longest in the vocabulary that begins the rest of the word.

    If no piece begins the rest, the whole word is unknown, as in BERT: a single match.
    """
    found: list[Match] = []
    start = 0
    while start < len(word):
        mark = MARK if start else ""
        tried: list[str] = []
        for end in range(len(word), start, -1):
            piece = mark + word[start:end]
            if piece in vocabulary:
                found.append(Match(piece, tuple(tried)))
                start = end
                break
            tried.append(piece)
        else:
            return (Match(UNKNOWN, tuple(tried)),)
    return tuple(found)
