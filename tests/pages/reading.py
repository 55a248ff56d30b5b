"""What a page that runs without a browser has drawn."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest


def components(app: AppTest) -> list[Any]:
    """Its browser pictures, in order; what listens to keys and buttons draws nothing."""
    return [element for element in app.get("bidi_component") if element.proto.bytes]
