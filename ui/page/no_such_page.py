"""An address that no page has: Streamlit shows the home page there, and this says so."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.localization import _
from ui import navigation
from ui.page import leads
from ui.session import SessionValue
from ui.text import plain

MOST = 40  # letters of an address that are shown
_ASKED = SessionValue("address that no page has", "")


def note(path: str) -> None:
    """Remember an address that led nowhere, until another page opens; call it after the navigation.

    Args:
        path: of the page that opens, see `navigation.Page.path`.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    # A browser names the page of its address once, when it arrives, and from then on by its hash.
    asked = context.pages_manager.intended_page_name or ""
    if path:
        _ASKED.set("")
    elif asked and not context.pages_manager.intended_page_script_hash:
        _ASKED.set("" if asked == navigation.HOME else asked)


def say() -> None:
    """That there is no such page, and where what was meant by it may be."""
    if not (asked := _ASKED.get()):
        return
    said = _("There is no page “{address}” here: this is *{page}*. The menu lists all pages.")
    home = navigation.pages()[navigation.HOME]
    hint = _meant(asked.casefold())
    with st.container(border=True, key="no such page", gap="xxsmall"):
        st.markdown(said.format(address=plain(asked[:MOST]), page=_(home.title)))
        if hint:
            st.markdown(hint)
            leads.down(_("Open the lessons"), "lessons", {})


def _meant(asked: str) -> str:
    """Where something is that has no page of its own; "" for any other address."""
    if asked in ("class", "room", "join"):
        return _(
            "A class answers the questions of a lesson: open one, and press *For a class*. Students "
            "join by the address that it then shows."
        )
    if asked in ("present", "presenter"):
        return _("*Present*, in the sidebar of every page and lesson, shows it on the whole screen.")
    if asked in ("paper", "print", "sheets"):
        return _("Sheets to print are on the page of lessons, under *On paper*.")
    return ""
