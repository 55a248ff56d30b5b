"""Positions: how a transformer knows where a word stands, in three ways."""

from __future__ import annotations

import streamlit as st

from pages.positions import views
from pages.positions.state import (
    BASE,
    DIMENSION,
    KEY,
    LENGTH,
    LESSON,
    PLACE,
    QUERY,
    STEP,
    TABLE,
    VIEW,
    VIEWS,
    M,
    N,
)
from ui import layout, permalink, prose, widgets
from ui.stored import hold, resume

STATE = (widgets.MODEL, *LESSON, layout.PROJECTOR)
ON_PAGE = {  # the controls of each view
    "sinusoidal": (*TABLE, PLACE, DIMENSION, STEP),
    "learned": (widgets.MODEL, PLACE, DIMENSION),
    "rotary": (LENGTH, BASE, QUERY, KEY, M, N),
}


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    view = str(st.session_state[VIEW.key])
    layout.choose_view(VIEW, VIEWS)
    resume(*ON_PAGE[view])
    views.OF[view]()
    hold(*({*STATE} - {VIEW, layout.PROJECTOR, *ON_PAGE[view]}))
    layout.tools(STATE)
    layout.try_this(words, LESSON)
    layout.footnotes(words)
    layout.publish(STATE)


page()
