"""The wall of a class: the way into the room as a QR code, and the answers as they come.

The browser asks the server for the tally itself, three times a second; the page does not run again.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.classroom import Opened
from core.localization import _
from ui.classroom import qr
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


def _words() -> dict[str, str]:
    """What the wall's script says; "{…}" is filled in there."""
    return {
        "room": _("Room"),
        "code": _("QR code of {address}"),
        "one": _("1 answer"),
        "many": _("{count} answers"),
        "oneRight": _("1 answer, right"),
        "oneWrong": _("1 answer, not right"),
        "right": _("{count} answers, {right} of them right"),
        "both": _("class {times} ({own}), model {share}"),
        "twice": _("before {before}, now {times}"),
        "between": _("The phones wait for the next question."),
        "closed": _(
            "This room is closed, and what was answered is gone. Close it here, and open another."
        ),
        "offline": _("No connection to the server. This page keeps trying."),
    }


def show(room: Opened, seat: str, origin: str) -> None:
    """Draw the wall of a room.

    Args:
        room: the room.
        seat: in its address.
        origin: that phones can reach; "" if there is none, and then there is no code.
    """
    path = path_of(seat, room.name)
    address = f"{origin}{path}" if origin else ""
    drawn = qr.code(address) if address else None
    _COMPONENT(
        key="class wall",
        data={
            "name": room.name,
            "address": address,
            "size": drawn.size if drawn else 0,
            "path": drawn.path if drawn else "",
            "tally": f"{path}/tally",
            "key": room.key,
            "words": _words(),
        },
        height="content",
    )
