"""The choice of a model in the sidebar; on some pages, of a second model beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core import settings
from core.pretrained import models
from ui import text
from ui.models import model_cache, session_models, trained_links
from ui.models.attempt import attempt
from ui.session import SessionValue
from ui.state import MODEL, Field, select

if TYPE_CHECKING:
    from core.pretrained import TextModel

Load = Callable[[str], "TextModel"]
_LAST_GOOD = SessionValue[str | None]("last good model", None)


def choose_model(
    load: Load = model_cache.model, *, changed: Callable[[], None] | None = None
) -> str | None:
    """Load the chosen model; if that fails, continue with the previous one.

    Args:
        load: `model_cache.reader`, for a page on which a model reads a single text.
        changed: called when a visitor chooses another model.

    Returns:
        Its name; or None if no model could be loaded, with the reason on the page.
    """
    titles = _titles()
    if titles is None:
        return None
    wanted = offered(MODEL.get() or MODEL.default, titles, MODEL.default)
    if _any_id() and wanted not in titles:
        titles[wanted] = f"{wanted} (from the model hub)"
    # The progress bar has a permanent place. Without it, everything below would be drawn anew, and lose
    # the keyboard focus, in the first run after loading.
    with st.container():
        good = _load_one_of((wanted, _LAST_GOOD.get(), MODEL.default), load)
    # This comes before the list is drawn: the list then names the model shown, and the next run does
    # not retry the model that has just failed.
    MODEL.set(good or wanted)
    about = "Type the id of a model on the hub to load it." if _any_id() else None
    _choose(MODEL, titles, "Model", about, changed)
    return good


def choose_second(
    chosen: Field[str], label: str, about: str, *, changed: Callable[[], None] | None = None
) -> str | None:
    """Load the second model, beside the first; None if there is none.

    Args:
        chosen: its name; "" for none.
        label: the label above the list.
        about: the help text of the label.
        changed: called when a visitor chooses another model.
    """
    titles = {"": "none", **(_titles() or {})}
    wanted = offered(chosen.get(), titles, "")
    with st.container():
        if wanted and attempt(model_cache.model, wanted) is None:
            wanted = ""
    chosen.set(wanted)
    _choose(chosen, titles, label, about, changed)
    return wanted or None


def offered(wanted: str, titles: Mapping[str, str], default: str) -> str:
    """The model `wanted` if it is offered; otherwise the default, with the reason on the page.

    Args:
        wanted: the name of the model.
        titles: the models to choose from; if the settings allow it, any hub id is offered too.
        default: the model shown instead; "" for none.
    """
    if wanted in titles:
        return wanted
    if session_models.is_own(wanted):
        st.warning(session_models.GONE)
        trained_links.again(wanted)
        return default
    if _any_id():
        return wanted
    showing = f" Shown instead: {model_cache.title(default)}." if default else ""
    st.warning(f"“{text.plain(wanted)}” is not offered here.{showing}")
    return default


def _any_id() -> bool:
    """Whether the settings allow any model of the hub."""
    return settings.read().hub == "any"


def _titles() -> dict[str, str] | None:
    """The models to choose from, with their titles; None if they cannot be listed."""
    choices = attempt(models)
    if choices is None:
        return None
    return {choice.name: choice.title for choice in choices} | session_models.own_titles()


def _choose(
    chosen: Field[str],
    titles: Mapping[str, str],
    label: str,
    about: str | None,
    changed: Callable[[], None] | None,
) -> None:
    """Draw the list in the sidebar; if the settings allow it, a visitor can type any hub id into it."""
    now = chosen.get()
    options = {**titles, now: titles.get(now, now)}
    with st.sidebar:
        select(chosen, options, label, about=about, more=_any_id(), changed=changed)


def _load_one_of(names: Sequence[str | None], load: Load) -> str | None:
    for name in dict.fromkeys(names):
        if name is not None and attempt(load, name) is not None:
            _LAST_GOOD.set(name)
            if name != names[0]:
                st.info(f"Continuing with the model {model_cache.markdown_title(name)}.")
            return name
    return None
