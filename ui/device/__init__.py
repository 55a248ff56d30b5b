"""The visitor's own device as an engine: its switch, the line beside the pictures, what it must know.

The device itself is JavaScript (`core/figures/web/src/device`), fetched only where a switch is drawn.
The server sends it the page's choices, and hears nothing of what it computes.
`ui.serving.device_files` serves the model.
"""

from core.web.built import MODEL
from ui.device.context import Context, Text
from ui.device.parts import BOTH, line, saved_alive, switch

__all__ = ["BOTH", "MODEL", "Context", "Text", "line", "saved_alive", "switch"]
