"""Training: a small transformer learns while one watches."""

from __future__ import annotations

import streamlit as st

from ui import (
    frame,
    permalink,
    prose,
    training_form,
    training_kept,
    training_run,
    training_say,
    training_shown,
    training_state,
)
from ui.training_state import LESSON

STATE = (*LESSON, frame.PROJECTOR)
PULSE = 0.7  # seconds between two looks at a run that trains


def page() -> None:
    words = prose.read(__file__)
    frame.head(words)
    permalink.restore(STATE)
    frame.tools(STATE)
    training_kept.lost()
    recipe = training_form.show()
    run = training_state.run()
    if recipe is not None or run is not None:
        polling = run is not None and run.active
        # The page asks again by itself only while something trains.
        st.fragment(_live, run_every=PULSE if polling else None)(training_state.recipe(), polling)
    training_kept.show(run)
    frame.try_this(words, LESSON)
    frame.footnotes(words)
    frame.publish(STATE)


def _live(written: str, polling: bool) -> None:
    """It keeps what it is called with as long as the visitor stays: a recipe as a word."""
    run = training_state.run()
    if run is not None and run.active != polling:
        st.rerun()  # all of the page: it begins, or ends, to ask by itself
    if run is None:
        st.markdown(training_say.not_started(written))
    else:
        training_run.show(run, _publish)
    training_shown.show(training_shown.questions(written), _publish)


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


page()
