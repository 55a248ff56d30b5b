"""Positions: how a transformer knows where a word stands, in three ways."""

from __future__ import annotations

import streamlit as st

from ui import controls, frame, permalink, positions_views, prose
from ui.held import hold, resume
from ui.positions_state import (
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

STATE = (controls.MODEL, *LESSON, frame.PROJECTOR)
ON_PAGE = {  # the controls of each view
    "sinusoidal": (*TABLE, PLACE, DIMENSION, STEP),
    "learned": (controls.MODEL, PLACE, DIMENSION),
    "rotary": (LENGTH, BASE, QUERY, KEY, M, N),
}


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    view = str(st.session_state[VIEW.key])
    frame.choose_view(VIEW, VIEWS)
    resume(*ON_PAGE[view])
    positions_views.OF[view]()
    hold(*({*STATE} - {VIEW, frame.PROJECTOR, *ON_PAGE[view]}))
    frame.tools(STATE)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


page()
