"""What a page that runs without a browser has drawn."""

from __future__ import annotations

import json
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest


def components(app: AppTest) -> list[Any]:
    """Its browser pictures, in order; what listens to keys and buttons draws nothing."""
    return [element for element in app.get("bidi_component") if element.proto.bytes]


def apart(app: AppTest) -> list[dict[str, Any]]:
    """The pictures whose data and choices come apart, as JSON: data, with the choices among them."""
    found = []
    for element in app.get("bidi_component"):
        sent = json.loads(element.proto.json or element.proto.mixed.json or "{}")
        if "choices" in sent:
            found.append({**sent["data"], "choices": sent["choices"]})
    return found


class TextBox:
    """A text box of ours, to be read, and typed into as `AppTest` does with Streamlit's own."""

    def __init__(self, app: AppTest, element: Any) -> None:
        self.key = element.key
        self.data: dict[str, Any] = json.loads(element.proto.json)
        self.label, self.value = self.data["label"], self.data["text"]
        self._app, self._id = app, element.proto.id

    def set_value(self, text: str, *, n: int | None = None) -> TextBox:
        """What the box in a browser tells, as the next or as number `n`; the next run hears it."""
        self.value = text
        number = self.data["heard"] + 1 if n is None else n
        typed = json.dumps({"typed": {"n": number, "text": text}})
        tree: Any = self._app._tree
        drawn = tree.get_widget_states

        def with_typed() -> WidgetStates:
            states: WidgetStates = drawn()
            states.widgets.append(WidgetState(id=self._id, json_value=typed))
            return states

        tree.get_widget_states = with_typed
        return self

    def run(self) -> AppTest:
        return self._app.run()


def text_boxes(app: AppTest) -> list[TextBox]:
    """Its text boxes, in order."""
    found = app.get("bidi_component")
    return [TextBox(app, one) for one in found if one.proto.component_name == "polysee_text_box"]


def text_box(app: AppTest, key: str) -> TextBox:
    """The text box of a name."""
    (found,) = (box for box in text_boxes(app) if box.key == key)
    return found
