"""A picture that moves by itself when it is opened: once a visit, never where a link has a depth."""

from __future__ import annotations

import streamlit as st

from ui.permalink import Parameter


def starts(name: str, back: Parameter) -> bool:
    """Whether a picture moves by itself this time; asking spends the one time of a visit.

    Args:
        name: of the picture, the same in every run.
        back: how many layers before the last one it stands.
    """
    spent = f"{name} has moved by itself"
    first = not st.session_state.get(spent) and not st.session_state[back.key]
    st.session_state[spent] = True
    return first
