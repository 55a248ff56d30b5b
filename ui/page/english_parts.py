"""The language on a page: the switch in the sidebar, and what is said of parts that are English still.

A screen reader speaks by the `lang` of the page, and of a part that has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import streamlit as st

from core import localization
from core.localization import _, spoken
from ui.page import prose
from ui.state import language

_KEY = "in-english"
_SETS = """
export default ({ data, parentElement }) => {
  if (data.part) parentElement.closest(`.st-key-${data.part}`)?.setAttribute("lang", data.language);
  else document.documentElement.lang = data.language;
};
"""
# Registered when this module is imported, once per process: a second registration would replace it for
# every session.
_COMPONENT = st.components.v2.component("polysee_language", js=_SETS, isolate_styles=False)


def switch() -> None:
    """Buttons to the other languages, each named in itself; call it in the sidebar."""
    now = localization.current()
    _COMPONENT(key="language of page", data={"language": now}, width="content", height="content")
    for one in localization.languages():
        if one.code != now:
            st.button(
                one.name,
                key=f"language {one.code}",
                type="tertiary",
                icon=":material/translate:",
                on_click=language.choose,
                args=(one.code,),
            )


def is_english() -> bool:
    """Whether the screen is English anyway."""
    return localization.current() == localization.ENGLISH


def part(*, translated: bool) -> AbstractContextManager[Any]:
    """The content of a page; one that is not translated is English as a whole, and marked so."""
    return nullcontext() if translated or is_english() else _marked()


@contextmanager
def _marked() -> Iterator[None]:
    with st.container(key=_KEY):
        with spoken(localization.ENGLISH):
            yield
        data = {"language": localization.ENGLISH, "part": _KEY}
        _COMPONENT(key="language of part", data=data, width="content", height="content")


def say(*, translated: bool) -> None:
    """That the content of a page is English, if it is and the rest is not."""
    if not translated and not is_english():
        st.caption(_("So far, the pictures of this page and the sentences about them are in English."))


def say_computed(words: prose.Prose) -> None:
    """That how a page computes its numbers is said in English, if it is and the rest is not."""
    if words.computed_is_english:
        st.caption(_("So far, this text is in English only."))
