"""The form of a recipe: what to train, how long, with which seed; and the button that starts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import streamlit as st

from core.errors import SettingError
from core.localization import N_, _, decimal, gettext
from core.tasks import BOUNDS, TASKS, Recipe
from core.tasks.training import recipe_code
from core.tasks.training.recipe import Decay, Positions
from pages.training import captions
from pages.training.state import TrainingState
from ui import layout, state, text

_KEY = "train "
_REFUSED = state.SessionValue("train refused", "")  # why a box shows its old value again
# The content of "More", in this order; fields of a half that the task's model lacks are left out.
_MORE: Mapping[str, tuple[str, str]] = {
    "n_encoder_layers": (N_("Encoder layers"), N_("The number of layers in the half that reads.")),
    "n_decoder_layers": (N_("Decoder layers"), N_("The number of layers in the half that writes.")),
    "n_heads": (N_("Heads"), N_("Heads in each self-attention; d_model is divided among them.")),
    "n_cross_heads": (N_("Cross heads"), N_("Heads in the decoder’s attention to the encoder.")),
    "d_model": (N_("d_model"), N_("The width of each vector.")),
    "d_ff": (N_("d_ff"), N_("The width inside the feed-forward networks; 0 means none.")),
    "batch": (N_("Batch"), N_("The number of examples in each step.")),
    "warm_up": (
        N_("Warm-up steps"),
        N_("The number of steps until the learning rate reaches its maximum."),
    ),
    "guidance": (
        N_("Guidance"),
        N_("The share of the loss that trains the attention weights directly."),
    ),
}
_CHOICES = {
    "decay": (N_("Decay"), get_args(Decay), N_("How the learning rate falls to 0 by the last step.")),
    "positions": (N_("Positions"), get_args(Positions), N_("How positions are encoded.")),
}
_ON_TOP = {"seed": N_("Seed"), "steps": N_("Steps"), "learning_rate": N_("Learning rate")}


def show(s: TrainingState) -> Recipe | None:
    """Draw the form. Returns its recipe; or None, with the reason on the page, if it is invalid."""
    wanted = s.written()
    values = _in_bounds(s, recipe_code.values(wanted))
    large = layout.scale() > 1  # everything in one row there as well
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall" if large else "small"):
        titles = {name: gettext(task.title) for name, task in TASKS.items()}
        state.select(_part(s, "task"), titles, _("Task"), width=300 if large else 250)
        for (name, title), about, wide in zip(
            _ON_TOP.items(),
            (
                _("Determines the initial weights and the examples."),
                _("The number of updates to the weights."),
                _("The rate rises to this maximum and then falls."),
            ),
            (110, 115, 150) if large else (130, 155, 170),
            strict=True,
        ):
            _number(_part(s, name), name, gettext(title), about, wide)
        more = st.popover(
            _("More"),
            help=_("Sets layers, heads, widths, batch, warm-up and positions."),
            key="train more",
            on_change="rerun",
        )
        if more.open:  # closed boxes would report the values that they had when they were last open
            with more:
                _more(s, values)
        recipe = _checked(values)
        start(s, wanted, "train start", disabled=recipe is None)
    with st.container():  # always present: a change in the number of elements would close the popover
        if refused := _REFUSED.take():
            st.warning(refused)
    return recipe


def start(s: TrainingState, recipe: str, key: str, *, disabled: bool = False) -> None:
    """Draw the button that begins a run.

    Args:
        s: the state of the page.
        recipe: what to train, in `core.tasks.training.recipe_code`.
        key: the name of the button.
        disabled: whether the recipe is none.
    """
    st.button(_("Start"), key=key, type="primary", on_click=s.begin, args=(recipe,), disabled=disabled)


def _part(s: TrainingState, name: str) -> state.Part[Any]:
    """A control for one value of the recipe."""

    def read() -> Any:
        return recipe_code.values(s.written())[name]

    def take(value: Any) -> None:
        now = recipe_code.values(s.written())
        if name == "task":  # another task has another default recipe; the seed stays
            default = TASKS[value].recipe.to_dict()
            s.fill(recipe_code.write({**default, "seed": now["seed"]}))
        elif name in BOUNDS and not _fits(name, value):
            title = gettext(_ON_TOP.get(name) or _MORE[name][0])
            _REFUSED.set(captions.refused(title, name, value, now[name]))
        else:
            s.recipe.set(recipe_code.write({**now, name: value}))

    return state.Part(_KEY + name, read, take)


def _in_bounds(s: TrainingState, values: dict[str, Any]) -> dict[str, Any]:
    """Check each value of a link; replace an invalid one by the default, and say so."""
    recipe = TASKS[values["task"]].recipe
    defaults = recipe.to_dict()
    for name, value in values.items():
        try:
            # Checked alone, with defaults for all others; the form reports values that do not fit
            # together.
            Recipe(**{**defaults, name: value})
        except SettingError as error:
            if _fits(name, value):
                continue
            shown = _("The form shows {value} instead.").format(value=decimal(str(defaults[name])))
            st.warning(f"{text.of_error(error)} {shown}")
            values[name] = defaults[name]
            s.recipe.set(recipe_code.write(values))
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
        st.error(text.of_error(error))
        return None


def _number(part: state.Part[Any], name: str, title: str, about: str, width: int) -> None:
    whole = name not in ("learning_rate", "guidance")
    step = 1 if whole else {"guidance": 0.05}.get(name, 0.001)
    state.entry(part, title, step=step, about=about, width=width)


def _more(s: TrainingState, values: Mapping[str, Any]) -> None:
    recipe = TASKS[values["task"]].recipe
    halves = {
        "n_encoder_layers": recipe.n_encoder_layers,
        "n_decoder_layers": recipe.n_decoder_layers,
    }
    halves["n_cross_heads"] = recipe.n_encoder_layers and recipe.n_decoder_layers
    columns = st.columns(2)
    offered = [name for name in _MORE if halves.get(name, 1)]
    for i, name in enumerate(offered):
        with columns[i % 2]:
            title, about = map(gettext, _MORE[name])
            _number(_part(s, name), name, title, about, width=150)
    for column, (name, (title, choices, about)) in zip(columns, _CHOICES.items(), strict=True):
        with column:
            part = _part(s, name)
            named = {choice: captions.choices()[choice] for choice in choices}
            state.select(part, named, gettext(title), about=gettext(about))
    state.toggle(
        _part(s, "norm_first"),
        _("Layer norm before each part"),
        about=_(
            "Layer norm before each part of a layer (pre-LN). Otherwise it comes after each part, as "
            "in the paper of 2017."
        ),
    )


def readable(wanted: str) -> bool:
    """Whether this is the code of a recipe, see `core.tasks.training.recipe_code`."""
    try:
        recipe_code.read(wanted)
    except SettingError:
        return False
    return True
