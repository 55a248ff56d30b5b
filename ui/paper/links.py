"""The links from the app to the sheets of a lesson, which lead to each other.

They open in a new tab, so that the page stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import streamlit as st

from core.lessons import Lesson
from ui.serving.routes import root

Kind: TypeAlias = Literal["notes", "questions", "key", "plan"]
KINDS: tuple[Kind, ...] = get_args(Kind)


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
    with st.expander("On paper: notes, questions, key and a plan of 45 minutes"):
        for one in lessons:
            said = " · ".join(
                f'[{kind}]({address(one.name, kind)} "Lesson {one.number}: {kind}")' for kind in KINDS
            )
            st.markdown(f"{one.number}\\. {one.title}: {said}")


def button(lesson: str, *, second: bool) -> None:
    """A link to the questions of a lesson, in a word: on its card there is little room."""
    about = "Questions, notes, key, and a plan of 45 minutes: a sheet of paper each."
    st.markdown(f'[Print]({address(lesson, "questions", second=second)} "{about}")', width="content")
