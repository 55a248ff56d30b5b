"""Encoder–decoder: a small model of ours translates, one word at a time, and shows where it looks."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import (
    controls,
    frame,
    permalink,
    prose,
    translation_ask,
    translation_keys,
    translation_look,
    translation_say,
    translation_state,
    translation_steps,
    translation_words,
    translator,
)
from ui.translation_state import LESSON, SITE, STEP, TEMPERATURE, VIEW, chosen

STATE = (translator.MODEL, *LESSON, frame.PROJECTOR)


def page() -> None:
    permalink.restore(STATE)
    words = prose.read(__file__, translation_ask.prose_of(str(chosen(translator.MODEL))))
    frame.head(words)
    name = translation_ask.choose_model()
    frame.tools(STATE)
    if name is not None:
        typed = translation_ask.ask(name)
        if controls.fits(typed, "The sentence") and translation_ask.knows_all(name, typed):
            _shown(name, typed)
        else:
            translation_state.hold(*translation_state.MAY_BE_AWAY)
        translation_ask.words(name)
    if name is not None:
        st.markdown(translation_words.about(translator.model(name), translator.figures(name)))
    frame.try_this(words, LESSON, picture="translate-picture")
    frame.footnotes(words)
    translation_keys.everywhere()
    frame.publish(STATE)


# It keeps what it is called with as long as the visitor stays: strings, no numbers.
@st.fragment
def _shown(name: str, typed: str) -> None:
    asked = translation_steps.asked(name, typed)
    found = controls.attempt(translator.decoding, asked)
    if found is None:
        translation_state.hold(*translation_state.MAY_BE_AWAY)
        return
    translation_state.bring(*(one.key for one in (STEP, TEMPERATURE, SITE, VIEW)))
    model = translator.model(name)
    known, called = translator.sentences(found.trace.encoder.tokens), translation_words.sides(model)
    step = translation_steps.choose_step(found, called.unit, _publish)
    st.caption(translation_words.verdict(model, found, known))
    left, right = _places()
    with right:
        which, layer = translation_look.choose_place(found, called, _publish)
        above, picture, below = st.container(), st.container(key="translate picture"), st.container()
        with picture:
            translation_look.show(asked, found, (which, layer), known, called, _publish)
        (below if frame.scale() > 1 else above).html(
            translation_say.diagram(found, which, step, called)
        )
    with left:
        translation_steps.show(asked, found, step, called.unit, _publish)


def _places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """For the next word, and for where the model looks; two matrices with large letters need it all."""
    if frame.scale() > 1 and st.session_state.get(VIEW.key) == "softmax":
        right = st.container()
        return st.container(), right
    left, right = st.columns([2, 5], gap="medium")
    return left, right


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


page()
