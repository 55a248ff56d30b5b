"""Controls beside each other, and lists whose options are called by what is on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import layout
from ui.state import Field, T, select

STEPS = 440  # pixels of Back, the list of steps and Next


def beside(width: int = STEPS) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places beside each other, or one below the other where there is no room for both.

    Args:
        width: in pixels, of the first.
    """
    with row():
        return st.container(width=round(width * layout.scale())), row("content")


def row(width: Literal["stretch", "content"] = "stretch") -> DeltaGenerator:
    """Controls beside each other, with more lines where they need them."""
    return st.container(horizontal=True, vertical_alignment="bottom", gap="small", width=width)


def choose_named(chosen: Field[T], title: str, names: Mapping[T, str], width: int) -> T:
    """One of several that are called by what is on the screen, in a list as wide as its letters need.

    Args:
        chosen: what is chosen.
        title: of the list.
        names: option -> its name, all different.
        width: in pixels, at the usual size of type.
    """
    return select(chosen, names, title, by_names=True, width=round(width * layout.scale()))
