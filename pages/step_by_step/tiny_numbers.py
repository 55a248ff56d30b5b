"""The tiny model's numbers, to be changed."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.walkthroughs import tiny_numbers
from pages.step_by_step.state import StepsState
from ui.state import select, table


def edit(s: StepsState) -> None:
    """A table of one of the model's matrices, and the way back."""
    left, right = st.columns([1, 3], gap="medium")
    with left:
        titles = {name: _title(name) for name in tiny_numbers.NAMES}
        name = select(s.matrix, titles, "Change the numbers of")
        count = len(tiny_numbers.read_edits(s.edits.get()))
        st.caption(f"{count} changed" if count else "unchanged")
        st.caption("Each number lies between −100 and 100 and has up to three decimals.")
        st.button("Reset all numbers", disabled=not count, on_click=s.edits.set, args=("",))
    column = st.column_config.NumberColumn(
        min_value=tiny_numbers.LEAST,
        max_value=tiny_numbers.MOST,
        step=0.001,
        required=True,
        width="small",
    )
    width = tiny_numbers.NUMBERS[name].shape[1]
    with right:
        table(
            s.edits,
            name,
            partial(_matrix, name),
            take=partial(_changed, name),
            columns={str(i + 1): column for i in range(width)},
        )


def _title(name: str) -> str:
    what = {
        "E": "the embedding table",
        "P": "positions",
        "g_1": "first norm",
        "s_1": "first norm",
        "g_2": "second norm",
        "s_2": "second norm",
    }
    return f"{tiny_numbers.NAMES[name]}{', ' + what[name] if name in what else ''}"


def _matrix(name: str, edits: str) -> pd.DataFrame:
    """A matrix of the tiny model with these changes."""
    numbers = tiny_numbers.changed(tiny_numbers.read_edits(edits))[name]
    rows = tiny_numbers.WORDS if name == "E" else [str(i + 1) for i in range(len(numbers))]
    columns = [str(i + 1) for i in range(numbers.shape[1])]
    # As text and back: 0.1 is not to stand there as 0.10000000149.
    return pd.DataFrame([[float(f"{x:.6g}") for x in row] for row in numbers], list(rows), columns)


def _changed(name: str, edits: str, cells: list[tuple[int, str, Any]]) -> str:
    """These changes and those in a table of one matrix."""
    changes, (rows, columns) = tiny_numbers.read_edits(edits), tiny_numbers.NUMBERS[name].shape
    for row, column, typed in cells:
        entry, value = (name, row, int(column) - 1), tiny_numbers.clipped(typed)
        if value is not None and row < rows and 0 <= entry[2] < columns:
            changes[entry] = value
    return tiny_numbers.written(changes)
