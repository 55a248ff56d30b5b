"""Links between pages: down to the source of a picture's numbers, and up again.

A lead opens another page in a certain state, in the same session. The pages on the way down are listed
above the title, each as it was left: the trail. The menu starts a new trail.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.localization import N_, _, gettext
from ui import navigation, permalink
from ui.session import SessionValue
from ui.state import LANGUAGE, MODEL, PROJECTOR

STEPS_SHOW = 16  # tokens of a text on Step by step
FROM = N_("Where does this vector come from?")


class _Visited(NamedTuple):
    """A page on the trail: the address of its script, its title, the keys of its fields."""

    script: str
    title: str
    page: tuple[str, ...]


class _Trail(NamedTuple):
    """The pages on the way down, and the current one."""

    above: tuple[_Visited, ...] = ()
    here: _Visited | None = None


_TRAIL = SessionValue("trail", _Trail())


def down(label: str, page: str, query: Mapping[str, object], *, about: str | None = None) -> None:
    """Draw a link to another page.

    Args:
        label: the text of the link.
        page: the folder of the page.
        query: the state in which it opens, by the keys of its link. The model is passed on, unless it
            names one.
        about: the tooltip.
    """
    state = _state(query)
    script = navigation.script(page)
    if _title(script) is None:  # a page that runs without the app around it, as in a test
        st.markdown(f"[{label}]({navigation.address(page)}?{urlencode(state)})")
    else:
        st.page_link(script, label=label, help=about, query_params=state)


def known(page: str) -> bool:
    """Whether the app has a page at this address."""
    return _title(navigation.script(navigation.folder(page))) is not None


def here() -> str:
    """The folder of the current page; "" before the first run."""
    _, shown = _TRAIL.get()
    return "" if shown is None else shown.script.split("/")[-2]


def _state(query: Mapping[str, object]) -> dict[str, str]:
    """A query as a complete state, with the current model, type size and language."""
    state = {**permalink.VERSION, **{key: str(value) for key, value in query.items()}}
    if state.get(MODEL.url) == MODEL.default:
        del state[MODEL.url]
    elif MODEL.get() != MODEL.default:
        state.setdefault(MODEL.url, MODEL.get())
    if PROJECTOR.get():
        state[PROJECTOR.url] = PROJECTOR.write(True)
    if LANGUAGE.get():
        state[LANGUAGE.url] = LANGUAGE.get()  # also for whoever opens it in a new tab
    return state


def go(page: str, query: Mapping[str, str]) -> None:
    """Open another page now, as its link would, if the app around this page has it."""
    script = navigation.script(page)
    if _title(script) is not None:
        st.switch_page(script, query_params=_state(query))


def to_vector(text: str, token: int, layer: int, *, label: str = FROM) -> None:
    """Draw a link to the steps that computed the vector of a token.

    Args:
        text: the sentence.
        token: its position, from 0; nothing is drawn for one that those steps do not show.
        layer: the layer after which, from 1; 0 for before the first one.
        label: the text of the link.
    """
    at: dict[str, object] = {"l": layer, "st": "norm2"} if layer else {"st": "embedded"}
    if token < STEPS_SHOW:
        down(gettext(label), "step_by_step", {"t": text, "q": token, **at})


def to_number(text: str, layer: int, head: int, query: int, key: int) -> None:
    """Draw a link to the steps that computed an attention weight; all numbers from 0.

    Args:
        text: the sentence.
        layer: the layer of the weight.
        head: the head of the weight.
        query: the token that attends; nothing is drawn for one that those steps do not show.
        key: the token that is attended to.
    """
    if max(query, key) < STEPS_SHOW:
        at = {"l": layer + 1, "h": head + 1, "q": query, "k": key, "st": "weights"}
        down(_("Where does this number come from?"), "step_by_step", {"t": text, **at})


def _title(script: str) -> str | None:
    """The name of a page in the menu; None if the app has no such page, or is one page alone."""
    context = get_script_run_ctx(suppress_warning=True)
    pages = {} if context is None else context.pages_manager.get_pages()
    if len(pages) == 1:  # a script that is run by itself has no menu, and no link can lead to it
        return None
    found = (one for one in pages.values() if Path(one["script_path"]).as_posix().endswith(script))
    return next((str(one["page_name"]) for one in found), None)


def follow(script: str, fields: permalink.Fields) -> None:
    """At the start of a run, extend or shorten the trail if this is another page than before.

    Args:
        script: the address of its script, for example "pages/heads/page.py".
        fields: the fields of the page.
    """
    here = _Visited(script, _title(script) or "", tuple(one.key for one in fields))
    above, before = _TRAIL.get()
    if before is not None and before._replace(title="") == here._replace(title=""):
        _TRAIL.set(_Trail(above, here))  # its title may be in another language now
        return
    if here in above:
        above = above[: above.index(here)]
    elif before is not None and not permalink.now().by_menu and not permalink.by_history():
        above = (*above, before)
    else:
        above = ()
    _TRAIL.set(_Trail(above, here))


def up() -> None:
    """Draw the trail, if there is one."""
    above, here = _TRAIL.get()
    if not above or here is None or not here.title:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="trail"):
        for one in above:
            url = permalink.now().urls.get(one.page, {})
            st.page_link(one.script, label=one.title, query_params=url)
            st.markdown("›")
        st.markdown(here.title)
