"""The language of the screen: what the link says, else what a visitor chose, else the browser's.

It goes along from page to page and is part of every link, once it is not English. A link that says
nothing of it leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core import localization
from ui import formats, permalink
from ui.state.fields import Field

BROWSER = ""  # that which the browser prefers
LANGUAGE = Field(
    "lang",
    "language",
    BROWSER,
    parse=formats.Words((BROWSER, *(one.code for one in localization.languages()))),
    scope="app",
    stays=True,
)


def begin() -> str:
    """Set the language of this run, at its start, and return its code."""
    code = chosen()
    localization.use(code)
    return code


def settle() -> None:
    """Once the link has been read: set the language of this run, and put it into the next link."""
    if (code := begin()) != localization.ENGLISH and LANGUAGE.get() == BROWSER:
        LANGUAGE.set(code)


def chosen() -> str:
    """The code of the language, also before the link has been read, and in callbacks."""
    if found := LANGUAGE.get():
        return found
    if permalink.now().url is not None:  # the session knows what the link said
        return of_browser()
    try:
        said = LANGUAGE.parse(permalink.said().get(LANGUAGE.url, BROWSER))
    except (ValueError, KeyError):
        said = BROWSER
    return said or of_browser()


def of_browser() -> str:
    """The code of the language that the browser prefers among ours."""
    headers: Mapping[str, str] = st.context.headers
    return localization.preferred(headers.get("Accept-Language") or st.context.locale)


def choose(code: str) -> None:
    """Choose a language; English needs no mention in a link where the browser prefers it."""
    needless = code == localization.ENGLISH == of_browser()
    LANGUAGE.set(BROWSER if needless else code)


def _of_session() -> str:
    """The language of the visitor for whom this thread runs, as in a callback; else English."""
    alone = get_script_run_ctx(suppress_warning=True) is None
    return localization.ENGLISH if alone else chosen()


localization.look_up(_of_session)
