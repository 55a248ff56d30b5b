"""The browser pictures of `core.figures.web` as components of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

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


class Head(NamedTuple):
    """A head that a visitor chose, counted from 0."""

    layer: int
    head: int


def show(
    picture: web.Picture,
    key: str,
    *,
    on_cell: Callable[[Cell], None] | None = None,
    on_depth: Callable[[int], None] | None = None,
    on_head: Callable[[Head], None] | None = None,
    on_state: Callable[[Mapping[str, Any]], None] | None = None,
    scale: float = 1.0,
) -> None:
    """Draw a picture in its place; its height is kept free before it is drawn.

    What a visitor does reaches the server only where the page gives a function for it, which is called
    before the page runs again.

    Args:
        picture: what to draw.
        key: its name on the page; with the same name, new numbers are painted into the same place.
        on_cell: called with the cell that a visitor clicks, or chooses with Enter.
        on_depth: called with the depth, from 0, that a visitor has moved the picture's slider to.
        on_head: called with the head that a visitor clicks, or chooses with Enter.
        on_state: called with what a visitor has chosen inside the picture, as its `state` takes it:
            plain values, which came from a browser.
        scale: how much higher than usual it is to be, where the page's letters are larger.
    """
    acts: dict[str, Callable[[Mapping[str, Any]], None]] = {}
    if on_cell is not None:
        acts["cell"] = lambda sent: on_cell(Cell(int(sent["row"]), int(sent["column"])))
    if on_depth is not None:
        acts["depth"] = lambda sent: on_depth(int(sent["depth"]))
    if on_head is not None:
        acts["head"] = lambda sent: on_head(Head(int(sent["layer"]), int(sent["head"])))
    if on_state is not None:
        acts["state"] = lambda sent: on_state(dict(sent))

    def heard(event: str) -> None:
        acts[event](st.session_state[key][event])

    callbacks: dict[str, Any] = {f"on_{event}_change": partial(heard, event) for event in acts}
    if scale != 1:
        picture = picture.scaled(scale)
    _COMPONENTS[picture.module](
        key=key,
        data=picture.to_bytes(events=tuple(acts)),
        height=picture.height,
        **callbacks,
    )
