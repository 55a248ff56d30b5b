"""What controls are told to show, and what they say: messages between a server and a browser may cross.

As little as possible is told, since telling undoes what a visitor does meanwhile (docs/state.md).
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
        all: those of which no run that told them has come to its end: a browser may not have heard it.
        now: those that this run has told.
        last: those that the run before has told: what a browser says of them it may have said before.
        heard: those that a visitor has changed before this run.
    """

    all: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    heard: set[str] = field(default_factory=set)


def _of_session() -> _Controls:
    found: _Controls = st.session_state.setdefault("controls to be told", _Controls())
    return found


def tell(control: str, value: object) -> None:
    """Set a control where it shows something else, and again until a run has come to its end.

    What an overtaken run told may have been lost; what the last run told may have reached a browser
    after it had said what this one heard. Anything more would undo what a visitor does meanwhile.
    """
    telling = _of_session()
    if control in telling.all or st.session_state.get(control) != value:
        telling.all.add(control)
        telling.now.add(control)
        st.session_state[control] = value
    elif control in telling.last & telling.heard:
        st.session_state[control] = value


def heard(control: str) -> Any:
    """What a visitor has done to a control."""
    _of_session().heard.add(control)
    return st.session_state[control]


def start() -> None:
    """At the start of a run, of the page or of a part of it."""
    permalink.now().replaced = False
    _of_session().now.clear()


def end() -> None:
    """At its end: a browser has heard what this run told."""
    telling = _of_session()
    telling.all -= telling.now
    telling.last = {*telling.now}
    telling.heard.clear()
