"""Editable tables of numbers, shown one at a time, with a button that resets them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.figures import style
from core.localization import _, decimal, ngettext
from core.walkthroughs.editable import DECIMALS, LEAST, MOST, Tables, decimals, typed_number
from ui.state import Choice, Field, select, table
from ui.text import plain

Rows = Callable[[str], Sequence[str]]
_MOST_SHOWN = 24  # letters of a rejected entry


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
    """One of the tables as cells, a list of all tables, and a button that undoes all changes.

    The cells hold text, because a browser would silently drop an entry that is not a number within
    bounds.

    Args:
        tables: the numbers.
        edits: all changes, as `Tables.written` writes them.
        which: the table that is shown.
        titles: name -> title on the screen, for each selectable table.
        rows: the names of a table's rows.
        most: for tables of which only the first rows matter, their number.
        first: the number of the first column.
    """
    left, right = st.columns([1, 3], gap="medium")
    with left:
        name = select(which, titles, _("Change the numbers of"))
        count = len(tables.read(edits.get()))
        st.caption(_("{count} changed").format(count=count) if count else _("unchanged"))
        st.caption(_("Each cell takes {numbers}.").format(numbers=allowed()))
        st.button(_("Reset all numbers"), disabled=not count, on_click=edits.set, args=("",))
    column = st.column_config.TextColumn(width="small", alignment="right")
    width = tables.numbers[name].shape[1]
    named = tuple(rows(name))[: (most or {}).get(name)]
    draw = partial(_matrix, tables, name, named, first)
    with right:
        table(
            edits,
            f"{name} {len(named)}",
            draw,
            take=partial(_changed, tables, name, first),
            columns={str(i + first): column for i in range(width)},
            refused=_refused,
        )


def _matrix(tables: Tables, name: str, rows: Sequence[str], first: int, edits: str) -> pd.DataFrame:
    """A table with these changes, all of it with the same decimals."""
    numbers = tables.changed(tables.read(edits))[name]
    digits = decimals(numbers)
    columns = [str(i + first) for i in range(numbers.shape[1])]
    cells = [[style.signed(float(x), digits) for x in row] for row in numbers[: len(rows)]]
    return pd.DataFrame(cells, list(rows), columns)


def _changed(
    tables: Tables, name: str, first: int, edits: str, cells: list[tuple[int, str, Any]]
) -> str:
    """These changes and those in one table; an entry that is not an allowed number changes nothing."""
    changes, (rows, columns) = tables.read(edits), tables.numbers[name].shape
    shown = _matrix(tables, name, [str(i) for i in range(rows)], first, edits)
    for row, column, typed in cells:
        entry = name, row, int(column) - first
        if not (row < rows and 0 <= entry[2] < columns) or typed == shown.iat[row, entry[2]]:
            continue  # an unchanged cell keeps its hidden decimals
        value = _number(typed)
        if value is not None:
            changes[entry] = value
    return tables.written(changes)


def _refused(cells: list[tuple[int, str, Any]]) -> str:
    """The rejected entries and the allowed numbers (Markdown); "" if all were accepted."""
    wrong = [typed for _, _, typed in cells if _number(typed) is None]
    if not wrong:
        return ""
    named = dict.fromkeys(str(typed or "").strip() for typed in wrong)
    said = ", ".join(
        _("“{word}”").format(word=plain(_short(typed))) if typed else _("an empty cell")
        for typed in named
    )
    return ngettext(
        "{entries} was not accepted: each cell takes {numbers}.",
        "{entries} were not accepted: each cell takes {numbers}.",
        len(named),
    ).format(entries=f"{said[0].upper()}{said[1:]}", numbers=allowed())


def allowed() -> str:
    """The numbers that a cell takes."""
    return _("a number from {least} to {most} with at most {decimals} decimals").format(
        least=style.signed(LEAST, 0), most=f"{MOST:.0f}", decimals=DECIMALS
    )


def _number(typed: object) -> float | None:
    """A number with the decimal sign of the language, or with a point."""
    return typed_number(typed.replace(decimal("."), ".") if isinstance(typed, str) else typed)


def _short(typed: str) -> str:
    return typed if len(typed) <= _MOST_SHOWN else f"{typed[:_MOST_SHOWN]}…"
