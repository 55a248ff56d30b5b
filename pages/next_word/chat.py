"""A chat, as the model reads it."""

from __future__ import annotations

import streamlit as st

from pages.next_word.state import NextWordState


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    st.info(f"{model}: {s.text.get()}")
