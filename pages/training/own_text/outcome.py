"""The models that learned a text: on other pages, and as files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import localization
from core.errors import PolyseeError
from core.localization import N_, _, gettext
from ui import state
from ui.models import trained_links
from ui.models.session_models import find_own_text, own_titles, this_session
from ui.page import leads

_CHANGED = state.SessionValue[dict[str, str] | None]("training changed", None)  # where a click leads
_FILES = (
    (
        N_("Save the model"),
        "safetensors",
        N_(
            "Saves weights, recipe and tokens in one file, which this page loads. The text is not "
            "in it."
        ),
    ),
    (
        N_("As a folder"),
        "zip",
        N_("Saves a folder for core.load, and for transformers. The text is not in it."),
    ),
)


def show() -> None:
    """List the models of this session that learned a text."""
    if (wanted := _CHANGED.take()) is not None:
        leads.go("heads", wanted)
    models = own_titles("decoder")
    if not models:
        return
    newest = next(reversed(models))
    name = state.select(
        state.SessionValue(f"train text model {newest}", newest),
        models,
        _("Your models of a text, in this session"),
        about=_("They disappear when you close the page. Save those that you want to keep."),
    )
    own = find_own_text(name)
    if own is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        trained_links.show_own_text(name, own.learned.recipe.layers)
        if own.learned.steps:
            st.button(
                _("What its training changed"),
                key="train text changed",
                icon=":material/arrow_forward:",
                type="tertiary",
                on_click=_compare,
                args=(name,),
                help=_(
                    "Shows it in Heads beside itself as it was before its first step: which heads "
                    "moved, and which next letter each expects."
                ),
            )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, ending, about in _FILES:
            st.download_button(
                gettext(label),
                partial(_file, name, ending),
                file_name=f"polysee-own-text-{own.learned.steps}.{ending}",
                mime="application/octet-stream",
                key=f"train text save {ending}",
                on_click="ignore",
                help=gettext(about),
            )
        st.button(_("Remove"), key="train text drop", on_click=_drop, args=(name,))


def _compare(name: str) -> None:
    first = this_session().before_training(name)
    language = (
        {} if localization.current() == localization.ENGLISH else {"lang": localization.current()}
    )
    _CHANGED.set({"m": name, "m2": first, "t": trained_links.PROMPT, **language})


def _file(name: str, ending: str) -> bytes:
    from core import own_text

    own = find_own_text(name)
    if own is None:
        raise PolyseeError(_("This model has been removed."))
    return own_text.folder(own.learned) if ending == "zip" else own_text.dump(own.learned)


def _drop(name: str) -> None:
    this_session().drop(name)
