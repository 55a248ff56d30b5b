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
const KEPT = "polysee room", AGAIN = 3000, TRIES = 5;
let timer = 0;
const kept = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
};
const keep = (room) => {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(room));
  } catch { /* this browser keeps nothing for us */ }
};
export default ({ data, setTriggerValue }) => {
  clearTimeout(timer);
  const room = kept();
  if (data.key) keep({ name: data.name, key: data.key });
  else if (room && room.name === data.gone) sessionStorage.removeItem(KEPT);
  else if (room) {
    // The answer is this part drawn anew. What is sent while the page is still being drawn can be lost.
    const ask = (tries) => {
      setTriggerValue("room", room);
      if (tries) timer = setTimeout(ask, AGAIN, tries - 1);
    };
    ask(TRIES);
  }
  return () => clearTimeout(timer);
};
"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component("polysee_room", js=_KEEPS, isolate_styles=False)


def show(room: Opened | None, gone: str, opened: Callable[[Opened], None]) -> None:
    """Keep a room in this tab; without one, look whether the tab has kept any. Nothing is seen of it.

    Args:
        room: the room of this session; None if it has none.
        gone: the name of one that the tab forgets, since it is closed; "" for none.
        opened: called, in a callback, with the room that the tab has kept.
    """
    data = {"gone": gone} if room is None else room._asdict()

    def take(sent: dict[str, Any]) -> None:
        opened(Opened(sent["name"], sent["key"]))

    heard = partial(events.receive, events.ROOM, _KEY, "room", take)
    _COMPONENT(key=_KEY, data=data, width="content", height="content", on_room_change=heard)
