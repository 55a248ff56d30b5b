"""Something that is on or off, and a part of a page that is open or folded."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.session import SessionValue
from ui.state.controls.binding import show, take_over


def toggle(
    chosen: SessionValue[bool],
    label: str,
    *,
    about: str | None = None,
    changed: Callable[[], None] | None = None,
) -> bool:
    """Turn something on or off.

    Args:
        chosen: the field.
        label: the label beside it.
        about: the help text behind a question mark beside the label.
        changed: called when a visitor turns it on or off.
    """
    value = chosen.get()
    key = show(chosen, value)
    st.toggle(label, value, key=key, help=about, on_change=take_over(chosen, changed))
    return value


def fold(chosen: SessionValue[bool], label: str) -> DeltaGenerator:
    """A part of a page that is folded under its label; its content is drawn only while it is open."""
    is_open = chosen.get()
    key = show(chosen, is_open)
    return st.expander(label, is_open, key=key, on_change=take_over(chosen))
