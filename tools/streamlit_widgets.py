"""The state of a control in a browser: as the page has drawn it, and after a text is typed."""

from __future__ import annotations

import json
from typing import Any

from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState


def as_drawn(kind: str, widget: Any) -> WidgetState | None:
    """The value that the page sets, or the initial one; None for a control without state.

    Args:
        kind: the kind of the element in Streamlit's protocol.
        widget: its message.
    """
    state = WidgetState(id=widget.id)
    set_now = getattr(widget, "set_value", False)
    if kind in ("text_input", "text_area"):
        state.string_value = widget.value if set_now else widget.default
    elif kind == "checkbox":
        state.bool_value = widget.value if set_now else widget.default
    elif kind == "number_input":
        state.double_value = widget.value if set_now else widget.default
    elif kind == "slider" and widget.type == Slider.SELECT_SLIDER:
        first = [widget.options[int(i)] for i in widget.default]
        state.string_array_value.data.extend(widget.raw_value if set_now else first)
    elif kind == "slider":
        state.double_array_value.data.extend(widget.value if set_now else widget.default)
    elif kind == "selectbox":
        if set_now:
            state.string_value = widget.raw_value
        elif widget.HasField("default") and widget.options:
            state.string_value = widget.options[widget.default]
        else:
            return None
    elif kind == "button_group":
        first = [widget.options[i].content for i in widget.default]
        state.string_array_value.data.extend(widget.raw_values if set_now else first)
    else:
        return None
    return state


def text_box(widget: Any) -> dict[str, Any]:
    """What the server sent to one of our text boxes; empty for any other element."""
    if getattr(widget, "component_name", "") != "polysee_text_box":
        return {}
    return dict(json.loads(widget.json))


def as_typed(widget: Any, text: str) -> WidgetState:
    """What one of our text boxes sends after this was typed."""
    typed = {"n": text_box(widget)["heard"] + 1, "text": text}
    return WidgetState(id=widget.id, json_value=json.dumps({"typed": typed}))
