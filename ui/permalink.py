"""The link is the lesson: the whole state of a page in its URL. Only this module touches it.

A picture may write what is chosen in it there by itself: by what `address` gives, as `publish` would.

Keys are short and the same on every page. A parameter that equals its default is left out. `v` counts
the versions of this scheme, so that links of today can be read by the app of tomorrow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui import packed

VERSION = {"v": "2"}
FIRST = "1"  # the version of before 23 November 2026
PACKED = "z"  # in the place of all others, where they would make the URL too long
PACK_ABOVE = 2_000  # characters of the query
LONG = 100  # characters of a value that stays out of a URL that is too long
MOST = 7_000  # servers and proxies take 8 kB of headers by default
_NOW = "permalink now"


def written(value: Any) -> str:
    """A value as a URL has it: a switch as 0 or 1."""
    return str(int(value) if isinstance(value, bool) else value)


@dataclass(frozen=True)
class Parameter:
    """One part of the state: its key in the URL, in the session, how it is read and written.

    `along` is one that goes along with its visitor from page to page, as the model does. `before` is
    the default that a link of the `FIRST` version means by leaving it out; None: the same.
    """

    short: str
    key: str
    default: Any
    parse: Callable[[str], Any] = str
    along: bool = False
    before: Any = None
    write: Callable[[Any], str] = written


@dataclass
class Now:
    """What was published last, one of these for each visitor: read by what runs after the script.

    Attributes:
        url: the query of the URL; None before the first time.
        page: the keys of all its parameters, which tell one page from another.
        followed: how often the URL was what decided: at the start, and after a link, Back and Forward.
        went: how often a button has set the page as a link would.
        parameters: those of the page that is shown.
        following: whether this run began with what the URL says.
        earlier: whether a link of an earlier version was followed last.
        opened: what that link says in this version; None until the page has run with it.
        left: the value of each parameter, by its key in the session, of each page as it was left.
        said: those that were published last.
        along: the values that go along from page to page, by their keys.
        replaced: whether something has set the whole page since the last run began, or forgotten what
            was chosen on it: what a picture tells at the same time was chosen before that.
    """

    url: dict[str, str] | None = None
    page: tuple[str, ...] = ()
    followed: int = 0
    went: int = 0
    following: bool = False
    parameters: tuple[Parameter, ...] = ()
    earlier: bool = False
    opened: dict[str, str] | None = None
    left: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    along: dict[str, Any] = field(default_factory=dict)
    replaced: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The value of each parameter of this page."""
        return self.left.get(self.page, {})


def now() -> Now:
    """This visitor's; the same object for as long as the visit lasts."""
    found: Now = st.session_state.setdefault(_NOW, Now())
    return found


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number and refuses one outside these bounds."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit()):  # int() takes 1_0 and other scripts' digits
            raise ValueError(text)
        value = int(text)
        if not least <= value <= most:
            raise ValueError(text)
        return value

    return parse


def real(least: float, most: float) -> Callable[[str], float]:
    """Reads a number and refuses one outside these bounds."""

    def parse(text: str) -> float:
        value = float(text)
        if not least <= value <= most:  # and no NaN
            raise ValueError(text)
        return value

    return parse


def share(text: str) -> float:
    """Reads a number from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:  # and no NaN
        raise ValueError(text)
    return value


def switch(text: str) -> bool:
    """Reads 0 or 1."""
    return {"0": False, "1": True}[text]


def one_of(*choices: str) -> Callable[[str], str]:
    """Reads one of these words and refuses any other."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(text)
        return text

    return parse


def restore(parameters: tuple[Parameter, ...]) -> None:
    """Put the URL's state into the session: at the start, after a link, after Back and Forward.

    A value that cannot be read falls back to its default. Who comes back from another page of the app,
    by its menu, finds the page as it was left.
    """
    url = dict(st.query_params)
    last = now()
    page = tuple(p.key for p in parameters)
    arrived = last.page != page  # here, or from another page of the app
    # Not wherever the URL is another one: what a visitor does before the last URL has reached the
    # browser comes with the one before, and would be undone.
    followed = arrived or (url != last.url and _by_history())
    state = _whole(url)
    last.parameters, last.following = parameters, followed
    by_menu = arrived and bool(last.page) and not url and not _by_history()
    found = (last.left.get(page, {}) | last.along) if by_menu else {}
    for p in parameters:
        if followed or p.key not in st.session_state:
            st.session_state[p.key] = found[p.key] if p.key in found else _read(p, state)
    if followed:
        # Noted at once: Back, pressed again, may end this run before it has published anything.
        last.url, last.page = url, page
        last.followed += 1
        last.said = _values(parameters)
        last.left[page] = {**last.said}
        said = PACKED in url or any(p.short in url for p in parameters)
        last.earlier, last.opened = said and url.get("v") != VERSION["v"], None


def _by_history() -> bool:
    """Whether Back or Forward led to this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def by_earlier_link() -> bool:
    """Whether the page is as a link of an earlier version opened it: nothing was chosen since."""
    last = now()
    return last.earlier and last.opened in (None, _query(last.parameters, _values(last.parameters)))


def _values(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """The session's state, by its keys; each asked once: the session is slow to answer."""
    return {p.key: st.session_state[p.key] for p in parameters if p.key in st.session_state}


def _query(parameters: tuple[Parameter, ...], values: Mapping[str, Any]) -> dict[str, str]:
    """What these values are in a URL, without its version."""
    state = {p.short: values.get(p.key, p.default) for p in parameters}
    return {p.short: p.write(state[p.short]) for p in parameters if state[p.short] != p.default}


def publish(parameters: tuple[Parameter, ...]) -> bool:
    """Put the session's state into the URL, when all controls have spoken.

    Returns:
        False where the state is too long for a URL even when packed; its long texts then stay out.
    """
    values = _values(parameters)
    full = url = _query(parameters, values)
    if len(urlencode(url)) > PACK_ABOVE:
        url = {PACKED: packed.pack(url)}
    if not (fits := len(url.get(PACKED, "")) <= MOST):
        url = {short: value for short, value in full.items() if len(value) <= LONG}
    if url:
        url = {**VERSION, **url}
    last = now()
    # The browser says what it has had when this run was asked for: the last one may have told it more.
    if not url == dict(st.query_params) == (last.url or {}):
        st.query_params.from_dict(url)
    if last.opened is None:
        last.opened = full
    elif last.opened != full:
        last.earlier = False
    last.url, last.page = url, tuple(p.key for p in parameters)
    last.left[last.page], last.said = {**values}, values
    last.along |= {p.key: values[p.key] for p in parameters if p.along and p.key in values}
    return fits


def note(key: str, value: Any) -> None:
    """What was chosen on the page that is shown: a visitor may leave it before it is published."""
    last: Now | None = st.session_state.get(_NOW)
    if last is not None and key in last.values:
        last.values[key] = value


def publish_changes() -> None:
    """Put what was chosen since the last time into the URL: at the end of a part that ran alone."""
    last = now()
    if _values(last.parameters) != last.said:  # else Back, which comes with the next run, is undone
        publish(last.parameters)


def link(page: str, last: Now) -> str:
    """Where what was published last opens: `page` is the address, whatever its query."""
    return f"{page.partition('?')[0]}?{urlencode(last.url)}" if page and last.url else page


def go(parameters: tuple[Parameter, ...], state: Mapping[str, str]) -> None:
    """Set the page as a link with these parameters would; for the callbacks of buttons."""
    now().went += 1
    for p in parameters:
        st.session_state[p.key] = _read(p, state)
    outrank_pictures()


def outrank_pictures() -> None:
    """In a callback: what a picture tells at the same time was chosen before, and counts no more."""
    now().replaced = True


def unsaid(p: Parameter) -> Any:
    """What the link that was followed last means where it says nothing of this parameter."""
    return _unsaid(p, _whole(now().url or {}))


def _whole(url: Mapping[str, str]) -> Mapping[str, str]:
    # A picture may have written a choice beside a packed state: that is the newer one.
    return {**packed.unpack(url[PACKED]), **url} if PACKED in url else url


def _unsaid(p: Parameter, url: Mapping[str, str]) -> Any:
    return p.before if p.before is not None and url.get("v") == FIRST else p.default


def _read(p: Parameter, url: Mapping[str, str]) -> Any:
    try:
        return p.parse(url[p.short]) if p.short in url else _unsaid(p, url)
    except (ValueError, KeyError):
        return p.default
