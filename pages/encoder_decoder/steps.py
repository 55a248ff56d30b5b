"""One word after the other: the steps, the predictions at each, and other words in its place."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from core.errors import PolyseeError
from core.figures import Picture, bars
from core.localization import N_, _, decimal, gettext
from core.records.prediction import Prediction, probabilities
from core.tasks.languages.vocabulary import START
from pages.encoder_decoder import blocks, translator
from pages.encoder_decoder.published import Published, code
from pages.encoder_decoder.state import TranslationState, write_forced
from pages.encoder_decoder.translator import TranslationQuery
from ui import figure, files, layout, state, text
from ui.lessons import route

if TYPE_CHECKING:
    from core.tasks import Decoding

SHOWN = 8  # words at a step
_LITTLE = 5e-5  # a probability that four decimals would write as 0
BY_HAND = "✎ "  # marks a word that a visitor chose
_UNSEEN = "\u2060"  # a word joiner, which screen readers skip


# What is said of a step, by what it writes.
_NEXT = {"word": N_("Next word →"), "letter": N_("Next letter →"), "token": N_("Next token →")}
_NEXT_AFTER = {
    "word": N_("**The next word** after *{read}*"),
    "letter": N_("**The next letter** after *{read}*"),
    "token": N_("**The next token** after *{read}*"),
}
_INSTEAD = {
    "word": N_(
        "Click a bar, or press Enter on it, to write that word instead. All words without a bar, "
        "together: {rest}."
    ),
    "letter": N_(
        "Click a bar, or press Enter on it, to write that letter instead. All letters without a bar, "
        "together: {rest}."
    ),
    "token": N_(
        "Click a bar, or press Enter on it, to write that token instead. All tokens without a bar, "
        "together: {rest}."
    ),
}
_SURE = {
    "word": N_(
        "Click a bar, or press Enter on it, to write that word instead. All words but *{first}* share "
        "less than 0.0001."
    ),
    "letter": N_(
        "Click a bar, or press Enter on it, to write that letter instead. All letters but *{first}* "
        "share less than 0.0001."
    ),
    "token": N_(
        "Click a bar, or press Enter on it, to write that token instead. All tokens but *{first}* "
        "share less than 0.0001."
    ),
}
_OWN = {
    "word": N_("You wrote *{wrote}*; the model’s own word is *{own}*."),
    "letter": N_("You wrote *{wrote}*; the model’s own letter is *{own}*."),
    "token": N_("You wrote *{wrote}*; the model’s own token is *{own}*."),
}
_OWN_ALL = {
    "word": N_("The model’s words"),
    "letter": N_("The model’s letters"),
    "token": N_("The model’s tokens"),
}


def query_of(s: TranslationState, name: str, typed: str) -> TranslationQuery:
    """The query with the words that are now chosen; any that the model cannot write are forgotten.

    Raises:
        PolyseeError: see `pages.encoder_decoder.translator.model`.
    """
    model = translator.model(name)
    if isinstance(model, Published):
        forced = {at: word for at, word in s.words().items() if model.number(word) is not None}
    else:
        known = frozenset(model.target.words) - {START}
        forced = {at: word for at, word in s.words().items() if word in known}
    s.forced.set(write_forced(forced))
    return TranslationQuery(name, typed, tuple(sorted(forced.items())))


def by_hand(decoding: Decoding) -> tuple[int, ...]:
    """The steps, from 0, at which the word is not the likeliest one."""
    return tuple(i for i, word in enumerate(decoding.tokens) if word != decoding.likeliest(i))


def choose_step(s: TranslationState, decoding: Decoding, unit: str) -> int:
    """Choose a step: back, the next word or letter (`unit`), or any; returned from 0."""
    last = len(decoding.tokens)
    at = min(s.step.get(), last)
    s.step.set(at)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not route.scene():  # which has its own Back and Next
            _button(s, _("← Back"), "B", -1, last)
            _button(s, gettext(_NEXT[unit]), "N", 1, last)
        named = dict(enumerate(names(decoding), 1))
        state.select(s.step, named, _("Translation"), style="segments", wrap=True)
    return at - 1


def names(decoding: Decoding) -> tuple[str, ...]:
    """The name of each step (Markdown): the word that it writes, marked if a visitor chose it."""
    other = by_hand(decoding)
    seen = Counter[str]()
    named = []
    for step, word in enumerate(decoding.tokens):
        name = text.plain((BY_HAND if step in other else "") + word)
        # The browser identifies a clicked option by its name: no two may be equal.
        named.append(name + _UNSEEN * seen[name])
        seen[name] += 1
    return tuple(named)


def _button(s: TranslationState, label: str, key: str, by: int, last: int) -> None:
    def go() -> None:
        # Start from the visitor's current step: a second key press may come before the page has
        # answered.
        s.step.set(min(max(s.step.get() + by, 1), last))

    st.button(
        label,
        key=f"translate {key}",
        type="primary" if key == "N" else "secondary",
        disabled=not 1 <= s.step.get() + by <= last,
        on_click=go,
        shortcut=key,
    )


def top(decoding: Decoding, step: int, temperature: float) -> Prediction:
    """The likeliest words of a step."""
    return decoding.expectations[step].top(SHOWN, temperature)


def picture(decoding: Decoding, step: int, temperature: float) -> Picture:
    """The same as bars, with the written word framed; it is included even if it is unlikely."""
    words, shares, ids = _offered(decoding, step, temperature)
    before = " ".join(blocks.reads(decoding)[: step + 1])
    return bars(
        shares,
        words,
        unit=_("probability"),
        sentence=_("The most likely words after “{before}”.").format(before=before),
        name=f"word-{step + 1}",
        chosen=ids.index(decoding.ids[step]),
        most=1.0,
    )


def offered(decoding: Decoding, step: int, temperature: float) -> tuple[list[str], list[float]]:
    """The words of the bars, and their probabilities."""
    words, shares, _ids = _offered(decoding, step, temperature)
    return words, shares


def _offered(
    decoding: Decoding, step: int, temperature: float
) -> tuple[list[str], list[float], list[int]]:
    """The same, with the ids of the words."""
    best = top(decoding, step, temperature)
    words, shares, ids = [*best.tokens], [float(p) for p in best.probabilities], [*best.ids]
    if decoding.ids[step] not in ids:
        p = probabilities(decoding.expectations[step].logits, temperature)
        words[-1], ids[-1] = decoding.tokens[step], decoding.ids[step]
        shares[-1] = float(p[decoding.ids[step]])
    return words, shares, ids


def _code(query: TranslationQuery, number: int, word: str) -> str:
    """How the link names a word that is written instead."""
    return code(number) if translator.is_published(query.name) else word


def _write(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, step: int, number: int, word: str
) -> None:
    own = _code(query, decoding.likeliest_id(step), decoding.likeliest(step))
    s.write_instead(step, _code(query, number, word), own)


def show(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, step: int, unit: str
) -> None:
    """Draw the model's predictions at a step; a click on a bar writes its word.

    Args:
        s: the state of the page.
        query: the query; the session stores it, so it holds no arrays.
        decoding: its result.
        step: from 0.
        unit: what a step writes, "word" or "letter".
    """
    temperature = s.temperature.get()
    read = text.plain(blocks.reads(decoding)[step])
    st.markdown(gettext(_NEXT_AFTER[unit]).format(read=read))
    figure.show(
        picture(decoding, step, temperature),
        "translate bars",
        on_bar=partial(_take, s, query, step),
        saved_as=[files.csv(partial(table, query, step, temperature), f"word-{step + 1}")],
        scale=layout.scale(),
    )
    best = top(decoding, step, temperature)
    st.caption(_others(best, unit))
    _by_hand(s, decoding, step, unit)
    _drawing(s, query, step)


def _others(best: Prediction, unit: str) -> str:
    """How little is left for what the bars do not show, or for all but the first of them."""
    if 1 - float(best.probabilities[0]) < _LITTLE:
        return gettext(_SURE[unit]).format(first=text.plain(best.tokens[0]))
    rest = decimal(f"{best.rest:.4f}") if best.rest >= _LITTLE else _("less than 0.0001")
    return gettext(_INSTEAD[unit]).format(rest=rest)


def table(query: TranslationQuery, step: int, temperature: float) -> pd.DataFrame:
    """The likeliest words of the vocabulary at a step, in descending order."""
    expected = translator.decoding(query).expectations[step]
    p = probabilities(expected.logits, temperature)
    order = np.array(expected.ids)
    columns = {"probability": p[order], "logit": expected.logits[order]}
    return pd.DataFrame(columns, pd.Index(expected.tokens, name="word"))


def _by_hand(s: TranslationState, decoding: Decoding, step: int, unit: str) -> None:
    """Show the chosen word, and a button to take it back."""
    other = by_hand(decoding)
    if step in other:
        own = text.plain(decoding.likeliest(step))
        wrote = text.plain(decoding.tokens[step])
        st.markdown(gettext(_OWN[unit]).format(wrote=wrote, own=own))
    if other:
        with st.container(horizontal=True, gap="small"):
            st.button(_("Undo"), key="translate undo", on_click=s.take_back)
            st.button(gettext(_OWN_ALL[unit]), key="translate own", on_click=s.own_words)


def _drawing(s: TranslationState, query: TranslationQuery, step: int) -> None:
    """Controls to sample a word instead of taking the likeliest."""
    state.slider(
        s.temperature,
        _("Temperature"),
        step=0.1,
        about=_(
            "Scores are divided by the temperature before the softmax. Below 1, the most likely word "
            "gains; above 1, the others gain. The most likely word stays the same."
        ),
    )
    with st.container(horizontal=True, gap="small"):
        st.button(_("Sample one"), key="translate draw", on_click=_draw, args=(s, query, step))
        st.button(_("Sample all"), key="translate draw all", on_click=_draw_all, args=(s, query))


def _take(s: TranslationState, query: TranslationQuery, step: int, index: int) -> None:
    """Write the word of a bar."""
    try:
        decoding = translator.decoding(query)
    except PolyseeError:
        return  # if it has gone in the meantime, the next run says so
    if step < len(decoding.tokens):
        words, _, ids = _offered(decoding, step, s.temperature.get())
        if 0 <= index < len(words) and words[index] != START:
            _write(s, query, decoding, step, ids[index], words[index])


def _draw(s: TranslationState, query: TranslationQuery, step: int) -> None:
    """Sample a word with the probabilities shown."""
    try:
        decoding = translator.decoding(query)
    except PolyseeError:
        return
    if step < len(decoding.tokens):
        expected = decoding.expectations[step]
        p = probabilities(expected.logits, s.temperature.get())
        (which,) = random.choices(range(len(expected.ids)), [p[i] for i in expected.ids])
        _write(s, query, decoding, step, expected.ids[which], expected.tokens[which])


def _draw_all(s: TranslationState, query: TranslationQuery) -> None:
    """Sample the whole translation."""
    from core.tasks import Chance

    temperature, seed, most = s.temperature.get(), random.getrandbits(31), translator.MOST_WRITTEN
    try:
        model = translator.model(query.name)
        if isinstance(model, Published):
            made = model.sample(query.text, temperature, seed, max_tokens=most)
            other = {i: code(number) for i in by_hand(made) for number in (made.ids[i],)}
        else:
            steps = model.steps_of(query.text, chance=Chance(temperature, seed=seed), max_tokens=most)
            other = {
                i: one.token for i, one in enumerate(steps) if one.token != one.expectation.tokens[0]
            }
    except PolyseeError:
        return
    s.forced.set(write_forced(other))
