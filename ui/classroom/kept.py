"""A teacher's room outlasts a reload: the tab keeps its name and key, and brings them to a new session.

They are in the session storage of this tab alone, and gone with it. What a teacher's page knows of the
room is kept with the room (`core.classroom.Rooms.hold`), for whoever has the key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from core.classroom import Opened
from ui import events

_KEY = "class kept"
_KEEPS = """
const KEPT = "polysee room";
export default ({ data, setTriggerValue }) => {
  try {
    if (data.key) sessionStorage.setItem(KEPT, JSON.stringify(data));
    else {
      const room = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
      sessionStorage.removeItem(KEPT);
      if (room) setTriggerValue("room", room);
    }
  } catch { /* this browser keeps nothing for us */ }
};
"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_room", js=_KEEPS, isolate_styles=False)


def show(room: Opened | None, opened: Callable[[Opened], None]) -> None:
    """Keep a room in this tab; without one, look whether the tab has kept any. Nothing is seen of it.

    Args:
        room: the room of this session; None if it has none.
        opened: called, in a callback, with the room that the tab has kept.
    """
    data = {} if room is None else room._asdict()

    def take(sent: dict[str, Any]) -> None:
        opened(Opened(sent["name"], sent["key"]))

    heard = partial(events.receive, events.ROOM, _KEY, "room", take)
    _COMPONENT(key=_KEY, data=data, width="content", height="content", on_room_change=heard)
