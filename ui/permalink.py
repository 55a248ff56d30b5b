"""The permalink: the choices on a page, in its URL. Only this module touches the URL.

`restore` reads the URL at the start of a run, and `publish` writes it at the end; a part of a page that
reran alone publishes the choices in it. Keys are short and the same on every page. A field with its
default value is left out, and a state that is too long for a URL is packed into one key. A page may
open with values other than those that a link leaves out (`Field.default_in_link`). `v` is the version
of this scheme, which changes if a key ever gets another meaning; a link of another version is read as
one of this version.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.localization import N_, gettext
from ui import compressed_state, session

if TYPE_CHECKING:
    from ui.state.fields import Field

Fields = tuple["Field[Any]", ...]
VERSION = {"v": "2"}
# Keys that say nothing of what a page shows: with them alone, it opens as with none.
ASIDE = frozenset({"lang"})
PACKED = "z"  # replaces all other keys if they would make the URL too long
PACK_ABOVE = 2_000  # characters of the query
LONG = 100  # characters of a value that stays out of a URL that is too long
MOST = 7_000  # servers and proxies take 8 kB of headers by default
ANOTHER = N_(
    "This link is of another version of Polysee. It is read as a link of this version, and may show "
    "something else than it did."
)
_NOW = "permalink now"
_NONE = object()


@dataclass
class Now:
    """The state last published in a session; code that runs after the script reads it.

    Attributes:
        url: the query of the URL; None before the first run.
        page: the session keys of all fields of the page, which identify it.
        followed: how often the URL has set the page: at the start, and after a link, Back or Forward.
        went: how often a button has set the page as a link would.
        fields: the fields of the current page.
        following: whether this run began from the URL.
        another: whether the last link followed was of another version.
        opened: the equivalent of that link in this version; None until the page has run with it.
        left: for each page, the values of its fields when it was left, by session key.
        published: the values last published.
        urls: for each page, the query that was last published.
        along: the values that go along from page to page, by session key.
        by_menu: whether the visitor opened this page from the menu, whose links contain nothing else.
        unread: what the link said that followed last and could not be read, as it stands there.
        fits: whether the last state published was not too long for a link.
        replaced: whether something has set or reset the whole page since the last run began; a choice
            that a picture reports at the same time was made earlier.
    """

    url: dict[str, str] | None = None
    page: tuple[str, ...] = ()
    followed: int = 0
    went: int = 0
    following: bool = False
    fields: Fields = ()
    another: bool = False
    opened: dict[str, str] | None = None
    left: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    published: dict[str, Any] = field(default_factory=dict)
    urls: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    along: dict[str, Any] = field(default_factory=dict)
    by_menu: bool = False
    unread: tuple[str, ...] = ()
    fits: bool = True
    replaced: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The value of each field of this page."""
        return self.left.get(self.page, {})


def now() -> Now:
    """The `Now` of this session."""
    return session.own(_NOW, Now)


def restore(fields: Fields) -> None:
    """Put the URL's state into the session: at the start, and after a link, Back or Forward.

    A value that cannot be read is as if it were left out. A visitor who returns from another page
    through the menu finds the page as it was left.
    """
    url = dict(st.query_params)
    last = now()
    page = tuple(one.key for one in fields)
    arrived = last.page != page  # here, or from another page of the app
    # A different URL alone does not count: an action of a visitor before the last URL has reached the
    # browser arrives with the previous URL, and would be undone.
    followed = arrived or (url != last.url and by_history())
    state = _whole(url)
    last.fields, last.following = fields, followed
    by_menu = arrived and bool(last.page) and not url and not by_history()
    as_left = (last.left.get(page, {}) | last.along) if by_menu else {}
    for one in fields:
        if followed or one.key not in st.session_state:
            st.session_state[one.key] = as_left[one.key] if one.key in as_left else _read(one, state)
    last.by_menu = by_menu
    if followed:
        # Noted at once: Back, pressed again, may end this run before it has published anything.
        last.url, last.page = url, page
        last.followed += 1
        last.unread = tuple(f"{one.url}={state[one.url]}" for one in fields if _is_unread(one, state))
        last.published = _values(fields)
        last.left[page] = {**last.published}
        has_state = PACKED in url or any(one.url in url for one in fields)
        last.another, last.opened = has_state and {**VERSION, **url}["v"] != VERSION["v"], None


def said() -> Mapping[str, str]:
    """All that the URL says, also before it has been read into the session."""
    return _whole(dict(st.query_params))


def leaves_out(key: str) -> bool:
    """Whether this run began from a link that says something, but not this key."""
    last = now()
    told = _whole(last.url or {}).keys() - VERSION.keys() - ASIDE
    return last.following and bool(told) and key not in told


def says_only(keys: Collection[str]) -> bool:
    """Whether this run began from a link that says nothing but these keys."""
    last = now()
    told = _whole(last.url or {}).keys() - VERSION.keys() - ASIDE
    return last.following and bool(told) and told <= {*keys}


def by_history() -> bool:
    """Whether Back or Forward led to this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def of_another_version() -> str:
    """Say that a link of another version opened the page, while it is unchanged; else ""."""
    last = now()
    return gettext(ANOTHER) if last.another and _is_as_opened(last) else ""


def unread() -> tuple[str, ...]:
    """The parts of the link that opened the page which could not be read, while it is unchanged."""
    last = now()
    return last.unread if last.unread and _is_as_opened(last) else ()


def _is_as_opened(last: Now) -> bool:
    """Whether nothing has been chosen since a link opened the page."""
    return last.opened in (None, _query(last.fields, _values(last.fields)))


def _is_unread(one: Field[Any], url: Mapping[str, str]) -> bool:
    if one.url not in url:
        return False
    try:
        one.parse(url[one.url])
    except (ValueError, KeyError):
        return True
    return False


def _values(fields: Fields) -> dict[str, Any]:
    """The session's state by its keys; each key is read once, because the session is slow."""
    found = ((one.key, st.session_state.get(one.key, _NONE)) for one in fields)
    return {key: value for key, value in found if value is not _NONE}


def _query(fields: Fields, values: Mapping[str, Any]) -> dict[str, str]:
    """These values as the query of a URL, without the version; nothing for a page as it opens."""
    changed = [one for one in fields if values.get(one.key, one.default) != one.default]
    differs = {one.url: one.write(values[one.key]) for one in changed}
    if not differs.keys() - ASIDE:
        return differs
    stated = _stated(fields, values)
    return stated if stated.keys() - ASIDE else differs


def _stated(fields: Fields, values: Mapping[str, Any]) -> dict[str, str]:
    """These values in the form for a link that also contains other values."""
    state = {one.url: values.get(one.key, one.default) for one in fields}
    return {one.url: one.write(state[one.url]) for one in fields if state[one.url] != _left_out(one)}


def _left_out(one: Field[Any]) -> Any:
    """The value of a field that is left out of a link with other values."""
    return one.default if one.default_in_link is None else one.default_in_link


def publish(fields: Fields) -> bool:
    """Put the session's state into the URL, after all controls have been drawn.

    Returns:
        False if the state is too long for a URL even when packed; long texts are then left out.
    """
    values = _values(fields)
    full = _query(fields, values)
    url, fits = _address(full)
    last = now()
    # The browser reports the URL that it had when it requested this run; the last run may have sent
    # another.
    if not url == dict(st.query_params) == (last.url or {}):
        st.query_params.from_dict(url)
    if last.opened is None:
        last.opened = full
    elif last.opened != full:
        last.another = False
    last.url, last.page, last.fits = url, tuple(one.key for one in fields), fits
    last.left[last.page], last.published = {**values}, values
    # A link back to this page must not bring back what stays with the visitor.
    last.urls[last.page], _ = _address(_query(tuple(one for one in fields if not one.stays), values))
    last.along |= {
        one.key: values[one.key] for one in fields if one.scope == "app" and one.key in values
    }
    return fits


def _address(full: dict[str, str]) -> tuple[dict[str, str], bool]:
    """The query of a URL with this state, and whether it holds all of it."""
    url = full
    if len(urlencode(url)) > PACK_ABOVE:
        url = {PACKED: compressed_state.pack(url)}
    if not (fits := len(url.get(PACKED, "")) <= MOST):
        url = {short: value for short, value in full.items() if len(value) <= LONG}
    return ({**VERSION, **url} if url else url), fits


def shown() -> dict[str, str]:
    """The state of the current page as in its link, without the version; for callbacks."""
    last = now()
    return _stated(last.fields, last.values)


def as_query(state: Mapping[str, str]) -> str:
    """A state in the form of a URL's query, without the question mark."""
    return urlencode(state)


def note(key: str, value: Any) -> None:
    """Record a choice at once, because a visitor may leave the page before it is published."""
    last: Now | None = st.session_state.get(_NOW)
    if last is not None and key in last.values:
        last.values[key] = value


def publish_changes() -> bool:
    """Put the latest choices into the URL, at the end of a part that reran alone.

    Returns:
        Whether the state has become too long for a URL, or no longer is: the page says so at its end.
    """
    last = now()
    fitted = last.fits
    if _values(last.fields) != last.published:  # otherwise Back, in the next run, would be undone
        publish(last.fields)
    return last.fits != fitted


def link(page: str, last: Now) -> str:
    """The link to the state last published; `page` is the address, and its query is ignored."""
    return f"{page.partition('?')[0]}?{urlencode(last.url)}" if page and last.url else page


def go(fields: Fields, state: Mapping[str, str]) -> None:
    """Set the page as a link with these values would; for callbacks of buttons."""
    now().went += 1
    for one in fields:
        st.session_state[one.key] = _read(one, state)
    outrank_pictures()


def change(state: Mapping[str, str]) -> None:
    """Change the current page as its link with these values would; for callbacks of buttons."""
    go(now().fields, {**shown(), **state})


def assign(values: Mapping[Field[Any], Any]) -> None:
    """Set these fields at once, as an example does; for callbacks of controls."""
    now().went += 1
    for one, value in values.items():
        one.set(value)
    outrank_pictures()


def outrank_pictures() -> None:
    """In a callback, discard choices that pictures report at the same time: they were made earlier."""
    now().replaced = True


def _whole(url: Mapping[str, str]) -> Mapping[str, str]:
    # A link written by hand may contain a choice beside a packed state.
    return {**compressed_state.unpack(url[PACKED]), **url} if PACKED in url else url


def _link_default(one: Field[Any], url: Mapping[str, str]) -> Any:
    return _left_out(one) if url.keys() - VERSION.keys() - ASIDE else one.default


def _read(one: Field[Any], url: Mapping[str, str]) -> Any:
    if one.stays and (one.url not in url or by_history()) and one.key in st.session_state:
        return st.session_state[one.key]
    try:
        return one.parse(url[one.url]) if one.url in url else _link_default(one, url)
    except (ValueError, KeyError):
        return _left_out(one)
