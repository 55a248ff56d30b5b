"""Embeddings: the paths of words through the layers, and how near vectors are."""

from __future__ import annotations

import streamlit as st

from ui import controls, embeddings, embeddings_path, frame, permalink, prose, shelf
from ui.embeddings_state import CONTROLS, LESSON, LINES, SECOND, TEXT, VIEW, VIEWS, arrive
from ui.held import hold, resume

STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)
SHOW = {
    "words": embeddings.words,
    "path": embeddings_path.show,
    "sentences": embeddings.sentences,
}


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    view = str(st.session_state[VIEW.key])
    arrive(view)
    model = controls.choose_model(load=shelf.reader)
    frame.tools(STATE)
    frame.choose_view(VIEW, VIEWS)
    hold(*(p for controls_of in CONTROLS.values() for p in controls_of if p not in CONTROLS[view]))
    resume(*CONTROLS[view])
    if view == "sentences":
        st.text_area("Sentences, one a line", key=LINES.key, height=150)
    elif view == "path":
        with st.container(key="texts"):  # on a phone, one right below the other
            first, second = st.columns(2, gap="small")
        with first:
            controls.text_box("Text", TEXT.key, placeholder="Text", named=False)
        with second:
            controls.text_box("Text B", SECOND.key, placeholder="Text B, if you like", named=False)
    else:
        controls.text_box("Text", TEXT.key, placeholder="Text", named=False)
    if model:
        SHOW[view](model)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


page()
