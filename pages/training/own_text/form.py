"""The form of a recipe for a text, and the button that starts the training."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from core.errors import PolyseeError, SettingError
from core.localization import N_, _, each, gettext
from core.own_text import TextRecipe
from core.own_text import recipe as recipes
from core.own_text.recipe import unfit
from core.sentences import sentence
from pages.training.own_text import captions, source
from pages.training.state import TrainingState
from ui import state, text
from ui.models.session_models import OWN_TEXT, this_session

_REFUSED = state.SessionValue("training text refused", "")  # why a box shows its old value again
_ASKED = state.SessionValue("training text asked", -math.inf)  # when Start was clicked without a text
_TOGETHER = 2.0  # seconds between a click and a text that belong together
_KINDS = {"letters": N_("Letters"), "pairs": N_("Byte pairs")}
_MORE: Mapping[str, tuple[str, str]] = {
    "layers": (N_("Layers"), N_("Of the decoder.")),
    "heads": (N_("Heads"), N_("In each layer; the width is divided among them.")),
    "width": (N_("d_model"), N_("The width of each vector.")),
    "window": (N_("Window"), N_("How many letters, or byte pairs, the model reads at once.")),
    "pairs": (N_("Byte pairs"), N_("How many are learned from the text.")),
    "batch": (N_("Batch"), N_("How many windows each step learns from.")),
    "rate": (N_("Learning rate"), N_("It rises to this maximum and then falls.")),
    "seed": (N_("Seed"), N_("Determines the first weights and which windows are drawn.")),
}


class Query(NamedTuple):
    """What is learned, and how."""

    source: str
    text: str
    title: str
    recipe: TextRecipe


def show(s: TrainingState) -> Query | None:
    """Draw the form. Returns what it says; or None, with the reason on the page."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = source.choose(s)
        about = sentence("own-text.kinds")
        state.select(_part(s, "kind"), each(_KINDS), _("Reads"), width=130, about=about)
        state.entry(_part(s, "steps"), _("Steps"), step=1, width=115, about=gettext(captions.STEPS))
        more = st.popover(_("More"), key="train text more", on_change="rerun")
        if more.open:
            with more:
                _more(s)
        begin = st.container(width="content")
    with st.container():  # always present: a change in the number of elements would close the popover
        if refused := _REFUSED.take():
            st.warning(text.plain(refused))
    with st.container():
        if chosen == OWN_TEXT:
            source.boxes(partial(_typed, s))
    query, why = _query(s, chosen)
    begin.button(
        _("Start"),
        key="train text start",
        type="primary",
        on_click=_begin,
        args=(s,),
        disabled=query is None and not (chosen == OWN_TEXT and source.is_missing()),
    )
    if why:
        # Who has pressed Start without a text is told so; before, the same words are an invitation.
        if _ASKED.get() > -math.inf and chosen == OWN_TEXT and source.is_missing():
            st.warning(_("There is no text yet.") + f" {why}")
        else:
            st.info(why)
    return query


def _query(s: TrainingState, chosen: str) -> tuple[Query | None, str]:
    try:
        content = source.text_of(chosen)
    except PolyseeError as error:
        return None, text.of_error(error)
    if why := unfit(content):
        return None, captions.first() if not content.strip() else text.plain(why)
    return Query(chosen, content, source.title_of(chosen), s.written_text()), ""


def _begin(s: TrainingState) -> None:
    query, _ = _query(s, s.source.get())
    if query is None:
        _ASKED.set(time.monotonic())
        return
    _ASKED.set(-math.inf)
    run = this_session().begin_text(query.text, query.title, query.recipe, query.source)
    s.text_recipe.set(recipes.code(query.recipe))
    s.show_text(run.name)


def _typed(s: TrainingState) -> None:
    """A click on Start that came before its text begins with it."""
    if time.monotonic() - _ASKED.get() < _TOGETHER:
        _begin(s)


def _part(s: TrainingState, name: str) -> state.Part[Any]:
    """A control for one value of the recipe."""

    def read() -> Any:
        return getattr(s.written_text(), name)

    def take(value: Any) -> None:
        try:
            s.text_recipe.set(recipes.code(replace(s.written_text(), **{name: value})))
        except SettingError as error:
            _REFUSED.set(captions.refused(gettext(str(error)), read()))

    return state.Part(f"train text {name}", read, take)


def _more(s: TrainingState) -> None:
    columns = st.columns(2)
    offered = [one for one in _MORE if one != "pairs" or s.written_text().kind == "pairs"]
    for i, name in enumerate(offered):
        title, about = _MORE[name]
        with columns[i % 2]:
            step = 0.001 if name == "rate" else 1
            state.entry(_part(s, name), gettext(title), step=step, about=gettext(about), width=150)
