"""Embeddings: the paths of words through the layers, and how near vectors are."""

from __future__ import annotations

import streamlit as st

from pages.embeddings import views
from pages.embeddings.state import CONTROLS, LESSON, LINES, SECOND, TEXT, VIEW, VIEWS, arrive
from pages.embeddings.trajectories import section
from ui import layout, permalink, prose, widgets
from ui.models import model_cache
from ui.stored import hold, resume

STATE = (widgets.MODEL, *LESSON, layout.PROJECTOR)
SHOW = {
    "words": views.words,
    "path": section.show,
    "sentences": views.sentences,
}


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    view = str(st.session_state[VIEW.key])
    arrive(view)
    model = widgets.choose_model(load=model_cache.reader)
    layout.tools(STATE)
    layout.choose_view(VIEW, VIEWS)
    hold(*(p for controls_of in CONTROLS.values() for p in controls_of if p not in CONTROLS[view]))
    resume(*CONTROLS[view])
    if view == "sentences":
        st.text_area("Sentences, one a line", key=LINES.key, height=150)
    elif view == "path":
        with st.container(key="texts"):  # on a phone, one right below the other
            first, second = st.columns(2, gap="small")
        with first:
            widgets.text_box("Text", TEXT.key, placeholder="Text", named=False)
        with second:
            widgets.text_box("Text B", SECOND.key, placeholder="Text B, if you like", named=False)
    else:
        widgets.text_box("Text", TEXT.key, placeholder="Text", named=False)
    if model:
        SHOW[view](model)
    layout.try_this(words, LESSON)
    layout.footnotes(words)
    layout.publish(STATE)


page()
