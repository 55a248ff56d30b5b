"""Tables of numbers to be changed, one at a time, and the way back to what they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.walkthroughs.editable import LEAST, MOST, Tables, clipped
from ui.state import Choice, Field, select, table

Rows = Callable[[str], Sequence[str]]


def edit(
    tables: Tables,
    edits: Field[str],
    which: Choice,
    titles: Mapping[str, str],
    rows: Rows,
    *,
    most: Mapping[str, int] | None = None,
    first: int = 1,
) -> None:
    """One of the tables as cells, a list of all of them, and a button that takes all changes back.

    Args:
        tables: the numbers.
        edits: all changes, as `Tables.written` writes them.
        which: the table that is shown.
        titles: name -> what a screen calls it, of each table that is offered.
        rows: what the rows of a table are called.
        most: of tables of which only the first rows matter here, how many.
        first: the number of the first column.
    """
    left, right = st.columns([1, 3], gap="medium")
    with left:
        name = select(which, titles, "Change the numbers of")
        count = len(tables.read(edits.get()))
        st.caption(f"{count} changed" if count else "unchanged")
        st.caption("Each number lies between −100 and 100 and has up to three decimals.")
        st.button("Reset all numbers", disabled=not count, on_click=edits.set, args=("",))
    column = st.column_config.NumberColumn(
        min_value=LEAST, max_value=MOST, step=0.001, required=True, width="small"
    )
    width = tables.numbers[name].shape[1]
    named = tuple(rows(name))[: (most or {}).get(name)]
    with right:
        table(
            edits,
            f"{name} {len(named)}",
            partial(_matrix, tables, name, named, first),
            take=partial(_changed, tables, name, first),
            columns={str(i + first): column for i in range(width)},
        )


def _matrix(tables: Tables, name: str, rows: Sequence[str], first: int, edits: str) -> pd.DataFrame:
    """A table with these changes."""
    numbers = tables.changed(tables.read(edits))[name][: len(rows)]
    columns = [str(i + first) for i in range(numbers.shape[1])]
    # As text and back: 0.1 is not to stand there as 0.10000000149.
    return pd.DataFrame([[float(f"{x:.6g}") for x in row] for row in numbers], list(rows), columns)


def _changed(
    tables: Tables, name: str, first: int, edits: str, cells: list[tuple[int, str, Any]]
) -> str:
    """These changes and those in one table."""
    changes, (rows, columns) = tables.read(edits), tables.numbers[name].shape
    for row, column, typed in cells:
        entry, value = (name, row, int(column) - first), clipped(typed)
        if value is not None and row < rows and 0 <= entry[2] < columns:
            changes[entry] = value
    return tables.written(changes)
