"""How a run stands, and what can be done with it: pause, go on, one snapshot, stop, another rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import SettingError
from pages.training import captions, state
from pages.training.state import BESIDE, NEWEST, RUN, STEP, chosen
from ui.models.session_models import this_session, training_queue
from ui.widgets import keep

if TYPE_CHECKING:
    from core.tasks.training.run import Run

Changed = Callable[[], None]
# The boxes go where there is nothing to choose; what is chosen must not go with them. Each begun run
# gives them new names: a browser that looks again before it has been told of that run would put the
# one before it back.
_SHOWN, _BESIDE = "train shown {}", "train compared {}"
_SAID = "train rate refused"


def show(run: Run, changed: Changed) -> None:
    """Draw how it stands, its buttons, and the choice among this visitor's runs.

    Args:
        run: the one that is shown.
        changed: called after a choice that belongs into the link.
    """
    over = run.state in ("done", "stopped", "failed")
    left, right = st.columns([4, 12], vertical_alignment="bottom", gap="medium")
    left.progress(run.step / run.recipe.steps, captions.progress(run, training_queue()))
    with right.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        if not over:  # what has ended cannot go on: a new run begins with Start
            _buttons(run)
        _choose_runs(changed)
    of, refused = st.session_state.get(_SAID, ("", ""))
    with st.container():  # always there, so that what stands below stays what it is
        if of == run.name and not over:
            st.warning(refused)


def _buttons(run: Run) -> None:
    """What can be done with a run that has not ended."""
    if run.active:
        st.button("Pause", key="train pause", on_click=_pause, args=(run.name,))
    else:
        st.button("Go on", key="train on", on_click=_go, args=(run.name,))
    st.button(
        "One snapshot",
        key="train one",
        on_click=_go,
        args=(run.name, 1),
        disabled=run.active,
        help=f"Up to {run.every} steps further, and pause.",
    )
    st.button(
        "Stop",
        key="train stop",
        on_click=_stop,
        args=(run.name,),
        help="End it here, for good. The model stays as it is.",
    )
    _choose_rate(run)


def _go(name: str, snapshots: int | None = None) -> None:
    this_session().go(name, snapshots)
    st.session_state[STEP.key] = NEWEST


def _pause(name: str) -> None:
    if name in this_session().runs:
        training_queue().pause(this_session().runs[name])


def _stop(name: str) -> None:
    if name in this_session().runs:
        training_queue().stop(this_session().runs[name])


def _choose_rate(run: Run) -> None:
    """The learning rate, which can be changed while it trains."""
    key = f"train rate {run.name}"
    st.session_state.setdefault(key, run.learning_rate)

    def take() -> None:
        here = this_session().runs.get(key.removeprefix("train rate "))
        value = st.session_state[key]
        st.session_state.pop(_SAID, None)
        if here is None:
            return
        try:
            if value is not None:  # an emptied box
                here.learning_rate = value
        except SettingError:
            # Said until the next try: a page that watches a run is drawn again at once.
            said = captions.refused("Rate now", "learning_rate", value, here.learning_rate)
            st.session_state[_SAID] = (here.name, said)
        if value != here.learning_rate:
            st.session_state[key] = here.learning_rate

    st.number_input(
        "Rate now",
        value=None,
        step=0.001,
        format="%g",
        key=key,
        on_change=take,
        width=170,
        help="The highest of its schedule. A model whose rate was changed cannot be trained again by "
        "its recipe alone; its file says when it was changed.",
    )


def _choose_runs(changed: Changed) -> None:
    """Which run is shown, and which one beside it."""
    runs = this_session().runs
    if len(runs) < 2:
        return
    numbers = this_session().numbers
    titles = {name: captions.title(one, numbers[name]) for name, one in runs.items()}
    beside = {name: captions.beside(one, numbers[name]) for name, one in runs.items()}
    shown = runs[chosen(RUN)]
    same = [name for name, one in runs.items() if one.recipe.task == shown.recipe.task]
    others = ["", *(name for name in same if name != shown.name)]
    if chosen(BESIDE) not in others:
        st.session_state[BESIDE.key] = ""
    box, beside_it = _SHOWN.format(this_session().begun), _BESIDE.format(this_session().begun)
    keep(box, shown.name)
    keep(beside_it, chosen(BESIDE))

    def take() -> None:
        st.session_state[RUN.key] = st.session_state[box]
        st.session_state[state.RECIPE.key] = ""
        st.session_state[STEP.key] = NEWEST
        changed()

    def compare() -> None:
        st.session_state[BESIDE.key] = st.session_state[beside_it]
        changed()

    st.selectbox(
        "Run",
        [*titles],
        index=[*titles].index(shown.name),
        key=box,
        format_func=titles.__getitem__,
        on_change=take,
        width=130,
    )
    st.selectbox(
        "Compare with",
        others,
        index=others.index(chosen(BESIDE)),
        key=beside_it,
        format_func=lambda name: beside.get(name, "none"),
        on_change=compare,
        width=175,
        help="Two runs of one task: both curves, and both maps at the same step.",
    )
