"""The tiny model's numbers, to be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from core.walkthroughs import tiny_numbers
from ui import choices
from ui.choices import EDITS, chosen

_KEPT, _MATRIX = "steps edited table", "steps matrix"


class _Table(NamedTuple):
    """What the table on the screen began with, and what it has become: its key changes with both."""

    name: str
    edits: str
    begun: str
    turn: int


def edit(changed: Callable[[], None]) -> None:
    """A table of one of the model's matrices, and the way back.

    Args:
        changed: called after a number has been changed.
    """
    left, right = st.columns([1, 3], gap="medium")
    with left:
        name = st.selectbox(
            "Change the numbers of",
            list(tiny_numbers.NAMES),
            index=list(tiny_numbers.NAMES).index("W_Q"),  # the first of the products
            key=_MATRIX,
            format_func=_title,
        )
        count = len(tiny_numbers.read_edits(chosen(EDITS)))
        st.caption(f"{count} changed" if count else "as it came")
        st.caption("Each from −100 to 100, with up to three decimals.")
        st.button("All numbers back", disabled=not count, on_click=_back, args=(changed,))
    kept: _Table | None = st.session_state.get(_KEPT)
    if kept is None or (kept.name, kept.edits) != (name, chosen(EDITS)):
        kept = _Table(name, chosen(EDITS), chosen(EDITS), kept.turn + 1 if kept else 0)
        st.session_state[_KEPT] = kept
    numbers = tiny_numbers.changed(tiny_numbers.read_edits(kept.begun))[name]
    rows = tiny_numbers.WORDS if name == "E" else [str(i + 1) for i in range(len(numbers))]
    columns = [str(i + 1) for i in range(numbers.shape[1])]
    column = st.column_config.NumberColumn(
        min_value=tiny_numbers.LEAST,
        max_value=tiny_numbers.MOST,
        step=0.001,
        required=True,
        width="small",
    )
    key = f"steps numbers {kept.turn}"
    with right:
        st.data_editor(
            # As text and back: 0.1 is not to stand there as 0.10000000149.
            pd.DataFrame([[float(f"{x:.6g}") for x in row] for row in numbers], list(rows), columns),
            key=key,
            column_config={name: column for name in columns},
            on_change=_take,
            args=(key, changed),
            width="stretch",
        )


def _title(name: str) -> str:
    what = {
        "E": "the table of words",
        "P": "positions",
        "g_1": "first norm",
        "s_1": "first norm",
        "g_2": "second norm",
        "s_2": "second norm",
    }
    return f"{tiny_numbers.NAMES[name]}{', ' + what[name] if name in what else ''}"


def _take(key: str, changed: Callable[[], None]) -> None:
    kept: _Table = st.session_state[_KEPT]
    found = tiny_numbers.read_edits(kept.begun)
    sent: dict[Any, dict[Any, Any]] = st.session_state[key].get("edited_rows", {})
    shape = tiny_numbers.NUMBERS[kept.name].shape
    for row, cells in sent.items():
        for column, typed in cells.items():
            place, value = (kept.name, int(row), int(column) - 1), tiny_numbers.clipped(typed)
            if value is not None and place[1] < shape[0] and 0 <= place[2] < shape[1]:
                found[place] = value
    edits = tiny_numbers.written(found)
    choices.choose(EDITS, edits)
    st.session_state[_KEPT] = kept._replace(edits=edits)
    changed()


def _back(changed: Callable[[], None]) -> None:
    choices.choose(EDITS, "")
    changed()
