"""The layout of a page: the scale of pictures, controls beside each other, tables of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.figures import style
from core.localization import _
from ui.state import PROJECTOR, Field, T, select

LARGER = 1.35  # how much larger a projector's type is
STEPS = 440  # pixels of Back, the list of steps and Next


def scale() -> float:
    """The factor by which pictures and their letters are enlarged."""
    return LARGER if PROJECTOR.get() else 1.0


def table(numbers: pd.DataFrame) -> None:
    """The numbers of a small picture as a table, for visitors who do not see the picture."""
    with st.expander(_("The same numbers as a table")):
        st.table(numbers.map(style.signed))


def beside(width: int = STEPS, name: str | None = None) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two containers beside each other, or one below the other on a narrow screen.

    Args:
        width: the width of the first, in pixels.
        name: for styles, the row is called "{name} row", and the second "{name} controls".
    """
    with row(name=f"{name} row" if name else None):
        second = f"{name} controls" if name else None
        return st.container(width=round(width * scale())), row("content", second)


def row(width: Literal["stretch", "content"] = "stretch", name: str | None = None) -> DeltaGenerator:
    """A container for controls beside each other, which wraps onto further lines."""
    look: dict[str, Any] = {"vertical_alignment": "bottom", "gap": "small", "width": width}
    return st.container(horizontal=True, key=name, **look)


def choose_named(chosen: Field[T], title: str, names: Mapping[T, str], width: int) -> T:
    """A list of options whose names come from the screen, such as the tokens of a text.

    Args:
        chosen: the field of the chosen option.
        title: the title of the list.
        names: option -> its name, all different.
        width: the width in pixels, at the usual size of type.
    """
    return select(chosen, names, title, by_names=True, width=round(width * scale()))
