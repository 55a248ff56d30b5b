"""Training: a small transformer learns while one watches."""

from __future__ import annotations

import streamlit as st

from pages.training import captions, form, outcome, run_controls, sections
from pages.training.state import TrainingState
from ui import page

PULSE = 0.7  # seconds between two looks at a run that trains


def training(s: TrainingState) -> None:
    outcome.lost(s)
    recipe = form.show(s)
    run = s.shown_run()
    if recipe is not None or run is not None:
        polling = run is not None and run.active
        # The page asks again by itself only while something trains.
        page.part(_live, PULSE if polling else None, s, s.written(), polling)
    outcome.show(s, run)


def _live(s: TrainingState, written: str, polling: bool) -> None:
    """It keeps what it is called with as long as the visitor stays: a recipe as a word."""
    run = s.shown_run()
    if run is not None and run.active != polling:
        st.rerun()  # all of the page: it begins, or ends, to ask by itself
    if run is None:
        st.markdown(captions.not_started(written))
    else:
        run_controls.show(s, run)
    sections.show(s, sections.questions(s, written))


page.run(__file__, TrainingState, training)
