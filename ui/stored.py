"""The values of controls that leave a page and come back to it."""

from __future__ import annotations

import streamlit as st

from ui.permalink import Parameter

_HELD = "held while their controls are away"


def hold(*parameters: Parameter) -> None:
    """Keep the values of controls that are not on the page now: Streamlit would forget them."""
    held: set[str] = st.session_state.setdefault(_HELD, set())
    for parameter in parameters:
        st.session_state[parameter.key] = st.session_state.get(parameter.key, parameter.default)
        held.add(parameter.key)


def resume(*parameters: Parameter) -> None:
    """Before controls that may have been held: a browser is sent only what is set in the same run."""
    held: set[str] = st.session_state.get(_HELD, set())
    for parameter in parameters:
        if parameter.key in held:
            held.discard(parameter.key)
            st.session_state[parameter.key] = st.session_state.get(parameter.key, parameter.default)
