"""Step by step: one sentence through one layer, every number."""

from __future__ import annotations

import streamlit as st

from pages.step_by_step import records, tiny_numbers, views
from ui import layout, permalink, prose, text, widgets
from ui.choices import LESSON, SIZE, SIZES, TEXT, TINY_TEXT, VIEW, VIEWS, chosen
from ui.models import answers, model_cache
from ui.stored import hold, resume

STATE = (widgets.MODEL, *LESSON, layout.PROJECTOR)


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    tiny = _choose_size() == "1"
    if tiny:  # no other model has a part in it
        hold(widgets.MODEL, TEXT)
        resume(TINY_TEXT)
        model = None
    else:
        resume(widgets.MODEL, TEXT)
        hold(TINY_TEXT)
        model = widgets.choose_model(load=model_cache.reader)
    layout.tools(STATE)
    layout.choose_view(VIEW, VIEWS)
    if tiny:
        st.text_input("Text: up to four of the, more, less, merrier, better", key=TINY_TEXT.key)
    else:
        st.text_input("Text", key=TEXT.key)
    if tiny:
        _shown(None, str(chosen(TINY_TEXT)))
    elif model and widgets.fits(str(chosen(TEXT)), "The text"):
        _shown(model, str(chosen(TEXT)))
    layout.try_this(words, LESSON)
    layout.footnotes(words)
    layout.publish(STATE)


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
    show = views.OF[chosen(VIEW)]
    read = None
    if model is not None:
        paper = chosen(SIZE) == "paper"
        read = widgets.attempt(records.sentence, model, typed, paper=paper)
        if read is None or not widgets.reads(answers.trace(model, read.text), read.text, "The text"):
            return
        if read.cut:
            st.caption(
                f"This page shows 16 pieces: the text is cut after “{text.plain(read.text[-30:])}”."
            )
    widgets.attempt(show, model, read, _publish)
    if model is None:
        tiny_numbers.edit(_publish)


page()
