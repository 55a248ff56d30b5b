"""Embeddings: how near two words, or two sentences, are to a model."""

from __future__ import annotations

import streamlit as st

from ui import controls, embeddings, frame, permalink, prose
from ui.embeddings_state import LESSON, LINES, TEXT, VIEW, VIEWS
from ui.held import hold, resume

STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)
ONLY_WORDS = tuple(p for p in LESSON if p.short in ("l", "sp"))


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    view = str(st.session_state[VIEW.key])
    model = controls.choose_model()
    frame.tools(STATE)
    st.segmented_control(
        "View",
        [*VIEWS],
        key=VIEW.key,
        format_func=VIEWS.__getitem__,
        required=True,
        label_visibility="collapsed",
    )
    if view == "words":
        hold(LINES)
        resume(TEXT, *ONLY_WORDS)
        st.text_input("Text", key=TEXT.key)
    else:
        hold(TEXT, *ONLY_WORDS)
        resume(LINES)
        st.text_area("Sentences, one a line", key=LINES.key, height=150)
    if model:
        (embeddings.words if view == "words" else embeddings.sentences)(model)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


page()
