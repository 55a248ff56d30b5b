"""Step by step: one sentence through one layer, every number."""

from __future__ import annotations

import streamlit as st

from ui import (
    answers,
    controls,
    frame,
    permalink,
    prose,
    shelf,
    steps_edit,
    steps_made,
    steps_views,
    text,
)
from ui.held import hold, resume
from ui.steps_state import LESSON, SIZE, SIZES, TEXT, TINY_TEXT, VIEW, VIEWS, chosen

STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    tiny = _choose_size() == "1"
    if tiny:  # no other model has a part in it
        hold(controls.MODEL, TEXT)
        resume(TINY_TEXT)
        model = None
    else:
        resume(controls.MODEL, TEXT)
        hold(TINY_TEXT)
        model = controls.choose_model(load=shelf.reader)
    frame.tools(STATE)
    frame.choose_view(VIEW, VIEWS)
    if tiny:
        st.text_input("Text: up to four of the, more, less, merrier, better", key=TINY_TEXT.key)
    else:
        st.text_input("Text", key=TEXT.key)
    if tiny:
        _shown(None, str(chosen(TINY_TEXT)))
    elif model and controls.fits(str(chosen(TEXT)), "The text"):
        _shown(model, str(chosen(TEXT)))
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


def _choose_size() -> str:
    return st.sidebar.radio(
        "Numbers",
        list(SIZES),
        key=SIZE.key,
        format_func=lambda size: SIZES[size],
        help="The tiny model has four words of six numbers, all to be changed. The paper's has six "
        "layers of 512 numbers and eight heads; its numbers are drawn at random, as before training.",
    )


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


# It keeps what it is called with as long as the visitor stays: strings, no steps.
@st.fragment
def _shown(model: str | None, typed: str) -> None:
    show = steps_views.OF[chosen(VIEW)]
    read = None
    if model is not None:
        paper = chosen(SIZE) == "paper"
        read = controls.attempt(steps_made.sentence, model, typed, paper=paper)
        if read is None or not controls.reads(answers.trace(model, read.text), read.text, "The text"):
            return
        if read.cut:
            st.caption(
                f"This page shows 16 pieces: the text is cut after “{text.plain(read.text[-30:])}”."
            )
    controls.attempt(show, model, read, _publish)
    if model is None:
        steps_edit.edit(_publish)


page()
