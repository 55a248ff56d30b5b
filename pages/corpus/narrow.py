"""Which texts count, and which lines of a word are shown: filters over columns, and samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

import streamlit as st

from core.corpus import Corpus
from core.corpus.querying.matching import SOURCE
from core.corpus.querying.picking import Way
from core.corpus.storage.columns import value_name
from pages.corpus.state import CorpusState
from ui import state
from ui.corpora.offered import Offered
from ui.corpora.selection import EVERY, Selection
from ui.corpora.values import values_of
from ui.models.attempt import attempt
from ui.state import Field

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
    _close_up(s, columns)
    chosen = selected(s)
    with st.popover(name_of(chosen)):
        _conditions(s, shown, corpus, columns)
        way = state.select(s.way, WAYS, "Of these lines, show", changed=s.forget_lines)
        if way != "all":
            state.number(s.size, "How many lines" if way == "random" else "One of each so many lines")
    return selected(s)


def _close_up(s: CorpusState, columns: Sequence[str]) -> None:
    """Conditions over columns that this corpus does not have go, and the others move up."""
    rows = [(column.get(), value.get()) for column, value in s.only]
    kept = [row for row in rows if row[0] in columns]
    kept += [(ALL_TEXTS, "")] * (len(rows) - len(kept))
    for (column, value), (name, said) in zip(s.only, kept, strict=True):
        if (column.get(), value.get()) != (name, said):
            column.set(name)
            value.set(said)


def _conditions(s: CorpusState, shown: Offered, corpus: Corpus, columns: Sequence[str]) -> None:
    """A row for each condition, and an empty one, as long as there are columns."""
    taken: list[str] = []
    for number, (column, value) in enumerate(s.only):
        free = [one for one in columns if one not in taken]
        if not free:
            break
        name: str = state.select(
            column,
            {ALL_TEXTS: "no other condition" if number else "all texts"} | {one: one for one in free},
            "and of" if number else "Only texts with a value of",
            by_names=True,
            changed=partial(_any_value, s, value),
        )
        if not name:
            break
        taken.append(name)
        _value(s, value, shown, corpus, name)
        if not value.get().strip():
            break


def _any_value(s: CorpusState, value: Field[str]) -> None:
    value.set("")
    s.forget_lines()


def _value(s: CorpusState, chosen: Field[str], shown: Offered, corpus: Corpus, column: str) -> None:
    every = attempt(values_of, shown, column)
    if every is None:
        return
    names = [value_name(one) for one in every if one is not None]
    numeric = corpus.manifest.columns.get(column, "text") != "text"
    if len(names) > LISTED or numeric:
        hint = f"{names[0]}–{names[-1]}" if numeric and names else ""
        state.text(
            chosen,
            f"The value of {column}" + (", or a range" if numeric else ""),
            most=300,
            placeholder=hint,
            follows=False,
            changed=s.forget_lines,
        )
        return
    state.select(
        chosen,
        {"": "any", **{name: name for name in names}},
        f"The value of {column}",
        by_names=True,
        changed=s.forget_lines,
    )


def selected(s: CorpusState) -> Selection:
    """What the fields say."""
    pairs = [(column.get(), value.get().strip()) for column, value in s.only]
    way = cast("Way", s.way.get())
    return Selection(
        tuple(one for one in pairs if all(one)), way, s.size.get() if way != "all" else EVERY.size
    )


def clear(s: CorpusState) -> None:
    """All texts count again."""
    for column, value in s.only:
        column.set(ALL_TEXTS)
        value.set("")
    s.forget_lines()


def name_of(chosen: Selection) -> str:
    """What the button says: nothing is hidden behind it unsaid."""
    parts = [f"{column}: {value[:24]}" for column, value in chosen.conditions]
    if chosen.way == "random":
        parts.append(f"{chosen.size:,} at random")
    elif chosen.way == "nth":
        parts.append(f"1 line of {chosen.size:,}")
    return " · ".join(parts) or "All texts, all lines"
