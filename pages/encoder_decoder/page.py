"""Encoder–decoder: a small model translates, one word at a time, and shows what it attends to."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.encoder_decoder import (
    attention,
    captions,
    keyboard,
    query,
    state,
    steps,
    translator,
    vocabulary,
)
from pages.encoder_decoder.state import BLOCK, LESSON, STEP, TEMPERATURE, VIEW, chosen
from ui import layout, permalink, prose, widgets

STATE = (translator.MODEL, *LESSON, layout.PROJECTOR)


def page() -> None:
    permalink.restore(STATE)
    words = prose.read(__file__, query.prose_of(str(chosen(translator.MODEL))))
    layout.head(words)
    name = query.choose_model()
    layout.tools(STATE)
    if name is not None:
        typed = query.ask(name)
        if widgets.fits(typed, "The sentence") and query.knows_all(name, typed):
            _shown(name, typed)
        else:
            state.hold(*state.MAY_BE_AWAY)
        query.words(name)
    if name is not None:
        st.markdown(vocabulary.about(translator.model(name), translator.figures(name)))
    layout.try_this(words, LESSON, picture="translate-picture")
    layout.footnotes(words)
    keyboard.everywhere()
    layout.publish(STATE)


# It keeps what it is called with as long as the visitor stays: strings, no numbers.
@st.fragment
def _shown(name: str, typed: str) -> None:
    asked = steps.query_of(name, typed)
    found = widgets.attempt(translator.decoding, asked)
    if found is None:
        state.hold(*state.MAY_BE_AWAY)
        return
    state.bring(*(one.key for one in (STEP, TEMPERATURE, BLOCK, VIEW)))
    model = translator.model(name)
    known, called = translator.sentences(found.trace.encoder.tokens), vocabulary.sides(model)
    step = steps.choose_step(found, called.unit, _publish)
    st.caption(vocabulary.verdict(model, found, known))
    left, right = _places()
    with right:
        which, layer = attention.choose_place(found, called, _publish)
        above, picture, below = st.container(), st.container(key="translate picture"), st.container()
        with picture:
            attention.show(asked, found, (which, layer), known, called, _publish)
        (below if layout.scale() > 1 else above).html(captions.diagram(found, which, step, called))
    with left:
        steps.show(asked, found, step, called.unit, _publish)


def _places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """The next word, and what the model attends to; two matrices with large letters need it all."""
    if layout.scale() > 1 and st.session_state.get(VIEW.key) == "softmax":
        right = st.container()
        return st.container(), right
    left, right = st.columns([2, 5], gap="medium")
    return left, right


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


page()
