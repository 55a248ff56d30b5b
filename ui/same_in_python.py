"""“The same in Python”: the lines that give the numbers of a page in a notebook, folded on each page.

Nothing is written before a visitor opens it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core import settings
from core.localization import N_, _, gettext
from core.pretrained import load_model
from ui import state
from ui.models import session_models
from ui.state import Switch

TITLE = N_("The same in Python")
Make = Callable[[], Mapping[str, str]]


def show(fold: Switch, make: Make, model: str | None = None) -> None:
    """The fold with the lines, in tabs if there are several versions.

    Args:
        fold: whether it is open.
        make: called if it is open; returns the name of each version -> its lines.
        model: the model that the lines load; None if they load none.
    """
    folded = state.fold(fold, gettext(TITLE))
    if not fold.get():
        return
    with folded:
        if model is not None and session_models.is_own(model):
            read = _("`core.tasks.load` reads the file")
            if session_models.source_of(model):
                read = _("`core.own_text.opened(core.own_text.load(…))` opens the file")
            st.caption(
                _(
                    "You trained this model in your session, and Python cannot load it by name. Save "
                    "it on the page Training; {read}."
                ).format(read=read)
            )
            return
        versions = make()
        places = st.tabs([*versions]) if len(versions) > 1 else [st.container()]
        for place, lines in zip(places, versions.values(), strict=True):
            place.code(lines, language="python")


def note(model: str) -> str:
    """The requirement for loading a model in a notebook, as a comment; "" for none."""
    if load_model.operators(model, settings.read()) is None:
        return ""
    return f"with POLYSEE_MODELS set: {model!r} lies in that folder"


def imports(model: str) -> str:
    """`import core`, with the requirement for loading this model."""
    return f"import core  # {of}" if (of := note(model)) else "import core"
