"""Read what a page that runs without a browser has drawn."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from ui.serving import sent_once


def drawn(app: AppTest) -> list[tuple[dict[str, Any], bytes]]:
    """The header of each browser picture, with its choices, and its numbers; in order."""
    found = []
    for element in app.get("bidi_component"):
        sent = json.loads(element.proto.json or element.proto.mixed.json or "{}")
        if "numbers" not in sent:  # a component that only listens to keys and buttons draws nothing
            continue
        header, payload = unpacked(sent)
        found.append((header, payload))
    return found


def on_map(app: AppTest) -> dict[str, Any]:
    """What the drawing of the transformer in the sidebar is given."""
    (element,) = (one for one in app.get("bidi_component") if one.proto.component_name == "polysee_map")
    given: dict[str, Any] = json.loads(element.proto.json)
    return given


def unpacked(sent: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The header and the numbers in a message to a picture."""
    name = sent["numbers"]
    data = sent_once._stored[name.rpartition("/")[2]] if name else base64.b64decode(sent["bytes"])
    (size,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + size])
    more = {"height": sent["height"], "autoplay": sent["autoplay"], "events": sent["events"]}
    return header | more | ({"state": sent["state"]} if sent["state"] else {}), data[4 + size :]


class TextBox:
    """One of our text boxes, which can be read and typed into like Streamlit's own in `AppTest`."""

    def __init__(self, app: AppTest, element: Any) -> None:
        self.key = element.key
        self.data: dict[str, Any] = json.loads(element.proto.json)
        self.label, self.value = self.data["label"], self.data["text"]
        self._app, self._id = app, element.proto.id

    def set_value(self, text: str, *, n: int | None = None) -> TextBox:
        """Send what the box in a browser would, as the next or as number `n`, for the next run."""
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
    """The text box with this name."""
    (found,) = (box for box in text_boxes(app) if box.key == key)
    return found
