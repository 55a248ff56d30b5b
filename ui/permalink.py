"""The link is the lesson: what is chosen on a page, in its URL. Only this module touches the URL.

`restore` reads it at the start of a run, `publish` writes it at the end; a part of a page that ran
alone publishes what was chosen in it. Keys are short and the same on every page. A field that has its
default is left out, and a state that is too long for a URL is packed into one key. `v` counts the
versions of this scheme: links of earlier ones are still read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui import packed

if TYPE_CHECKING:
    from ui.state.fields import Field

Fields = tuple["Field[Any]", ...]
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


@dataclass
class Now:
    """What was published last, one of these for each visitor: read by what runs after the script.

    Attributes:
        url: the query of the URL; None before the first time.
        page: the names in the session of all its fields, which tell one page from another.
        followed: how often the URL was what decided: at the start, and after a link, Back and Forward.
        went: how often a button has set the page as a link would.
        fields: those of the page that is shown.
        following: whether this run began with what the URL says.
        earlier: whether a link of an earlier version was followed last.
        opened: what that link says in this version; None until the page has run with it.
        left: the value of each field, by its name in the session, of each page as it was left.
        published: those that were published last.
        along: the values that go along from page to page, by their names in the session.
        replaced: whether something has set the whole page since the last run began, or forgotten what
            was chosen on it: what a picture tells at the same time was chosen before that.
    """

    url: dict[str, str] | None = None
    page: tuple[str, ...] = ()
    followed: int = 0
    went: int = 0
    following: bool = False
    fields: Fields = ()
    earlier: bool = False
    opened: dict[str, str] | None = None
    left: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    published: dict[str, Any] = field(default_factory=dict)
    along: dict[str, Any] = field(default_factory=dict)
    replaced: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The value of each field of this page."""
        return self.left.get(self.page, {})


def now() -> Now:
    """This visitor's; the same object for as long as the visit lasts."""
    last: Now = st.session_state.setdefault(_NOW, Now())
    return last


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


def restore(fields: Fields) -> None:
    """Put the URL's state into the session: at the start, after a link, after Back and Forward.

    A value that cannot be read falls back to its default. Who comes back from another page of the app,
    by its menu, finds the page as it was left.
    """
    url = dict(st.query_params)
    last = now()
    page = tuple(one.key for one in fields)
    arrived = last.page != page  # here, or from another page of the app
    # Not wherever the URL is another one: what a visitor does before the last URL has reached the
    # browser comes with the one before, and would be undone.
    followed = arrived or (url != last.url and _by_history())
    state = _whole(url)
    last.fields, last.following = fields, followed
    by_menu = arrived and bool(last.page) and not url and not _by_history()
    as_left = (last.left.get(page, {}) | last.along) if by_menu else {}
    for one in fields:
        if followed or one.key not in st.session_state:
            st.session_state[one.key] = as_left[one.key] if one.key in as_left else _read(one, state)
    if followed:
        # Noted at once: Back, pressed again, may end this run before it has published anything.
        last.url, last.page = url, page
        last.followed += 1
        last.published = _values(fields)
        last.left[page] = {**last.published}
        has_state = PACKED in url or any(one.url in url for one in fields)
        last.earlier, last.opened = has_state and url.get("v") != VERSION["v"], None


def _by_history() -> bool:
    """Whether Back or Forward led to this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def by_earlier_link() -> bool:
    """Whether the page is as a link of an earlier version opened it: nothing was chosen since."""
    last = now()
    return last.earlier and last.opened in (None, _query(last.fields, _values(last.fields)))


def _values(fields: Fields) -> dict[str, Any]:
    """The session's state, by its keys; each asked once: the session is slow to answer."""
    return {one.key: st.session_state[one.key] for one in fields if one.key in st.session_state}


def _query(fields: Fields, values: Mapping[str, Any]) -> dict[str, str]:
    """What these values are in a URL, without its version."""
    state = {one.url: values.get(one.key, one.default) for one in fields}
    return {one.url: one.write(state[one.url]) for one in fields if state[one.url] != one.default}


def publish(fields: Fields) -> bool:
    """Put the session's state into the URL, when all controls have spoken.

    Returns:
        False where the state is too long for a URL even when packed; its long texts then stay out.
    """
    values = _values(fields)
    full = url = _query(fields, values)
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
    last.url, last.page = url, tuple(one.key for one in fields)
    last.left[last.page], last.published = {**values}, values
    last.along |= {
        one.key: values[one.key] for one in fields if one.scope == "app" and one.key in values
    }
    return fits


def note(key: str, value: Any) -> None:
    """What was chosen on the page that is shown: a visitor may leave it before it is published."""
    last: Now | None = st.session_state.get(_NOW)
    if last is not None and key in last.values:
        last.values[key] = value


def publish_changes() -> None:
    """Put what was chosen since the last time into the URL: at the end of a part that ran alone."""
    last = now()
    if _values(last.fields) != last.published:  # else Back, which comes with the next run, is undone
        publish(last.fields)


def link(page: str, last: Now) -> str:
    """Where what was published last opens: `page` is the address, whatever its query."""
    return f"{page.partition('?')[0]}?{urlencode(last.url)}" if page and last.url else page


def go(fields: Fields, state: Mapping[str, str]) -> None:
    """Set the page as a link would that says this; for the callbacks of buttons."""
    now().went += 1
    for one in fields:
        st.session_state[one.key] = _read(one, state)
    outrank_pictures()


def assign(values: Mapping[Field[Any], Any]) -> None:
    """Set these fields at once, as an example does; for the callbacks of controls."""
    now().went += 1
    for one, value in values.items():
        one.set(value)
    outrank_pictures()


def outrank_pictures() -> None:
    """In a callback: what a picture tells at the same time was chosen before, and counts no more."""
    now().replaced = True


def link_default(one: Field[Any]) -> Any:
    """What the link that was followed last means where it says nothing of this field."""
    return _link_default(one, _whole(now().url or {}))


def _whole(url: Mapping[str, str]) -> Mapping[str, str]:
    # A link of somebody's own, or of an earlier version, may say a choice beside a packed state.
    return {**packed.unpack(url[PACKED]), **url} if PACKED in url else url


def _link_default(one: Field[Any], url: Mapping[str, str]) -> Any:
    return one.default_in_v1 if one.default_in_v1 is not None and url.get("v") == FIRST else one.default


def _read(one: Field[Any], url: Mapping[str, str]) -> Any:
    try:
        return one.parse(url[one.url]) if one.url in url else _link_default(one, url)
    except (ValueError, KeyError):
        return one.default
