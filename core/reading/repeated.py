"""Sentences that stand there several times, each once: copies would confirm one another.

Leave-one-out leaves one sentence out of its label's centroid. A copy of it stays in, and the vector is
found again by itself: six sentences pasted forty times would all be named rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..records.spelling import CASED, Spelling
from ..untrusted import normalized
from .collect import Sentence


class Merged(NamedTuple):
    """Some sentences, each once.

    Attributes:
        sentences: the different ones, as each was first written, in their order.
        first: for each of them, the index of its first copy among all that were read.
        times: for each of them, how many copies there were.
        several: the texts that stand under several labels -> these labels. Each label keeps its
            sentence, with the same vector.
    """

    sentences: tuple[Sentence, ...]
    first: tuple[int, ...]
    times: tuple[int, ...]
    several: dict[str, tuple[str, ...]]

    @property
    def copies(self) -> int:
        """How many sentences were left out, because they repeat another one."""
        return sum(self.times) - len(self.times)


def merge(sentences: Sequence[Sentence], spelling: Spelling = CASED) -> Merged:
    """Each sentence once: those with the same label and the same text are one.

    Texts are the same if the model reads them alike, word by word: in another Unicode form, with other
    spaces, and for an uncased model with other capitals.

    Args:
        sentences: the sentences, with their labels; "" for none.
        spelling: which spellings the model reads alike.
    """
    keys = [(normalized("NFC", one.label), spelling.key(one.text)) for one in sentences]
    first: dict[tuple[str, str], int] = {}
    times: dict[tuple[str, str], int] = {}
    labels: dict[str, dict[str, None]] = {}
    for i, key in enumerate(keys):
        first.setdefault(key, i)
        times[key] = times.get(key, 0) + 1
        if key[0]:
            labels.setdefault(key[1], {})[sentences[first[key]].label] = None
    text_of = {key[1]: sentences[i].text for key, i in reversed(first.items())}
    return Merged(
        tuple(sentences[i] for i in first.values()),
        tuple(first.values()),
        tuple(times.values()),
        {text_of[key]: tuple(of) for key, of in labels.items() if len(of) > 1},
    )
