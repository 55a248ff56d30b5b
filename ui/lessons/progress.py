"""How far a visitor has come in the lessons: kept in the browser alone, never told to the server."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.lessons import lessons
from ui.state import Place

# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENT = st.components.v2.component(
    "polysee_progress",
    html='<div class="polysee-progress"></div>',
    css=(Path(__file__).parent / "progress.css").read_text("utf-8"),
    js=(Path(__file__).parent / "progress.js").read_text("utf-8"),
    isolate_styles=False,
)


def note(place: Place) -> None:
    """A step is on the screen: the browser notes it, and puts the focus on it where it is a new one."""
    _COMPONENT(
        key="lesson progress",
        data={"do": "note", "lesson": place.name, "step": place.step},
        height="content",
    )


def show(lesson: str, steps: int) -> None:
    """How many steps of a lesson this browser has shown."""
    _COMPONENT(
        key=f"progress {lesson}",
        data={"do": "show", "lesson": lesson, "steps": steps},
        height="content",
    )


def forget() -> None:
    """A button that forgets all progress; it is there only where there is any."""
    names = [one.name for one in lessons()]
    _COMPONENT(key="progress forget", data={"do": "forget", "lessons": names}, height="content")
