"""The link is the lesson: the whole state of a page in its URL. Only this module touches it.

Keys are short and the same on every page. A parameter that equals its default is left out. `v` counts
the versions of this scheme, so that links of today can be read by the app of tomorrow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from ui import packed

VERSION = "1"
PACKED = "z"  # in the place of all others, where they would make the URL too long
PACK_ABOVE = 2_000  # characters of the query
MOST = 7_000  # servers and proxies take 8 kB of headers by default
_SEEN = "permalink seen"


@dataclass(frozen=True)
class Parameter:
    """One part of the state: its key in the URL, in the session, and how it is read."""

    short: str
    key: str
    default: Any
    parse: Callable[[str], Any] = str


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number and refuses one outside these bounds."""

    def parse(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise ValueError(text)
        return value

    return parse


def switch(text: str) -> bool:
    """Reads 0 or 1."""
    return {"0": False, "1": True}[text]


def restore(parameters: tuple[Parameter, ...]) -> None:
    """Put the URL's state into the session: at the start, after a link, after Back and Forward.

    A value that cannot be read falls back to its default.
    """
    url = dict(st.query_params)
    seen, published = st.session_state.get(_SEEN, (None, {}))
    # A control that is moved before the last URL has reached the browser comes with the one before:
    # then the control was meant, not the URL.
    moved = any(st.session_state.get(key, value) != value for key, value in published.items())
    followed = url != seen and not moved
    state = packed.unpack(url[PACKED]) if PACKED in url else url
    for p in parameters:
        if followed or p.key not in st.session_state:
            st.session_state[p.key] = _read(p, state)


def publish(parameters: tuple[Parameter, ...]) -> None:
    """Put the session's state into the URL, once a run, when all controls have spoken.

    A state that is too long even packed stays out of it, and the page says so.
    """
    state = {p.short: st.session_state.get(p.key, p.default) for p in parameters}
    url = {
        p.short: str(int(state[p.short]) if isinstance(p.default, bool) else state[p.short])
        for p in parameters
        if state[p.short] != p.default
    }
    if len(urlencode(url)) > PACK_ABOVE:
        url = {PACKED: packed.pack(url)}
    if len(url.get(PACKED, "")) > MOST:
        st.caption("These texts are too long for a link: it opens the page without them.")
        url = {}
    if url:
        url = {"v": VERSION, **url}
    if url != dict(st.query_params):
        st.query_params.from_dict(url)
    values = {p.key: st.session_state[p.key] for p in parameters if p.key in st.session_state}
    st.session_state[_SEEN] = (url, values)


def go(parameters: tuple[Parameter, ...], state: Mapping[str, str]) -> None:
    """Set the page as a link with these parameters would; for the callbacks of buttons."""
    for p in parameters:
        st.session_state[p.key] = _read(p, state)


def _read(p: Parameter, url: Mapping[str, str]) -> Any:
    try:
        return p.parse(url[p.short]) if p.short in url else p.default
    except (ValueError, KeyError):
        return p.default
