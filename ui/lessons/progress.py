"""How far a visitor has come in the lessons: kept in the browser alone, never told to the server."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.lessons import readable
from ui.state import Place

# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_progress",
    html='<div class="polysee-progress"></div>',
    css=(Path(__file__).parent / "progress.css").read_text("utf-8"),
    js=(Path(__file__).parent / "progress.js").read_text("utf-8"),
    isolate_styles=False,
)


def note(place: Place, *, revealed: bool) -> None:
    """A step is on the screen: the browser notes it.

    Where the step is another one than before, or its answer has come, the card takes the focus: what
    had it is gone, and whoever goes by keys would begin at the top of the page.
    """
    data = {"do": "note", "lesson": place.name, "step": place.step, "revealed": revealed}
    _COMPONENT(key="lesson progress", data=data, height="content")


def show(lesson: str, steps: int) -> None:
    """How many steps of a lesson this browser has shown."""
    _COMPONENT(
        key=f"progress {lesson}",
        data={"do": "show", "lesson": lesson, "steps": steps},
        height="content",
    )


def forget() -> None:
    """A button that forgets all progress; it is there only where there is any."""
    names = [one.name for one in readable()[0]]
    _COMPONENT(key="progress forget", data={"do": "forget", "lessons": names}, height="content")
