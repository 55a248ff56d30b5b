"""The state of a run, and its controls: pause, continue, one snapshot, stop, another learning rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.errors import SettingError
from core.localization import _, pgettext
from pages.training import captions
from pages.training.state import NEWEST, TrainingState
from ui import state
from ui.models.session_models import this_session, training_queue

if TYPE_CHECKING:
    from core.tasks.training.run import Run

# The lists of runs disappear while there is nothing to choose, but the choices must not. Each new run
# gives the lists new names: otherwise a browser that updates before it knows of that run would restore
# the one before.
_SHOWN, _BESIDE = "train shown {}", "train compared {}"
# the run, and why its rate was not changed
_REFUSED = state.SessionValue("train rate refused", ("", ""))


def show(s: TrainingState, run: Run) -> None:
    """Draw the state of the run, its buttons, and the choice among this visitor's runs."""
    over = run.state in ("done", "stopped", "failed")
    left, right = st.columns([4, 12], vertical_alignment="bottom", gap="medium")
    left.progress(run.step / run.recipe.steps, captions.progress(run, training_queue()))
    with right.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        if not over:  # a finished run cannot continue: Start begins a new one
            _buttons(s, run)
        _choose_runs(s)
    # A page that watches a run is soon drawn again, so the message is stored until the next attempt.
    of, refused = _REFUSED.get() if run.active else _REFUSED.take()
    with st.container():  # always present, so that elements below keep their identity
        if of == run.name and not over:
            st.warning(refused)


def _buttons(s: TrainingState, run: Run) -> None:
    """The controls of a run that has not ended."""
    if run.active:
        st.button(_("Pause"), key="train pause", on_click=_pause, args=(run.name,))
    else:
        st.button(_("Continue"), key="train on", on_click=_go, args=(s, run.name))
    st.button(
        _("One snapshot"),
        key="train one",
        on_click=_go,
        args=(s, run.name, 1),
        disabled=run.active,
        help=_("Trains up to {count} more steps, then pauses.").format(count=run.every),
    )
    st.button(
        _("Stop"),
        key="train stop",
        on_click=_stop,
        args=(run.name,),
        help=_("Ends the run for good. The model stays as it is."),
    )
    _choose_rate(run)


def _go(s: TrainingState, name: str, snapshots: int | None = None) -> None:
    this_session().go(name, snapshots)
    s.step.set(NEWEST)


def _pause(name: str) -> None:
    if name in this_session().runs:
        training_queue().pause(this_session().runs[name])


def _stop(name: str) -> None:
    if name in this_session().runs:
        training_queue().stop(this_session().runs[name])


def _choose_rate(run: Run) -> None:
    """Choose the learning rate, which can be changed during training."""

    def take(value: float) -> None:
        _REFUSED.set(_REFUSED.default)
        try:
            run.learning_rate = value
        except SettingError:
            reason = captions.refused(_("Rate now"), "learning_rate", value, run.learning_rate)
            _REFUSED.set((run.name, reason))

    state.entry(
        state.Part(f"train rate {run.name}", lambda: run.learning_rate, take),
        _("Rate now"),
        step=0.001,
        width=170,
        about=_(
            "The learning rate at the peak of its schedule. If you change the rate, the recipe alone "
            "no longer reproduces the model; its file records when the rate was changed."
        ),
    )


def _choose_runs(s: TrainingState) -> None:
    """Choose the run to show, and one to compare it with."""
    own = this_session()
    if len(own.runs) < 2:
        return
    titles = {name: captions.title(one, own.numbers[name]) for name, one in own.runs.items()}
    beside = {name: captions.beside(one, own.numbers[name]) for name, one in own.runs.items()}
    shown = own.runs[s.run.get()]
    same = [name for name, one in own.runs.items() if one.recipe.task == shown.recipe.task]
    others = {
        "": pgettext("of trainings", "none"),
        **{name: beside[name] for name in same if name != shown.name},
    }

    def take(name: str) -> None:
        s.run.set(name)
        s.recipe.set("")
        s.step.set(NEWEST)

    state.select(state.Part(_SHOWN.format(own.begun), s.run.get, take), titles, _("Run"), width=130)
    state.select(
        state.Part(_BESIDE.format(own.begun), s.beside.get, s.beside.set),
        others,
        _("Compare with"),
        width=175,
        about=_("Shows a second run of the same task: its curves, and its map at the same step."),
    )
