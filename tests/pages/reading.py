"""What a page that runs without a browser has drawn."""

from __future__ import annotations

import json
from typing import Any

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
