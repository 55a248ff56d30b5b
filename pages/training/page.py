"""Training: a small transformer learns while one watches."""

from __future__ import annotations

import streamlit as st

from pages.training import captions, form, outcome, run_controls, sections, state
from pages.training.state import LESSON
from ui import layout, permalink, prose

STATE = (*LESSON, layout.PROJECTOR)
PULSE = 0.7  # seconds between two looks at a run that trains


def page() -> None:
    words = prose.read(__file__)
    layout.head(words)
    permalink.restore(STATE)
    layout.tools(STATE)
    outcome.lost()
    recipe = form.show()
    run = state.run()
    if recipe is not None or run is not None:
        polling = run is not None and run.active
        # The page asks again by itself only while something trains.
        st.fragment(_live, run_every=PULSE if polling else None)(state.recipe(), polling)
    outcome.show(run)
    layout.try_this(words, LESSON)
    layout.footnotes(words)
    layout.publish(STATE)


def _live(written: str, polling: bool) -> None:
    """It keeps what it is called with as long as the visitor stays: a recipe as a word."""
    run = state.run()
    if run is not None and run.active != polling:
        st.rerun()  # all of the page: it begins, or ends, to ask by itself
    if run is None:
        st.markdown(captions.not_started(written))
    else:
        run_controls.show(run, _publish)
    sections.show(sections.questions(written), _publish)


def _publish() -> None:
    """A fragment runs alone, without the end of the page."""
    permalink.publish(STATE)


page()
