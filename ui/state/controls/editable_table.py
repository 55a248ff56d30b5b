"""A table with editable cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from ui import session
from ui.session import SessionValue
from ui.state.controls.binding import refusal
from ui.state.fields import Field


class _Cells(NamedTuple):
    """A table on the screen: its name, its current content, its initial content, and its version."""

    name: str
    now: str
    begun: str
    turn: int


def table(
    chosen: Field[str],
    name: str,
    draw: Callable[[str], pd.DataFrame],
    *,
    take: Callable[[str, list[tuple[int, str, Any]]], str],
    columns: Mapping[str, Any],
    refused: Callable[[list[tuple[int, str, Any]]], str] | None = None,
) -> None:
    """A table with editable cells. A browser reports all changes since the table was created.

    Where a cell is refused, the table is drawn anew, with what it shows now, and says why.

    Args:
        chosen: the field that holds all changes.
        name: the name of the table; each name has its own changes.
        draw: returns the table with these changes applied.
        take: returns the field's new value from the old changes and the new ones: row, column and typed
            text of each cell.
        columns: the column configuration of Streamlit's data editor.
        refused: why some of these cells are not taken (Markdown); "" if all are.
    """
    why = refusal(chosen)
    memory = SessionValue[_Cells | None](f"{chosen.control} begun", None)
    on = memory.get()
    if on is None or (on.name, on.now) != (name, chosen.get()):
        on = _Cells(name, chosen.get(), chosen.get(), on.turn + 1 if on else 0)
        memory.set(on)
    began, key = on, f"{chosen.control} {on.turn}"

    def changed() -> None:
        rows: dict[Any, dict[str, Any]] = session.reported(key).get("edited_rows", {})
        cells = [(int(row), name, typed) for row, of in rows.items() for name, typed in of.items()]
        if refused is not None and (sentence := refused(cells)):
            why.set(sentence)
            chosen.set(take(began.now, cells))  # a cell that is refused stays as it was before
            memory.set(_Cells(name, chosen.get(), chosen.get(), began.turn + 1))
        else:
            chosen.set(take(began.begun, cells))
            memory.set(began._replace(now=chosen.get()))

    st.data_editor(
        draw(on.begun), key=key, column_config={**columns}, on_change=changed, width="stretch"
    )
    if sentence := why.take():
        st.warning(sentence)
