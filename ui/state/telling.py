"""Messages between the server and controls, which can cross on their way.

The server sends as little as possible, because each message undoes what a visitor does meanwhile
(docs/state.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ui import permalink


@dataclass
class _Controls:
    """The controls that the app has set, by their names.

    Attributes:
        unconfirmed: those that no run has set which came to its end: a browser may not have heard it.
        now: those that this run has set.
        last: those that the run before has set: what a browser says of them it may have said before.
        changed: those that a visitor has changed before this run.
        created: those that were new to the browser when they were set last: a visitor can have changed
            them only after the browser heard it.
    """

    unconfirmed: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    created: set[str] = field(default_factory=set)


def _controls() -> _Controls:
    found: _Controls = st.session_state.setdefault("controls to be told", _Controls())
    return found


def send(control: str, value: object) -> None:
    """Set a control where it shows something else, and again until a run has come to its end.

    What an overtaken run sent may have been lost; what the last run sent may have reached a browser
    after it had said what this one received. Anything more would undo what a visitor does meanwhile:
    such as the second key on a slider whose first run is still under way.
    """
    controls = _controls()
    if control not in st.session_state:
        controls.created.add(control)
    elif st.session_state[control] != value:
        controls.created.discard(control)
    if control in controls.unconfirmed or st.session_state.get(control) != value:
        controls.unconfirmed.add(control)
        controls.now.add(control)
        st.session_state[control] = value
    elif control in controls.last & controls.changed - controls.created:
        st.session_state[control] = value


def receive(control: str) -> Any:
    """What a visitor has done to a control: in its callback."""
    controls = _controls()
    controls.changed.add(control)
    if control in controls.created:  # the browser has it, then, and shows what was changed
        controls.unconfirmed.discard(control)
    return st.session_state[control]


def begin_run() -> None:
    """At the start of a run, of the page or of a part of it."""
    permalink.now().replaced = False
    _controls().now.clear()


def end_run() -> None:
    """At its end: a browser has heard what this run sent."""
    controls = _controls()
    controls.unconfirmed -= controls.now
    controls.last = {*controls.now}
    controls.changed.clear()
