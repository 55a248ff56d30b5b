"""What a widget sends is taken, also after it was empty; what none sends is not."""

from __future__ import annotations

from typing import Any, Final

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import SessionState

from ui import widget_values

NUMBER: Final = "double_value"
WHOLE: Final = "int_value"
WORDS: Final = "string_value"


@pytest.fixture
def session() -> SessionState:
    """A session whose page has an empty box for a number and a choice without a choice."""
    widget_values.refuse_odd_ones()
    made = SessionState()
    made._set_widget_metadata(WidgetMetadata("number", _same, _same, NUMBER))
    made._set_widget_metadata(WidgetMetadata("choice", _same, _same, WORDS))
    return made


def _same(value: Any) -> Any:
    return value


def sent(session: SessionState, **values: Any) -> dict[str, Any]:
    """What the widgets have after the browser has sent these values; None for an empty one."""
    message = WidgetStates()
    for name, value in values.items():
        state = WidgetState(id=name)
        if value is not None:
            kind = WORDS if isinstance(value, str) else WHOLE if isinstance(value, int) else NUMBER
            setattr(state, kind, value)
        message.widgets.append(state)
    session.set_widgets_from_proto(message)
    states = session._new_widget_state
    return {name: states[name] for name in values if name in states}


def test_the_first_value_of_an_empty_widget_is_taken(session: SessionState) -> None:
    """Whose kind Streamlit takes from what came: from an empty one, none."""
    assert sent(session, number=None, choice=None) == {"number": None, "choice": None}
    assert sent(session, number=0.5, choice="river") == {"number": 0.5, "choice": "river"}


def test_a_box_for_whole_numbers_sends_whole_ones(session: SessionState) -> None:
    """Though Streamlit gives it the kind of all boxes for numbers: what it sent was refused."""
    assert sent(session, number=None) == {"number": None}
    assert sent(session, number=4) == {"number": 4}
    assert sent(session, choice=4) != {"choice": 4}


def test_a_value_of_another_kind_is_not(session: SessionState) -> None:
    for _ in range(2):  # at first, and after an empty one
        assert not {"x", 3.0} & {*sent(session, number="x", choice=3.0).values()}
        sent(session, number=None, choice=None)


def test_a_whole_number_in_a_box_for_numbers_is_taken(session: SessionState) -> None:
    """The browser sends it as such; Streamlit declares every box for a number as one for fractions."""
    sent(session, number=None)
    message = WidgetStates()
    message.widgets.append(WidgetState(id="number", int_value=3))
    session.set_widgets_from_proto(message)
    assert session._new_widget_state["number"] == 3
