"""The sentence above a view's picture, which stays with the picture in front of a class."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.next_word import hidden
from ui import text
from ui.state import PRESENT

MOST_PRESENTED = 160  # letters of the text before the sentence, in front of a class


def place() -> DeltaGenerator:
    """Where it stands; the view writes it when its numbers are there."""
    with st.container(key="presented line"):
        return st.empty()


def write(where: DeltaGenerator, said: str, read: str = "") -> None:
    """Write it.

    Args:
        where: its `place`.
        said: the sentence (Markdown).
        read: the text that it is about. In front of a class no box shows it: its end stands before.
    """
    if not PRESENT.get():
        where.markdown(f"#### {said}")
        return
    tail = text.clipped(hidden.text(read), MOST_PRESENTED, keep="end")
    where.markdown(f"{text.plain(tail)} … {said}" if read else said)
