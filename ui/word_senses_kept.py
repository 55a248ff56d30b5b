"""One word in many sentences: what was typed, read; and its vectors, asked once and kept."""

from __future__ import annotations

from threading import Condition
from typing import NamedTuple

import cachetools
import numpy as np
import streamlit as st

from core.errors import NotSupported, WordNotFound
from core.measures.occurrences import Occurrences, maps, told_apart
from core.trace import Array
from ui import answers, shelf, workshop

MOST_LINES = 2_000
KEPT_BYTES = 64 * 10**6  # 1,000 occurrences in MiniLM are 11 MB
_SHOWN = 50  # occurrences between two looks at the progress


class Sentence(NamedTuple):
    """One line: its label, "" for none, and its text."""

    label: str
    text: str


def read(typed: str) -> tuple[Sentence, ...]:
    """Lines as "label | sentence", or sentences alone; empty ones are left out."""
    found = []
    for line in typed.splitlines():
        label, bar, text = line.partition("|")
        sentence = Sentence(label.strip(), text.strip()) if bar else Sentence("", line.strip())
        if sentence.text:
            found.append(sentence)
    return tuple(found)


_kept: cachetools.LRUCache[tuple[str, str, tuple[str, ...]], Occurrences] = cachetools.LRUCache(
    KEPT_BYTES, getsizeof=lambda one: one.nbytes
)
_asking = Condition()


def vectors(model: str, word: str, texts: tuple[str, ...]) -> Occurrences:
    """The vectors of the word wherever it stands, with its progress on the page while they are made.

    Raises:
        PolyseeError: as `core.load` and `Model.vectors`; NotSupported: there are too many lines, or the
            model was trained here; WordNotFound: no sentence has the word.
    """
    if workshop.is_own(model):
        raise NotSupported("A model that was trained here knows only the words of its small language.")
    if len(texts) > MOST_LINES:
        raise NotSupported(f"This page takes at most {MOST_LINES:,} sentences. Leave some out.")
    with _asking:
        if (found := _kept.get((model, word, texts))) is not None:
            return found
    runner = shelf.model(model)
    place = st.empty()
    learned, hidden, of = [], [], []
    for one in runner.vectors(texts, word):
        learned.append(one.learned)
        hidden.append(one.hidden)
        of.append(one.text)
        if len(of) % _SHOWN == 0:
            place.progress((one.text + 1) / len(texts), f"Sentence {one.text + 1:,} of {len(texts):,}")
    place.empty()
    if not of:
        raise WordNotFound(
            f"No sentence has the word “{word[:40]}” by itself. Type it as it stands there."
        )
    found = Occurrences(np.stack(learned), np.stack(hidden), tuple(of))
    with _asking:
        if found.nbytes <= KEPT_BYTES:
            _kept[model, word, texts] = found
    return found


class Asked(NamedTuple):
    """All that a page of these vectors depends on."""

    model: str
    word: str
    texts: tuple[str, ...]


# Kept, for every step of the map's slider runs the page: of 2,000 sentences they take seconds.
@cachetools.cached(cachetools.LRUCache(answers.MOST_KEPT), condition=Condition())
def mapped(of: Asked) -> tuple[Array, Array]:
    """`maps` of the vectors. Raises as `vectors` and `maps`."""
    return maps(vectors(*of))


@cachetools.cached(cachetools.LRUCache(answers.MOST_KEPT), condition=Condition())
def accuracy(of: Asked, labels: tuple[str, ...]) -> Array:
    """`told_apart` by the label of each occurrence. Raises as `vectors` and `told_apart`."""
    return told_apart(vectors(*of), labels)
