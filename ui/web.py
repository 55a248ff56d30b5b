"""The browser pictures of `core.figures.web` as components of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from core.figures import web

# The picture brings a shadow of its own; `render` is the module's.
_ADAPTER = """
export default ({ data, parentElement, setTriggerValue }) =>
  render(parentElement, data, (name, value) => setTriggerValue(name, value));
"""
# Registered once a process, when this module is imported: a second registration would win for all.
_COMPONENTS = {
    module: st.components.v2.component(
        f"polysee_{module}", js=web.code(module) + _ADAPTER, isolate_styles=False
    )
    for module in web.MODULES
}


class Cell(NamedTuple):
    """A cell that a visitor chose."""

    row: int
    column: int


def show(picture: web.Picture, key: str, *, on_cell: Callable[[Cell], None] | None = None) -> None:
    """Draw a picture in its place; its height is kept free before it is drawn.

    Args:
        picture: what to draw.
        key: its name on the page; with the same name, new numbers are painted into the same place.
        on_cell: called with the cell that a visitor clicks, or chooses with Enter, before the page
            runs again. Without it, a choice never reaches the server.
    """

    def chosen() -> None:
        if on_cell is not None:
            cell = st.session_state[key]["cell"]
            on_cell(Cell(int(cell["row"]), int(cell["column"])))

    events = ("cell",) if on_cell is not None else ()
    _COMPONENTS[picture.module](
        key=key, data=picture.to_bytes(events=events), height=picture.height, on_cell_change=chosen
    )
