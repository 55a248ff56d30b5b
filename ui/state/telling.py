"""Messages between the server and controls, which can cross on their way.

The server sends as little as possible, because each message undoes what a visitor does meanwhile
(docs/state.md).
"""

from __future__ import annotations

from collections.abc import Callable
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
        shown: what each shows, once the browser has heard of all that was sent.
        showed: what each showed when the browser had last heard of all that was sent.
    """

    unconfirmed: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    created: set[str] = field(default_factory=set)
    shown: dict[str, Any] = field(default_factory=dict)
    showed: dict[str, Any] = field(default_factory=dict)


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
    controls.shown[control] = value
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


def on_change(
    control: str, take: Callable[[Any], None], *, repeats: bool = False
) -> Callable[[], None]:
    """The callback of a control, which takes what a visitor has done to it.

    Each message of a browser has the values of all controls. One that crosses a reset or an example
    has those of before, and would undo them. It is known by its URL, which is not the one that the last
    run has sent: what a control showed before that run, no visitor has chosen since.

    Args:
        control: its name.
        take: called with its value, unless it is such an old one.
        repeats: whether a visitor may choose again what was chosen last, because nothing stays chosen.
    """

    def changed() -> None:
        controls, value = _controls(), st.session_state[control]
        controls.changed.add(control)
        old = control in controls.showed and controls.showed[control] == value
        if old and not repeats and _crossed():
            return  # the next run sends it again
        controls.shown[control] = controls.showed[control] = value
        if control in controls.created:  # the browser has it, then, and shows what was changed
            controls.unconfirmed.discard(control)
        take(value)

    return changed


def _crossed() -> bool:
    """Whether the browser sent this message before it had heard how the last run ended."""
    url = permalink.now().url
    return url is not None and dict(st.query_params) != url and not permalink.by_history()


def begin_run(*, part: bool = False) -> None:
    """At the start of a run, of the page or of a part of it."""
    permalink.now().replaced = False
    controls = _controls()
    controls.now.clear()
    if _crossed():
        return
    if part:
        controls.showed |= controls.shown
    else:  # the names of controls that have left the page go
        controls.showed, controls.shown = controls.shown, {}


def end_run() -> None:
    """At its end: a browser has heard what this run sent."""
    controls = _controls()
    controls.unconfirmed -= controls.now
    controls.last = {*controls.now}
    controls.changed.clear()
