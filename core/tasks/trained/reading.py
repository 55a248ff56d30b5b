"""A text as a small model reads it: its words, their ids, and their positions in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ...errors import TooLarge
from ..languages.vocabulary import MASK, START, START_ID, Vocabulary, word_ids

# Far beyond the longest training text; a limit on the cost of one query.
MOST_TOKENS = 64


@dataclass(frozen=True)
class Reading:
    """A text as tokens. See `core.Trace` for `word_ids`, `offsets` and `special`."""

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    word_ids: tuple[int | None, ...]
    special: tuple[bool, ...]

    @property
    def ids_BL(self) -> Tensor:
        """This text as a batch of one."""
        return torch.tensor([self.ids])


def read(vocabulary: Vocabulary, text: str, name: str) -> Reading:
    """The words of a text.

    Raises:
        NotSupported: if a word is unknown, or there is none; see `Vocabulary.read`.
        TooLarge: if there are more than `MOST_TOKENS`.
    """
    tokens = vocabulary.read(text, name)
    if len(tokens) > MOST_TOKENS:
        raise TooLarge(
            "The text has {n_tokens} words; a small model reads at most {most_tokens}. Shorten it.",
            n_tokens=len(tokens),
            most_tokens=MOST_TOKENS,
        )
    words = tuple(token.word for token in tokens)
    offsets = tuple((token.start, token.end) for token in tokens)
    special = tuple(word == MASK for word in words)
    return Reading(text, vocabulary.ids(words), words, offsets, word_ids(text, offsets), special)


def started(reading: Reading) -> Reading:
    """The same text after a start token."""
    return Reading(
        reading.text,
        (START_ID, *reading.ids),
        (START, *reading.tokens),
        ((0, 0), *reading.offsets),
        (None, *reading.word_ids),
        (True, *reading.special),
    )


def of_words(vocabulary: Vocabulary, words: Sequence[str]) -> Reading:
    """The text made of these words; it may be empty, without any tokens."""
    text = vocabulary.join(words)
    if not words:
        return Reading("", (), (), (), (), ())
    offsets, start = [], 0
    for word in words:
        start = text.index(word, start)
        offsets.append((start, start + len(word)))
        start += len(word)
    special = tuple(word in vocabulary.special for word in words)
    spans = tuple(offsets)
    return Reading(text, vocabulary.ids(words), tuple(words), spans, word_ids(text, spans), special)
