"""What is chosen on the Training page: the recipe of the form, the run, the snapshot, the head."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import SettingError
from ui import permalink
from ui.models.session_models import recipe_of, this_session
from ui.permalink import Parameter

if TYPE_CHECKING:
    from core.tasks.training.run import Run

FIRST = "reverse"  # the task that the page opens with
NEWEST = -1


def _short(typed: str) -> str:
    if len(typed) > 300:
        raise ValueError(typed)
    return typed


def _run(typed: str) -> str:
    """A name as `SessionModels` gives one: a token and a number, then the recipe."""
    if typed and not re.fullmatch(r"[0-9a-f]{8}-[0-9]+~.+", _short(typed)):
        raise ValueError(typed)
    return typed


RECIPE = Parameter("rc", "training recipe", "", _short)  # "": that of the run, or `FIRST`
RUN = Parameter("r", "training run", "", _run)
BESIDE = Parameter("rb", "training beside", "", _run)
STEP = Parameter("st", "training step", NEWEST, permalink.whole(0, 10_000))
BLOCK = Parameter("e", "training block", "", permalink.one_of("", "encoder", "decoder", "cross"))
LAYER = Parameter("l", "training layer", 0, permalink.whole(0, 4))  # 0: the last
HEAD = Parameter("h", "training head", 1, permalink.whole(0, 8))  # 0: the mean of all
LESSON = (RECIPE, RUN, BESIDE, STEP, BLOCK, LAYER, HEAD)


def chosen(parameter: Parameter) -> Any:
    """Its value now."""
    return st.session_state.get(parameter.key, parameter.default)


def run() -> Run | None:
    """The run on the page; None where nothing was started, or the link's run is not here."""
    runs, name = this_session().runs, chosen(RUN)
    if name in runs:
        return runs[name]
    last = next(reversed(runs.values()), None)
    if name or chosen(RECIPE) or last is None:
        return None
    st.session_state[RUN.key] = last.name  # back from another page
    return last


def beside() -> Run | None:
    """The run that is compared with."""
    return this_session().runs.get(chosen(BESIDE))


def lost() -> str:
    """The recipe of a run that the link names and that is not here; "" where none is lost."""
    name = chosen(RUN)
    return recipe_of(name) if name and name not in this_session().runs else ""


def lost_beside() -> bool:
    """Whether a run was to be compared with that is not here; it is then no longer asked for."""
    lost = bool(chosen(BESIDE)) and beside() is None
    if lost:
        st.session_state[BESIDE.key] = ""
    return lost


def recipe() -> str:
    """The recipe of the form, written by `core.tasks.training.recipe_code`; never an unreadable one."""
    from core.tasks.training import recipe_code

    shown = run()
    wanted = chosen(RECIPE) or (recipe_of(shown.name) if shown else lost()) or FIRST
    try:
        recipe_code.values(wanted)
    except SettingError as error:
        st.warning(f"{error} Showing “{FIRST}”.")
        st.session_state[RECIPE.key] = wanted = FIRST
    return wanted
