"""Messages between the server and controls, which can cross on their way.

The server sends as little as possible, because each message undoes what a visitor is doing at that
moment (docs/state.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ui import permalink, session


@dataclass
class _Controls:
    """The controls that the app has set, by their names.

    Attributes:
        unconfirmed: those set only by runs that were interrupted: the browser may not have received
            them.
        now: those that this run has set.
        last: those that the previous run has set: what a browser reports of them may be older than
            that.
        changed: those that a visitor changed before this run.
        created: those that were new to the browser when they were last set: a visitor can only have
            changed them after the browser received them.
        shown: what each shows once the browser has received all that was sent.
        showed: what each showed when the browser had last received all that was sent.
    """

    unconfirmed: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    created: set[str] = field(default_factory=set)
    shown: dict[str, Any] = field(default_factory=dict)
    showed: dict[str, Any] = field(default_factory=dict)


def _controls() -> _Controls:
    return session.own("controls to be told", _Controls)


def send(control: str, value: object) -> None:
    """Set a control if it shows something else, and again until a run has completed.

    What an interrupted run sent may have been lost; what the last run sent may have reached a browser
    after it had sent the message that this run answers. Anything more would undo what a visitor is
    doing: for example a second key press on a slider while the first run is still under way.
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
    """The callback of a control, which takes over a visitor's action.

    Each message of a browser has the values of all controls. One that crosses a reset or an example has
    the earlier values, and would undo it. Its URL gives it away: it is not the one that the last run
    sent. A value that the control already showed before that run is then not a new choice.

    Args:
        control: its name.
        take: called with the value, unless it is such an outdated one.
        repeats: whether a visitor may repeat the last choice, because nothing stays selected.
    """

    def changed() -> None:
        controls, value = _controls(), st.session_state[control]
        controls.changed.add(control)
        old = control in controls.showed and controls.showed[control] == value
        if old and not repeats and _crossed():
            return  # the next run sends it again
        controls.shown[control] = controls.showed[control] = value
        if control in controls.created:  # then the browser has the control, and shows the change
            controls.unconfirmed.discard(control)
        take(value)

    return changed


def _crossed() -> bool:
    """Whether the browser sent this message before it had received the end of the last run."""
    url = permalink.now().url
    return url is not None and dict(st.query_params) != url and not permalink.by_history()


def begin_run(*, part: bool = False) -> None:
    """Mark the start of a run, of the page or of a part of it."""
    permalink.now().replaced = False
    controls = _controls()
    controls.now.clear()
    if _crossed():
        return
    if part:
        controls.showed |= controls.shown
    else:  # forget the names of controls that have left the page
        controls.showed, controls.shown = controls.shown, {}


def end_run() -> None:
    """Mark the end of a run: the browser receives what this run sent."""
    controls = _controls()
    controls.unconfirmed -= controls.now
    controls.last = {*controls.now}
    controls.changed.clear()
