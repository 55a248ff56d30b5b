"""Tables on the page: columns are named in the language of the screen; in files, as in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core import localization
from core.localization import N_, decimal, gettext
from ui.corpora.selection import column_name

NAMES: Mapping[str, str] = {
    "word": N_("word"),
    "times": N_("times"),
    "words": N_("words"),
    "here": N_("here"),
    "others": N_("others"),
    "log ratio": N_("log ratio"),
    "per million": N_("per million"),
    "from": N_("at least"),
    "to": N_("at most"),
    "group": N_("group"),
    "count": N_("number"),
    "of": N_("of"),
    "share": N_("share"),
    "low": N_("low"),
    "high": N_("high"),
    "distance": N_("distance"),
    "chance": N_("chance"),
    "times chance": N_("times chance"),
    "occurrences": N_("occurrences"),
    "cosine": N_("cosine"),
    "mark": N_("mark"),
    "file": N_("file"),
    "read as": N_("read as"),
    "source": N_("source"),
}
# What a measure says, behind the head of its column.
MEANINGS: Mapping[str, str] = {
    "logDice": N_(
        "How strongly two words belong together: 14 if they always stand together; 1 more is twice as "
        "strong."
    ),
    "LL": N_(
        "Log-likelihood: how surely the difference is no chance. Chance alone reaches 3.84 once in 20 "
        "times."
    ),
    "log ratio": N_("How many times as often: 1 is twice as often, 2 four times, −1 half as often."),
    "per million": N_("Occurrences in a million words of these texts."),
    "DP": N_("How unevenly it is spread: 0 is evenly over all texts, 1 is in hardly any of them."),
    "times chance": N_(
        "How far apart the two means of a word lie, divided by what chance alone gives."
    ),
    "cosine": N_("Cosine similarity: 1 for the same direction, 0 for a right angle."),
}
# So many digits behind the point that columns are read from top to bottom.
DIGITS: Mapping[str, int] = {
    "logDice": 2,
    "log ratio": 2,
    "LL": 1,
    "distance": 2,
    "from": 1,
    "to": 1,
    "share": 2,
    "low": 2,
    "high": 2,
    "DP": 2,
    "times chance": 1,
    "cosine": 2,
}


def columns(names: Sequence[str]) -> dict[str, str]:
    """The columns of a corpus as a list offers them."""
    return {name: column_name(name) for name in names}


def draw(
    table: pd.DataFrame,
    *,
    width: Any = "stretch",
    height: Any = "auto",
    digits: int | None = None,
    most: Mapping[str, float] | None = None,
    as_they_are: Sequence[str] = (),
) -> None:
    """Draw a table without its index.

    Args:
        table: the table; its columns have the names that its file has.
        width: as Streamlit takes it.
        height: the same.
        digits: decimals of all numbers that are no whole ones; None for those of `DIGITS`.
        most: columns that are drawn as bars, each with the value of a full one.
        as_they_are: columns that are not ours to name: those of a corpus, values, groups.
    """
    shown: dict[str, Any] = {}
    exact: dict[Any, str] = {}
    for name in map(str, table.columns):
        label = name if name in as_they_are else gettext(NAMES.get(name, name))
        about = None if name in as_they_are or name not in MEANINGS else gettext(MEANINGS[name])
        if most is not None and name in most:
            tenths = int(most[name] < 100)
            shown[name] = st.column_config.ProgressColumn(
                label, format=f"%.{tenths}f", min_value=0, max_value=most[name], help=about
            )
        elif pd.api.types.is_float_dtype(table[name]):
            places = DIGITS.get(name, 1) if digits is None else digits
            exact[name] = f"{{:,.{places}f}}"
            shown[name] = st.column_config.NumberColumn(label, format=f"%.{places}f", help=about)
        else:
            shown[name] = label
    data: Any = table
    if localization.current() != localization.ENGLISH and exact:  # the format above has a point
        shown |= {name: shown[name] | {"type_config": {"type": "number"}} for name in exact}
        data = table.style.format(
            {name: partial(_written, form) for name, form in exact.items()}, na_rep=""
        )
    st.dataframe(data, hide_index=True, width=width, height=height, column_config=shown)


def _written(form: str, value: float) -> str:
    return decimal(form.format(value))
