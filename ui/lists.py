"""Controls beside each other, and lists whose options are called by what is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui import layout, widgets
from ui.permalink import Parameter
from ui.state import Field, T, select

Changed = Callable[[], None]
STEPS = 440  # pixels of Back, the list of steps and Next


def rows(width: int = STEPS) -> tuple[DeltaGenerator, DeltaGenerator]:
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


def choose(
    parameter: Parameter,
    title: str,
    names: Mapping[Any, str],
    changed: Changed | None = None,
    *,
    width: int = 0,
) -> Any:
    """One of several, by a list; the parameter must hold one of them.

    A browser answers with the name of an option, and keeps the name that it showed last. So each set of
    names has a list of its own: else "cat (3)" would come back for a text in which there is no cat.

    Args:
        parameter: what is chosen.
        title: of the list.
        names: option -> its name, all different.
        changed: called after a choice, where more is to be done than to run the page again.
        width: in pixels; 0: what room there is.
    """
    own = f"{parameter.key} {crc32('|'.join(names.values()).encode()):08x}"
    widgets.keep(own, st.session_state.get(parameter.key, parameter.default))
    st.selectbox(
        title,
        list(names),
        key=own,
        format_func=lambda option: names.get(option, str(option)),
        on_change=_take,
        args=(parameter, own, changed),
        width=round(width * layout.scale()) if width else "stretch",
    )
    return st.session_state.get(parameter.key, parameter.default)


def _take(parameter: Parameter, own: str, changed: Changed | None) -> None:
    with suppress(ValueError):  # the name of another list's option
        st.session_state[parameter.key] = parameter.parse(str(st.session_state.get(own)))
    if changed is not None:
        changed()
