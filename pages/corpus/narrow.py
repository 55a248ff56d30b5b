"""Which texts count, and which lines of a word are shown: a filter over a column, and samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from core.corpus import Corpus
from core.corpus.querying.picking import Way
from core.corpus.storage.columns import value_name
from pages.corpus.state import CorpusState
from ui import state
from ui.corpora.offered import Offered
from ui.corpora.selection import EVERY, SOURCE, Selection
from ui.corpora.values import values_of
from ui.models.attempt import attempt

LISTED = 300  # values of a column; of more, the value is typed
ALL_TEXTS = ""
WAYS: dict[str, str] = {
    "all": "all lines",
    "random": "some, drawn at random",
    "nth": "every n-th line",
}


def draw(s: CorpusState, shown: Offered, corpus: Corpus) -> Selection:
    """The controls behind a button whose name says what is chosen; returns the selection."""
    columns = [*corpus.manifest.columns, *([SOURCE] if len(corpus.manifest.sources) > 1 else [])]
    if s.only.get() not in columns:
        s.only.set(ALL_TEXTS)
    chosen = selected(s)
    with st.popover(name_of(chosen)):
        column: str = state.select(
            s.only,
            _named(columns),
            "Only texts with a value of",
            by_names=True,
            changed=lambda: _any_value(s),
        )
        if column:
            _value(s, shown, corpus, column)
        way = state.select(s.way, WAYS, "Of these lines, show", changed=s.forget_lines)
        if way != "all":
            state.number(s.size, "How many lines" if way == "random" else "One of each so many lines")
    return selected(s)


def _any_value(s: CorpusState) -> None:
    s.only_value.set("")
    s.forget_lines()


def _named(columns: Sequence[str]) -> dict[str, str]:
    return {ALL_TEXTS: "all texts"} | {name: name for name in columns}


def _value(s: CorpusState, shown: Offered, corpus: Corpus, column: str) -> None:
    every = attempt(values_of, shown, column)
    if every is None:
        return
    names = [value_name(one) for one in every if one is not None]
    numeric = corpus.manifest.columns.get(column, "text") != "text"
    if len(names) > LISTED or numeric:
        hint = f"{names[0]}–{names[-1]}" if numeric and names else ""
        state.text(
            s.only_value,
            f"The value of {column}" + (", or a range" if numeric else ""),
            most=300,
            placeholder=hint,
            follows=False,
            changed=s.forget_lines,
        )
        return
    state.select(
        s.only_value,
        {"": "any", **{name: name for name in names}},
        f"The value of {column}",
        by_names=True,
        changed=s.forget_lines,
    )


def selected(s: CorpusState) -> Selection:
    """What the fields say."""
    column, value = s.only.get(), s.only_value.get().strip()
    if not column or not value:
        column = value = ""
    way = cast("Way", s.way.get())
    return Selection(column, value, way, s.size.get() if way != "all" else EVERY.size)


def name_of(chosen: Selection) -> str:
    """What the button says: nothing is hidden behind it unsaid."""
    parts = [f"{chosen.column}: {chosen.value[:24]}"] if chosen.column else []
    if chosen.way == "random":
        parts.append(f"{chosen.size:,} at random")
    elif chosen.way == "nth":
        parts.append(f"1 line of {chosen.size:,}")
    return " · ".join(parts) or "All texts, all lines"
