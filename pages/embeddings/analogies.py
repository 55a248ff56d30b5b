"""Analogies as sums of vectors: what lies nearest to a sum, by learned and by contextual vectors."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition
from typing import NamedTuple

import cachetools
import numpy as np
import pandas as pd
import streamlit as st

from core.errors import NotSupported
from core.examples.analogies import ANALOGIES, WORDS
from core.figures import bars
from core.measures.analogy import Nearest, answer, nearest, terms, total
from core.records.frozen import Array
from pages.embeddings.state import EmbeddingsState
from ui import figure, files, layout
from ui.layout import row
from ui.models import answers, model_cache, session_models
from ui.models.attempt import attempt
from ui.state import presets, toggle
from ui.text import plain

FRAME = "the {} ."
SHOWN = 8  # bars
TITLES = {"learned": "Learned vectors", "contextual": "Contextual vectors"}
EXAMPLES = 300  # pixels


class Sums(NamedTuple):
    """One sum, and what lies nearest to it.

    Attributes:
        pieces: (word, tokens) of each word of the sum.
        learned: the nearest of the whole vocabulary.
        contextual: all of `WORDS`, and the words of the sum, the nearest first.
    """

    pieces: tuple[tuple[str, int], ...]
    learned: tuple[Nearest, ...]
    contextual: tuple[Nearest, ...]


class Right(NamedTuple):
    """Of `ANALOGIES`, how many answers are right: words of the sum left out, or not; and without a sum.

    Attributes:
        without_asked: the nearest word that is not in the sum is the answer.
        with_asked: the nearest word of all is the answer.
        no_sum: the answer is nearest to the first word or to the last one alone.
    """

    without_asked: int
    with_asked: int
    no_sum: int


def _vectors(model: str, word: str) -> tuple[Array, Array, int]:
    """Learned and last-layer vector of a word in its frame, means over its tokens, and their number."""
    trace = answers.trace(model, FRAME.format(word))
    at = trace.find(word)
    return trace.learned[at].mean(axis=0), trace.contextual[at].mean(axis=0), len(at)


@cachetools.cached(cachetools.LRUCache(4), condition=Condition())
def _all_words(model: str) -> tuple[Array, Array]:
    """(words, d_embedding) and (words, d_model): of `WORDS`, as `_vectors`."""
    learned, contextual = [], []
    for word in WORDS:
        first, last, _ = _vectors(model, word)
        learned.append(first)
        contextual.append(last)
    return np.stack(learned), np.stack(contextual)


def _in_vocabulary(model: str, vector: Array, asked: Sequence[str]) -> tuple[Nearest, ...]:
    """The nearest tokens of the vocabulary: `SHOWN` even where the words of the sum are left out."""
    found = model_cache.model(model).nearest_words(vector, k=SHOWN + 2 * len(asked))
    return tuple(
        Nearest(one.text.strip(), one.value, one.text.strip().lower() in asked) for one in found
    )


def sums(model: str, typed: str) -> Sums:
    """The words nearest to a sum.

    Raises:
        PolyseeError: see `core.load` and `terms`; NotSupported: the model was trained here.
    """
    if session_models.is_own(model):
        raise NotSupported("This model was trained here: its vocabulary is too small for analogies.")
    model_cache.model(model)
    return _sums(model, typed)


@cachetools.cached(cachetools.LRUCache(answers.MOST_CACHED), condition=Condition())
def _sums(model: str, typed: str) -> Sums:
    parts = terms(typed)
    asked = tuple(part.word.lower() for part in parts)
    every = [_vectors(model, part.word) for part in parts]
    signs = [part.sign for part in parts]
    learned = total(signs, [one[0] for one in every])
    more = {word: one[1] for word, one in zip(asked, every, strict=True) if word not in WORDS}
    _, known = _all_words(model)
    rows = np.concatenate([known, *(vector[None] for vector in more.values())])
    contextual = total(signs, [one[1] for one in every])
    return Sums(
        tuple((part.word, one[2]) for part, one in zip(parts, every, strict=True)),
        _in_vocabulary(model, learned, asked),
        nearest(contextual, (*WORDS, *more), rows, asked=asked),
    )


@cachetools.cached(cachetools.LRUCache(8), condition=Condition())
def right(model: str, which: str) -> Right:
    """How many of our analogies come out right, by "learned" or "contextual" vectors."""
    vectors = dict(zip(WORDS, _all_words(model)[which == "contextual"], strict=True))

    def near(vector: Array, asked: Sequence[str]) -> tuple[Nearest, ...]:
        if which == "learned":
            return _in_vocabulary(model, vector, asked)
        return nearest(vector, WORDS, np.stack([*vectors.values()]), asked=asked)

    counts = np.zeros(3, int)
    for one in ANALOGIES:
        asked = one[:3]
        found = near(total((1, -1, 1), [vectors[word] for word in asked]), asked)
        alone = [answer(near(vectors[word], asked), leave_out=True).word for word in (one.a, one.c)]
        counts += [
            answer(found, leave_out=True).word == one.answer,
            answer(found, leave_out=False).word == one.answer,
            one.answer in alone,
        ]
    return Right(*counts.tolist())


def show(s: EmbeddingsState, model: str) -> None:
    """Both lists of the words that are nearest to the sum; below them, how often that is right."""
    typed = s.sum.get()
    pictures, choices = st.container(), st.container()
    with choices, row():
        presets(
            "Examples",
            {f"{one.sum} = {one.answer}": {s.sum: one.sum} for one in ANALOGIES},
            width=round(EXAMPLES * layout.scale()),
        )
        leave_out = toggle(
            s.leave_out,
            "Leave out the words of the sum",
            about="Published analogies never offer these words as answers.",
        )
    found = attempt(sums, model, typed)
    if found is None:
        return
    with pictures:
        for which, column in zip(TITLES, st.columns(2, gap="medium"), strict=True):
            with column:
                _one(model, which, typed, found, leave_out)
    if split := [f"{plain(word)} ({count})" for word, count in found.pieces if count > 1]:
        st.caption(f"Words of several tokens are the mean of their vectors: {', '.join(split)}.")
    st.markdown(_how_often(model))


def _one(model: str, which: str, typed: str, found: Sums, leave_out: bool) -> None:
    every = found.learned if which == "learned" else found.contextual
    shown = [one for one in every if not (leave_out and one.asked)][:SHOWN]
    first = shown[0]
    among = "the whole vocabulary" if which == "learned" else f"{len(found.contextual)} words"
    st.markdown(f"**{TITLES[which]}**, among {among}: {_says(typed, first, leave_out)}")
    picture = bars(
        [one.cosine for one in shown],
        [f"{one.word} (in the sum)" if one.asked else one.word for one in shown],
        unit="cosine with the sum",
        sentence=f"The {len(shown)} words nearest to the sum, by {TITLES[which].lower()}.",
        name=f"analogy-{which}",
        kind="signed",
        most=1,
        digits=2,
    )
    numbers = files.csv(lambda: pd.DataFrame(every).set_index("word"), f"analogy-{which}")
    figure.show(picture, f"analogy {which}", saved_as=[numbers], scale=layout.scale())


def _says(typed: str, first: Nearest, leave_out: bool) -> str:
    said = f"{plain(' '.join(typed.split()))} is nearest to **{plain(first.word)}**"
    if first.asked:
        return f"{said}, a word of the sum itself."
    return f"{said}, once the words of the sum are left out." if leave_out else f"{said}."


def _how_often(model: str) -> str:
    learned, contextual = (right(model, which) for which in TITLES)
    of = len(ANALOGIES)
    return (
        f"**How often this works.** Of our {of} analogies, {learned.without_asked} come out right "
        "by learned vectors if the words of the sum are left out, and "
        f"{learned.with_asked} if they are not. Without any sum, the word nearest to the first or to "
        f"the last word alone is already right in {learned.no_sum}. By contextual vectors, among "
        f"only {len(WORDS)} words, the three counts are {contextual.without_asked}, "
        f"{contextual.with_asked} and {contextual.no_sum}."
    )
