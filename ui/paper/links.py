"""The links from the app to the sheets of a lesson, which lead to each other.

They open in a new tab, so that the page stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import streamlit as st

from core.lessons import Lesson
from ui.serving.routes import root

# One sheet each; slides and pack are several.
Kind: TypeAlias = Literal["notes", "questions", "key", "plan", "rubric", "slides", "pack"]
EVERY: tuple[Kind, ...] = get_args(Kind)
KINDS: tuple[Kind, ...] = EVERY[:-2]


def address(lesson: str, kind: Kind, *, second: bool = False) -> str:
    """The path of a sheet.

    Args:
        lesson: its name.
        kind: of the sheet.
        second: with the lesson's second sentences.
    """
    return f"{root()}/paper/{lesson}/{kind}{'?second' if second else ''}"


def fold(lessons: Sequence[Lesson]) -> None:
    """The links to all sheets of these lessons, folded: each link is a stop for the Tab key."""
    with st.expander("On paper: a pack for each lesson, with plan, sheets, key, slides and rubric"):
        st.markdown(
            f"[All packs]({root()}/paper/packs.zip), a ZIP file of pages to print (made in minutes)"
        )
        for one in lessons:
            said = " · ".join(
                f'[{_called(kind)}]({address(one.name, kind)} "Lesson {one.number}: {kind}")'
                for kind in ("pack", *EVERY[:-1])
            )
            st.markdown(f"{one.number}\\. {one.title}: {said}")


def button(lesson: str, *, second: bool) -> None:
    """A link to the questions of a lesson, in a word: on its card there is little room."""
    about = "Questions, notes, key, and a plan of 45 minutes: a sheet of paper each."
    st.markdown(f'[Print]({address(lesson, "questions", second=second)} "{about}")', width="content")


def course(name: str) -> str:
    """The path of a course's page."""
    return f"{root()}/paper/course/{name}"


def _called(kind: str) -> str:
    return "**pack**" if kind == "pack" else kind
