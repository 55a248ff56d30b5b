"""Values of widgets that no widget sends: refused before Streamlit and our code read them.

A program in place of a browser can send any value for any widget: a number for a text box, a label that
a list does not have, JSON that is none or 100,000 deep. Streamlit reads a value by its widget's
own reader, which then raises an error in the midst of a run, or hands on what is of another type. With
this module, such a value is as if it had not been sent, and the log counts it without its content.
"""

from __future__ import annotations

import logging
from functools import wraps
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import Serialized, SessionState, WStates

from core import untrusted

_JSON = ("json_value", "json_trigger_value")
# Streamlit declares each box for a number as one for fractions; its browser sends whole ones as such.
_NUMBERS = {"int_value", "double_value"}


def refuse_odd_ones() -> None:
    """Make Streamlit refuse them, in all sessions; called once per process."""
    taken, read = SessionState.set_widgets_from_proto, WStates.__getitem__
    if hasattr(taken, "__wrapped__"):  # this module was reloaded after an edit
        return

    @wraps(taken)
    def take_fitting(session: SessionState, sent: WidgetStates) -> None:
        known = session._new_widget_state.widget_metadata
        odd = [one.id for one in sent.widgets if not _fits(one, known.get(one.id))]
        if odd:
            _log()
            fitting = WidgetStates()
            fitting.widgets.extend(one for one in sent.widgets if one.id not in odd)
            sent = fitting
        taken(session, sent)

    @wraps(read)
    def read_fitting(states: WStates, widget: str) -> Any:
        # One that came before its widget was drawn, as after a restart of the server.
        state = states.states.get(widget)
        known = states.widget_metadata.get(widget)
        if isinstance(state, Serialized) and not _fits(state.value, known):
            del states.states[widget]
            _log()
        value = read(states, widget)
        # Streamlit then takes the kind of value from what was sent, and an empty box sends none.
        if known is not None and states.widget_metadata[widget].value_type is None:
            states.set_widget_metadata(known)
        return value

    setattr(SessionState, taken.__name__, take_fitting)
    setattr(WStates, read.__name__, read_fitting)


def _fits(sent: WidgetState, widget: WidgetMetadata[Any] | None) -> bool:
    """Whether a widget could send this; True for a widget that is not known yet, which nobody reads."""
    kind = sent.WhichOneof("value")
    try:
        if kind in _JSON:
            parsed = untrusted.parse(getattr(sent, kind), halves=True)  # people cut an emoji in two
            if kind == "json_value" and isinstance(parsed, str):
                return False  # which a component's reader would take for JSON again, and log as none
        if widget is None or kind is None:
            return True
        if kind != widget.value_type and not {kind, widget.value_type} <= _NUMBERS:
            return False
        # A trigger's reader may have an effect, and is called once. None of ours can misread its value.
        if kind not in ("trigger_value", "chat_input_value"):
            widget.deserializer(unpack_widget_state_value(sent))
    except Exception:  # whatever a reader raises: it cannot read this
        return False
    return True


def _log() -> None:
    from ui.serving import logs

    logs.event("sent what no widget sends", logging.WARNING)
