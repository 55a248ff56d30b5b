"""Training: a small transformer learns while you watch."""

from __future__ import annotations

import streamlit as st

from core.localization import _, each
from pages.training import captions, form, outcome, run_controls, sections
from pages.training.own_text import view
from pages.training.state import VIEWS, TrainingState
from ui import page
from ui.state import PRESENT, select

PULSE = 0.7  # seconds between two updates of a run in training


def training(s: TrainingState) -> None:
    def changed() -> None:  # another model has other layers and snapshots
        s.block.set("")
        for one in (s.step, s.layer, s.head):
            one.set(one.default)

    if select(s.view, each(VIEWS), _("View"), style="segments", changed=changed) == "text":
        view.show(s)
    else:
        _task(s)


def _task(s: TrainingState) -> None:
    outcome.lost(s)
    recipe = form.show(s)
    run = s.shown_run()
    if recipe is not None or run is not None:
        polling = run is not None and run.active
        # The page updates itself only while something is training.
        page.part(_live, PULSE if polling else None, s, s.written(), polling)
    outcome.show(s, run)


def _live(s: TrainingState, written: str, polling: bool) -> None:
    """The part that updates itself; its argument, which the session stores, is a recipe in one word."""
    run = s.shown_run()
    if run is not None and run.active != polling:
        st.rerun()  # rerun the whole page: it starts or stops updating itself
    if run is None:
        st.markdown(captions.not_started(written))
        if PRESENT.get():  # the form is left out in front of a class
            with st.container(key="presented-line-start"):
                form.start(s, written, "train presented start")
    else:
        run_controls.show(s, run)
    sections.show(s, sections.questions(s, written))


def variant(s: TrainingState) -> str:
    """The view of a text has its own words."""
    return "" if s.view.get() == TrainingState.view.default else s.view.get()


page.run(
    __file__,
    TrainingState,
    training,
    variant=variant,
    own_model=TrainingState.on_map,
    translated=True,
)
