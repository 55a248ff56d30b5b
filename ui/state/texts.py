"""Boxes for texts: sentences, paragraphs, lists of lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from ui import permalink
from ui.session import SessionValue
from ui.text_box import box

Width = int | Literal["stretch"]
LABEL = 28  # pixels of a label above a box


def text(
    chosen: SessionValue[str],
    label: str,
    *,
    most: int | None = None,
    width: Width = "stretch",
    default: str | None = None,
    follows: bool = True,
    placeholder: str = "",
    named: bool = True,
    changed: Callable[[], None] | None = None,
) -> str:
    """A text of one paragraph, as it was typed: it may be one that `parse` refuses.

    Args:
        chosen: what is typed.
        label: above the box.
        most: how many letters it may have.
        width: in pixels.
        default: what stands in the box while nothing is chosen; typed again, nothing is.
        follows: whether a pause tells what is typed by then; else Enter does, and leaving the box.
        placeholder: what stands in it while it is empty.
        named: whether the label stands above it; else only a screen reader says it.
        changed: called when a visitor has typed another.

    Returns:
        What stands in the box.
    """
    value = chosen.get() or default or ""
    _box(
        chosen,
        label,
        value,
        changed,
        default,
        # A box that was just emptied, to type something else, would be filled again.
        follows=follows and default is None,
        most=most,
        width=width,
        placeholder=placeholder,
        named=named,
    )
    return value


def paragraph(
    chosen: SessionValue[str],
    label: str,
    *,
    placeholder: str = "",
    height: int | None = None,
    most: int | None = None,
    named: bool = True,
    changed: Callable[[], None] | None = None,
) -> str:
    """A text of one line or of many.

    Args:
        chosen: what is typed.
        label: above the box.
        placeholder: what stands in it while it is empty.
        height: of a list of lines, with its label, in pixels: it is told when all are typed, by leaving
            the box. None: a sentence or a paragraph, which is told as it is typed.
        most: how many letters it may have.
        named: whether the label stands above it; else only a screen reader says it.
        changed: called when a visitor has typed another.
    """
    value = chosen.get()
    chosen.set(value)
    _box(
        chosen,
        label,
        value,
        changed,
        kind="paragraph" if height is None else "lines",
        follows=height is None,
        named=named,
        placeholder=placeholder,
        most=most,
        height=None if height is None else height - LABEL * named,
    )
    return value


def _box(
    chosen: SessionValue[str],
    label: str,
    value: str,
    changed: Callable[[], None] | None,
    default: str | None = None,
    **look: Any,
) -> None:
    """Draw a box for a text, and hear what is typed into it unless something has replaced the text."""
    memory = f"{chosen.control} drawn"

    def now() -> tuple[str, int]:
        return chosen.get(), permalink.now().went

    if st.session_state.get(memory, now()) != now():
        box.overwritten(chosen.control)
    st.session_state[memory] = now()

    def take(typed: str) -> bool:
        # A button that was pressed, as of an example, may be heard before what was typed before it.
        if st.session_state[memory] != now():
            return False
        chosen.set("" if typed == default else typed)
        if changed is not None:
            changed()
        st.session_state[memory] = now()
        return True

    box.draw(chosen.control, label, value, take, **look)
