"""The wall of a class: the way into the room as a QR code, and the answers as they come.

The browser asks the server for the tally itself, three times a second; the page does not run again.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.classroom import Opened
from ui.classroom import wall_data
from ui.serving.classroom import path_of

_HERE = Path(__file__).parent
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_wall",
    html='<div class="polysee-wall"></div>',
    css=(_HERE / "wall.css").read_text("utf-8"),
    js=(_HERE / "wall.js").read_text("utf-8"),
    isolate_styles=False,
)


def show(room: Opened, seat: str, origin: str, reach: int = 0) -> None:
    """Draw the wall of a room.

    Args:
        room: the room.
        seat: in its address.
        origin: that phones can reach; "" if there is none, and then there is no code.
        reach: the round that was just asked, whose wall is brought into view; 0 for none.
    """
    data = wall_data.of(room.name, path_of(seat, room.name), origin, room.key) | {"reach": reach}
    _COMPONENT(key="class wall", data=data, height="content")
