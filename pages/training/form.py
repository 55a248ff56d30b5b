"""The form of a recipe: what to train, how long, from which seed; and the button that starts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import streamlit as st

from core.errors import SettingError
from core.tasks import BOUNDS, TASKS, Recipe
from core.tasks.training import recipe_code
from core.tasks.training.recipe import Decay, Positions
from pages.training import captions, state
from pages.training.state import RECIPE
from ui import layout, text
from ui.models.session_models import this_session

_KEY = "train "
_TOUCHED, _SAID = "train touched", "train refused"
# What stands behind "More", in this order; halves that a task's model does not have are left out.
_MORE: Mapping[str, tuple[str, str]] = {
    "n_encoder_layers": ("Encoder layers", "Of the half that reads."),
    "n_decoder_layers": ("Decoder layers", "Of the half that writes."),
    "n_heads": ("Heads", "Of each self-attention; d_model is divided among them."),
    "n_cross_heads": ("Heads across", "Of the decoder’s attention to the encoder."),
    "d_model": ("d_model", "How many numbers each vector has."),
    "d_ff": ("d_ff", "The width inside the feed-forward networks; 0: none."),
    "batch": ("Batch", "How many examples each step sees."),
    "warm_up": ("Warm-up steps", "After so many the learning rate is at its highest."),
    "guidance": ("Guidance", "How much of the loss teaches the attention itself where to look."),
}
_CHOICES = {
    "decay": ("Decay", get_args(Decay), "How the learning rate falls to 0 by the last step."),
    "positions": ("Positions", get_args(Positions), "How positions are encoded."),
}
_BEHIND = frozenset((*_MORE, *_CHOICES, "norm_first"))
_ON_TOP = {"seed": "Seed", "steps": "Steps", "learning_rate": "Learning rate"}


def show() -> Recipe | None:
    """Draw the form. The recipe that it holds; None where it is none: the reason is on the page."""
    wanted = state.recipe()
    values = _within(recipe_code.values(wanted))
    _announce(values)
    large = layout.scale() > 1  # all of it in one row there as well
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall" if large else "small"):
        st.selectbox(
            "Task",
            [*TASKS],
            index=[*TASKS].index(values["task"]),
            key=_KEY + "task",
            format_func=lambda name: TASKS[name].title,
            on_change=_take_task,
            width=300 if large else 250,
        )
        for (name, title), about, wide in zip(
            _ON_TOP.items(),
            (
                "Of the first weights and of the examples.",
                "How often the weights are changed.",
                "The highest; it rises to it and falls again.",
            ),
            (110, 115, 150) if large else (130, 155, 170),
            strict=True,
        ):
            _number(name, title, about, wide)
        with st.popover("More", help="Layers, heads, widths, batch, warm-up, positions"):
            _more(values)
        recipe = _checked(values)
        st.button(
            "Start",
            key="train start",
            type="primary",
            on_click=_start,
            args=(wanted,),
            disabled=recipe is None,
        )
    with st.container():  # always there: what comes and goes among them would close the popover
        if refused := st.session_state.pop(_SAID, ""):
            st.warning(refused)
    return recipe


def _announce(values: Mapping[str, Any]) -> None:
    """Let each box show its value.

    A closed popover's boxes are not in the browser, and opened it would show what a box is without a
    value: so they are told anew by every run, but for those by a box beside them: then it is open.
    """
    inside = st.session_state.pop(_TOUCHED, "") in _BEHIND
    for name, value in values.items():
        if (name in _BEHIND and not inside) or st.session_state.get(_KEY + name) != value:
            st.session_state[_KEY + name] = value


def _within(values: dict[str, Any]) -> dict[str, Any]:
    """Each value of a link within its own bounds; of one that is not, the default, and a sentence."""
    usual = TASKS[values["task"]].recipe
    found = usual.to_dict()
    for name, value in values.items():
        try:
            # Alone, beside the defaults; what does not go together is said with the form.
            Recipe(**{**found, name: value})
        except SettingError as error:
            if _fits(name, value):
                continue
            st.warning(f"{text.plain(str(error))} Taking {found[name]}.")
            values[name] = found[name]
            st.session_state[RECIPE.key] = recipe_code.write(values)
    return values


def _fits(name: str, value: object) -> bool:
    if name not in BOUNDS or isinstance(value, str):
        return False
    least, most = BOUNDS[name]
    return least <= float(value) <= most  # type: ignore[arg-type]


def _checked(values: Mapping[str, Any]) -> Recipe | None:
    try:
        return Recipe(**values)
    except SettingError as error:
        st.error(text.plain(str(error)))
        return None


def _number(name: str, title: str, about: str, width: int) -> None:
    """A box without bounds of its own: a browser would hold back what is outside, and not say why."""
    whole = name not in ("learning_rate", "guidance")
    st.number_input(
        title,
        value=None,  # or an emptied box would be the least that it can be
        step=1 if whole else {"guidance": 0.05}.get(name, 0.001),
        format="%d" if whole else "%g",
        key=_KEY + name,
        help=about,
        width=width,
        on_change=_take,
        args=(name,),
    )


def _more(values: Mapping[str, Any]) -> None:
    usual = TASKS[values["task"]].recipe
    halves = {"n_encoder_layers": usual.n_encoder_layers, "n_decoder_layers": usual.n_decoder_layers}
    halves["n_cross_heads"] = usual.n_encoder_layers and usual.n_decoder_layers
    columns = st.columns(2)
    offered = [name for name in _MORE if halves.get(name, 1)]
    for i, name in enumerate(offered):
        with columns[i % 2]:
            _number(name, *_MORE[name], width=150)
    for place, (name, (title, choices, about)) in zip(columns, _CHOICES.items(), strict=True):
        place.selectbox(title, choices, key=_KEY + name, help=about, on_change=_take, args=(name,))
    st.toggle(
        "Layer norm before each part",
        key=_KEY + "norm_first",
        help="Before each part of a layer (pre-LN); else behind it, as in the paper of 2017.",
        on_change=_take,
        args=("norm_first",),
    )


def _take(name: str) -> None:
    """What was put into one box becomes part of the recipe; an emptied one has its value again."""
    before, value = recipe_code.values(state.recipe()), st.session_state.get(_KEY + name)
    st.session_state[_TOUCHED] = name
    if value is None:
        return
    if name in BOUNDS and not _fits(name, value):
        title = _ON_TOP.get(name) or _MORE[name][0]
        st.session_state[_SAID] = captions.refused(title, name, value, before[name])
        return
    st.session_state[RECIPE.key] = recipe_code.write({**before, name: value})


def _take_task() -> None:
    """Another task has another default recipe; the seed stays."""
    task = st.session_state[_KEY + "task"]
    seed = st.session_state[_KEY + "seed"]
    fill({**TASKS[task].recipe.to_dict(), "seed": seed or 0})


def fill(values: Mapping[str, Any]) -> None:
    """Put a recipe into the form, with nothing trained by it yet."""
    st.session_state[RECIPE.key] = recipe_code.write(values)
    for parameter in (state.RUN, state.BESIDE, *state.LESSON[3:]):
        st.session_state[parameter.key] = parameter.default


def _start(wanted: str) -> None:
    begin(wanted)


def begin(wanted: str) -> None:
    """Start a run by a recipe, and show it. For buttons."""
    run = this_session().begin(recipe_code.read(wanted))
    st.session_state[RECIPE.key] = wanted
    st.session_state[state.RUN.key] = run.name
    st.session_state[state.STEP.key] = state.NEWEST


def readable(wanted: str) -> bool:
    """Whether this is a recipe as `core.tasks.training.recipe_code` writes it."""
    try:
        recipe_code.read(wanted)
    except SettingError:
        return False
    return True
