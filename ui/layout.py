"""How things stand on a page: their scale, controls beside each other, numbers as tables and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import style
from ui.state import PROJECTOR, Field, T, select

LARGER = 1.35  # how much larger a projector's type is
STEPS = 440  # pixels of Back, the list of steps and Next


def scale() -> float:
    """How much larger than usual pictures are to be, as their letters are."""
    return LARGER if PROJECTOR.get() else 1.0


def table(numbers: pd.DataFrame) -> None:
    """The numbers of a small picture for those who do not see it."""
    with st.expander("The same numbers as a table"):
        st.table(numbers.map(style.signed))


def beside(width: int = STEPS) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places beside each other, or one below the other where there is no room for both.

    Args:
        width: in pixels, of the first.
    """
    with row():
        return st.container(width=round(width * scale())), row("content")


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
    return select(chosen, names, title, by_names=True, width=round(width * scale()))
