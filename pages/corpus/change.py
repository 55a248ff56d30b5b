"""How did it change? The share of each group over a column of the texts, with counts and intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.corpus.querying.concordance import Groups
from core.corpus.reading.columns import Value
from core.figures import Picture, share_dots
from core.measures.senses.shares import Share, shares
from pages.corpus import tables
from pages.corpus.concordance import looks
from pages.corpus.state import CorpusState
from ui import figure, layout, state
from ui.corpora.lines import CachedWord
from ui.page import terms

MOST_VALUES = 12  # of a text; the others are left out, and said
MOST_STEPS = 24  # of a number; more are put together
_ROUND = (1, 2, 5)


def draw(s: CorpusState, word: CachedWord, groups: Groups, line: int) -> None:
    """The share of the line's group, or of the chosen one, over a column."""
    st.markdown("**How did it change?**")
    kinds = {"source": "text", **word.corpus.manifest.columns}
    own = [*word.corpus.manifest.columns, "source"]
    if s.column.get() not in own:
        s.column.set(_first(word, own))
    column = state.select(
        s.column, {name: name for name in own}, "Over the column", by_names=True, width=220
    )
    numeric = kinds[column] != "text"
    values, left = steps_of(word.lines.column(column), numeric=numeric)
    found = in_order(shares([int(g) for g in groups.of], values), numeric=numeric)
    if not found:
        st.caption("No occurrence has a value in this column.")
        return
    group = s.group.get() - 1 if 0 < s.group.get() <= len(groups.names) else int(groups.of[line])
    picture = picture_of(found, groups, group, column, numeric=numeric)
    table = partial(tables.shares_table, found, column, groups.names)
    figure.show(picture, "shares", saved_as=tables.both(table, "shares"), scale=layout.scale())
    more = f" {left} occurrences with rarer values are left out." if left else ""
    terms.caption(
        f"The share of each group among the lines of each {column}; *n* is their number. The line "
        "through a share is its 95 % interval (Wilson). It assumes independent occurrences, and those "
        f"of one text seldom are.{more}",
        "corpus shares",
    )
    with st.expander("All groups as a table"):
        st.dataframe(table(), hide_index=True, height=260)


def _first(word: CachedWord, names: Sequence[str]) -> str:
    """The column with the fewest different values, but more than one."""
    counts = {name: len({*word.lines.column(name)}) for name in names}
    several = [name for name in names if counts[name] > 1]
    return min(several, key=lambda name: counts[name]) if several else names[0]


def steps_of(values: Sequence[Value], *, numeric: bool) -> tuple[list[str | float | None], int]:
    """For each occurrence the value by which it is counted, None for none; and how many are left out.

    Numbers with many different values are put together in steps of a round length, each named by its
    first number; of texts, the commonest remain.
    """
    if not numeric:
        kept = {
            value for value, _ in Counter(v for v in values if v is not None).most_common(MOST_VALUES)
        }
        named: list[str | float | None] = [str(v) if v in kept else None for v in values]
        return named, sum(value is not None and value not in kept for value in values)
    numbers = [float(value) for value in values if value is not None and not isinstance(value, str)]
    if not numbers:
        return [None] * len(values), 0
    length = 0.0 if len({*numbers}) <= MOST_STEPS else _step((max(numbers) - min(numbers)) / MOST_STEPS)
    steps: list[str | float | None] = []
    for value in values:
        if value is None or isinstance(value, str):
            steps.append(None)
        else:
            steps.append(float(np.floor(value / length) * length) if length else float(value))
    return steps, 0


def _step(least: float) -> float:
    """The first of 1, 2, 5, 10, … times a power of ten from `least` up."""
    unit = 10.0 ** np.floor(np.log10(least))
    return float(next((by * unit for by in _ROUND if by * unit >= least), 10 * unit))


def in_order(found: Sequence[Share], *, numeric: bool) -> list[Share]:
    """Numbers ascending; texts by the number of their occurrences, the most first."""
    if numeric:
        return sorted(found, key=lambda one: float(str(one.value)))
    return sorted(found, key=lambda one: (-one.total, str(one.value)))


def picture_of(
    found: Sequence[Share], groups: Groups, group: int, column: str, *, numeric: bool
) -> Picture:
    """A row for each value, a panel for each group, whose intervals are lines."""
    values = dict.fromkeys(one.value for one in found)
    return share_dots(
        found,
        looks(groups),
        names=[f"{float(str(value)):g}" if numeric else str(value) for value in values],
        axis=f"share of the lines of each {column}",
        chosen=group,
        sentence=f"The share of each group for each value of {column}, with its interval.",
        name="shares",
    )
