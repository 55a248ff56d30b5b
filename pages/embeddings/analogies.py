"""Analogies as sums of vectors: the words nearest to a sum, by learned and by contextual vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import NotSupported
from core.examples.analogies import ANALOGIES, WORDS
from core.figures import bars, style
from core.localization import N_, _, gettext
from core.measures.analogy import Nearest, answer, has_direction, nearest, terms, total
from core.measures.attention import token_names
from core.memory import cached
from core.records.frozen import Array
from pages.embeddings import python
from pages.embeddings.state import FRAME, SHOWN, EmbeddingsState
from ui import figure, files, layout, same_in_python
from ui.layout import row
from ui.models import answers, model_cache, session_models
from ui.models.attempt import attempt
from ui.state import presets, toggle
from ui.text import all_unknown, plain, token_text

TITLES = {"learned": N_("Learned vectors"), "contextual": N_("Contextual vectors")}
EXAMPLES = 300  # pixels


class Sums(NamedTuple):
    """A sum, and the words nearest to it.

    Attributes:
        pieces: the tokens of each word of the sum.
        learned: the nearest of the whole vocabulary; none where the sum is 0.
        contextual: all of `WORDS`, and the words of the sum, the nearest first; as `learned`.
    """

    pieces: Mapping[str, tuple[str, ...]]
    learned: tuple[Nearest, ...]
    contextual: tuple[Nearest, ...]


class Vectors(NamedTuple):
    """A word in its frame: its learned and its last-layer vector, means over its tokens; the tokens."""

    learned: Array
    contextual: Array
    tokens: tuple[str, ...]


class Right(NamedTuple):
    """How many of `ANALOGIES` are solved, with or without the words of the sum; and without a sum.

    Attributes:
        without_asked: the nearest word that is not in the sum is the answer.
        with_asked: the nearest word of all is the answer.
        no_sum: the answer is nearest to the first word or to the last one alone.
    """

    without_asked: int
    with_asked: int
    no_sum: int


def _vectors(model: str, word: str) -> Vectors:
    """A word in its frame.

    Raises:
        NotSupported: the model has no token for it.
    """
    trace = answers.trace(model, FRAME.format(word))
    at = trace.find(word)
    if all_unknown(trace, at):
        name = model_cache.title(model)
        raise NotSupported(
            _("{name} has no token for “{word}”, and therefore no vector. Use another word.").format(
                name=name, word=word[:30]
            )
        )
    shown = token_names.names(trace)
    tokens = tuple(shown[i] for i in at)
    return Vectors(trace.learned[at].mean(axis=0), trace.contextual[at].mean(axis=0), tokens)


@cached()
def _all_words(model: str) -> tuple[Array, Array]:
    """(words, d_embedding) and (words, d_model): the vectors of `WORDS`, from `_vectors`."""
    learned, contextual = [], []
    for word in WORDS:
        found = _vectors(model, word)
        learned.append(found.learned)
        contextual.append(found.contextual)
    return np.stack(learned), np.stack(contextual)


def _in_vocabulary(model: str, vector: Array, asked: Sequence[str]) -> tuple[Nearest, ...]:
    """The nearest tokens in the vocabulary: at least `SHOWN` without the words of the sum."""
    found = model_cache.model(model).nearest_words(vector, k=SHOWN + 2 * len(asked))
    return tuple(
        Nearest(token_text(one.text, one.token), one.value, one.text.strip().lower() in asked)
        for one in found
    )


def sums(model: str, typed: str) -> Sums:
    """The words nearest to a sum.

    Raises:
        PolyseeError: see `core.load` and `terms`; NotSupported: if the model was trained here.
    """
    if session_models.is_own(model):
        raise NotSupported(_("This model was trained here: its vocabulary is too small for analogies."))
    model_cache.model(model)
    return _sums(model, typed)


@cached()
def _sums(model: str, typed: str) -> Sums:
    parts = terms(typed)
    asked = tuple(part.word.lower() for part in parts)
    every = [_vectors(model, part.word) for part in parts]
    signs = [part.sign for part in parts]
    learned, contextual = [one.learned for one in every], [one.contextual for one in every]
    more = {word: one.contextual for word, one in zip(asked, every, strict=True) if word not in WORDS}
    by_learned: tuple[Nearest, ...] = ()
    by_contextual: tuple[Nearest, ...] = ()
    if has_direction(signs, learned):
        by_learned = _in_vocabulary(model, total(signs, learned), asked)
    if has_direction(signs, contextual):
        _, known = _all_words(model)
        rows = np.concatenate([known, *(vector[None] for vector in more.values())])
        by_contextual = nearest(total(signs, contextual), (*WORDS, *more), rows, in_sum=asked)
    pieces = {part.word: one.tokens for part, one in zip(parts, every, strict=True)}
    return Sums(pieces, by_learned, by_contextual)


@cached()
def right(model: str, which: str) -> Right:
    """How many of our analogies are solved, by "learned" or "contextual" vectors."""
    vectors = dict(zip(WORDS, _all_words(model)[which == "contextual"], strict=True))

    def near(vector: Array, asked: Sequence[str]) -> tuple[Nearest, ...]:
        if which == "learned":
            return _in_vocabulary(model, vector, asked)
        return nearest(vector, WORDS, np.stack([*vectors.values()]), in_sum=asked)

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
    """Draw both lists of the words nearest to the sum, and how often such sums are right."""
    typed = s.sum.get()
    pictures, choices = st.container(), st.container()
    with choices, row():
        presets(
            _("Examples"),
            {f"{one.sum} = {one.answer}": {s.sum: one.sum} for one in ANALOGIES},
            width=round(EXAMPLES * layout.scale()),
        )
        leave_out = toggle(
            s.leave_out,
            _("Leave out the words of the sum"),
            about=_("Published analogies never offer these words as answers."),
        )
    found = attempt(sums, model, typed)
    if found is None:
        return
    with pictures:
        for which, column in zip(TITLES, st.columns(2, gap="medium"), strict=True):
            with column:
                _one(model, which, typed, found, leave_out)
        for word, tokens in found.pieces.items():
            if len(tokens) > 1:
                st.info(_of_pieces(model, word, tokens))
    st.markdown(_how_often(model))
    same_in_python.show(s.python, partial(python.analogy, model, typed, leave_out=leave_out), model)


def _of_pieces(model: str, word: str, tokens: Sequence[str]) -> str:
    """That a word is none of the model's own (Markdown)."""
    pieces = ", ".join(plain(style.token_name(one)) for one in tokens)
    return _(
        "“{word}” is not in the vocabulary of {model}. Its vector here is the mean of its {count} "
        "pieces: {pieces}. The model never learned it as one word, and the words near the sum "
        "therefore say little."
    ).format(
        word=plain(word), model=model_cache.markdown_title(model), count=len(tokens), pieces=pieces
    )


def _one(model: str, which: str, typed: str, found: Sums, leave_out: bool) -> None:
    every = found.learned if which == "learned" else found.contextual
    shown = [one for one in every if not (leave_out and one.in_sum)][:SHOWN]
    if not shown:
        st.markdown(f"**{gettext(TITLES[which])}**: {_zero(typed)}")
        return
    first = shown[0]
    title = (
        _("**{vectors}**, among the whole vocabulary")
        if which == "learned"
        else _("**{vectors}**, among {count} words")
    ).format(vectors=gettext(TITLES[which]), count=len(found.contextual))
    st.markdown(f"{title}: {_says(typed, first, leave_out)}")
    picture = bars(
        [one.cosine for one in shown],
        [style.token_name(one.word) + _(" (in the sum)") * one.in_sum for one in shown],
        unit=_("cosine with the sum"),
        sentence=_("The {count} words nearest to the sum. {vectors}.").format(
            count=len(shown), vectors=gettext(TITLES[which])
        ),
        name=f"analogy-{which}",
        kind="signed",
        from_zero=True,
        most=1,
        digits=2,
    )
    numbers = files.csv(partial(_table, every), f"analogy-{which}")
    figure.show(picture, f"analogy {which}", saved_as=[numbers], scale=layout.scale())


def _table(every: Sequence[Nearest]) -> pd.DataFrame:
    """The file: a row for each word. Its columns keep the names that they have always had."""
    return pd.DataFrame(every).set_index("word").rename(columns={"in_sum": "asked"})


def _says(typed: str, first: Nearest, leave_out: bool) -> str:
    if first.in_sum:
        said = _("{sum} is nearest to **{word}**, a word of the sum itself.")
    elif leave_out:
        said = _("{sum} is nearest to **{word}**, once the words of the sum are left out.")
    else:
        said = _("{sum} is nearest to **{word}**.")
    return said.format(sum=plain(" ".join(typed.split())), word=plain(style.token_name(first.word)))


def _zero(typed: str) -> str:
    """That a sum is 0 (Markdown)."""
    return _(
        "{sum} is the **zero vector**. It has no direction and no cosine with any word, and no word is "
        "nearest to it."
    ).format(sum=plain(" ".join(typed.split())))


def _how_often(model: str) -> str:
    learned, contextual = (right(model, which) for which in TITLES)
    of = len(ANALOGIES)
    return _(
        "**How often this works.** Of our {of} analogies, {without} come out right by learned vectors "
        "if the words of the sum are left out, and {with_them} if they are not. Without any sum, the "
        "word nearest to the first or to the last word alone is already right in {no_sum}. Contextual "
        "vectors have only {words} words to choose from. With them, {without_2} come out right if the "
        "words of the sum are left out, {with_them_2} if they are not, and {no_sum_2} without any sum."
    ).format(
        of=of,
        without=learned.without_asked,
        with_them=learned.with_asked,
        no_sum=learned.no_sum,
        words=len(WORDS),
        without_2=contextual.without_asked,
        with_them_2=contextual.with_asked,
        no_sum_2=contextual.no_sum,
    )
