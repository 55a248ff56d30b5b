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
from core.localization import N_, _, each
from pages.corpus.captions import count_of
from pages.corpus.state import CorpusState
from ui import state
from ui.corpora.offered import Offered
from ui.corpora.selection import EVERY, Selection, column_name
from ui.corpora.values import values_of
from ui.models.attempt import attempt
from ui.state import Field

LISTED = 300  # values of a column; of more, the value is typed
ALL_TEXTS = ""
WAYS: dict[str, str] = {
    "all": N_("every line"),
    "random": N_("some, drawn at random"),
    "nth": N_("every n-th line"),
}


def draw(s: CorpusState, shown: Offered, corpus: Corpus) -> Selection:
    """The controls behind a button whose name says what is chosen; returns the selection."""
    columns = [*corpus.manifest.columns, *([SOURCE] if len(corpus.manifest.sources) > 1 else [])]
    _close_up(s, columns)
    chosen = selected(s)
    with st.popover(name_of(chosen)):
        _conditions(s, shown, corpus, columns)
        way = state.select(s.way, each(WAYS), _("Of these lines, show"), changed=s.forget_lines)
        if way != "all":
            state.number(
                s.size, _("How many lines") if way == "random" else _("One of each so many lines")
            )
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
            {ALL_TEXTS: _("no other condition") if number else _("all texts")}
            | {one: column_name(one) for one in free},
            _("and of") if number else _("Only texts with a value of"),
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
    values = attempt(values_of, shown, column)
    if values is None:
        return
    names = [value_name(one) for one in values if one is not None]
    numeric = corpus.manifest.columns.get(column, "text") != "text"
    if len(names) > LISTED or numeric:
        hint = f"{names[0]}–{names[-1]}" if numeric and names else ""
        state.text(
            chosen,
            (_("The value of {column}, or a range") if numeric else _("The value of {column}")).format(
                column=column_name(column)
            ),
            most=300,
            placeholder=hint,
            follows=False,
            changed=s.forget_lines,
        )
        return
    state.select(
        chosen,
        {"": _("any"), **{name: name for name in names}},
        _("The value of {column}").format(column=column_name(column)),
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
    parts = [f"{column_name(column)}: {value[:24]}" for column, value in chosen.conditions]
    if chosen.way == "random":
        parts.append(_("{count} at random").format(count=count_of(chosen.size)))
    elif chosen.way == "nth":
        parts.append(_("1 line of {count}").format(count=count_of(chosen.size)))
    return " · ".join(parts) or _("All texts, all lines")
