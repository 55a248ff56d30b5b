"""The links from the app to the sheets of a lesson. Each opens in a new tab, so that the page stays."""

from __future__ import annotations

import streamlit as st

from ui.paper.sheets import KINDS, Kind
from ui.serving.sent_once import root


def address(lesson: str, kind: Kind, *, second: bool = False) -> str:
    """The path of a sheet.

    Args:
        lesson: its name.
        kind: of the sheet.
        second: with the lesson's second sentences.
    """
    return f"{root()}/paper/{lesson}/{kind}{'?second' if second else ''}"


def row(lesson: str) -> None:
    """The links to all four sheets of a lesson, in a line."""
    said = " · ".join(f"[{kind}]({address(lesson, kind)})" for kind in KINDS)
    st.markdown(f":small[Print: {said}]")


def button(lesson: str, *, second: bool) -> None:
    """A link to the questions, where the other sheets are a click away: a row would take more room."""
    about = "Questions, notes, key, and a plan of 45 minutes: a sheet of paper each."
    st.markdown(f'[Print]({address(lesson, "questions", second=second)} "{about}")', width="content")
