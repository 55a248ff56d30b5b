"""A visitor's session: the values that last as long as it does, and its name.

Only this module touches Streamlit's session, besides `ui.permalink`, which fills it from a link, and
`ui.state.control_sync`, which sets controls. What a page remembers has a type and a default here; what
stands in its link is a `ui.state.Field`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import streamlit as st

T = TypeVar("T")


class SessionValue(Generic[T]):
    """A value that lasts for a visitor's session, and is in no link unless it is a `ui.state.Field`.

    Args:
        key: its name in the session.
        default: its value until it is set.
    """

    def __init__(self, key: str, default: T) -> None:
        self.key = key
        self._default = default

    @property
    def control(self) -> str:
        """The name of the control that shows it, if there is one."""
        return f"{self.key} control"

    @property
    def default(self) -> T:
        """Its value if nothing was chosen."""
        return self._default

    def get(self) -> T:
        """Its current value."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: T) -> None:
        """Choose it: in a callback, or before its control is drawn."""
        st.session_state[self.key] = value

    def take(self) -> T:
        """Return its current value, and reset it to the default."""
        value = self.get()
        self.set(self.default)
        return value


def own(key: str, make: Callable[[], T]) -> T:
    """An object of this session, the same throughout it.

    Args:
        key: its name in the session.
        make: makes it when it is first asked for.
    """
    if key not in st.session_state:
        st.session_state[key] = make()
    found: T = st.session_state[key]
    return found


def reported(control: str) -> Any:
    """What a control on the page last reported; None if it has reported nothing, or is gone."""
    return st.session_state.get(control)


def first_time(what: str) -> bool:
    """Whether this call is the first of its kind in the session; later calls return False.

    Args:
        what: the name of the event, the same in every run.
    """
    spent = SessionValue(f"{what} for the first time", False)
    first = not spent.get()
    spent.set(True)
    return first


def name() -> str:
    """The name of this session, by which a browser notices that the server was restarted."""
    return own("visit", lambda: secrets.token_hex(8))
