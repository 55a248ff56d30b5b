"""The share of each group over a column of the texts: how did it change, or differ, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.corpus.querying.concordance import Groups
from core.corpus.storage.columns import value_name
from core.figures import Band, Line, Picture, StepAxis, ValueAxis, lines, share_dots, style
from core.measures.senses.drift import Drift
from core.measures.senses.shares import Share
from pages.corpus import captions, tables
from pages.corpus.concordance import looks
from pages.corpus.state import CorpusState
from ui import figure, files, layout, state
from ui.corpora.lines import CachedWord
from ui.page import terms

_DISTANCES = {
    name: st.column_config.NumberColumn(format="%.4f") for name in ("distance", "low", "high", "chance")
}


def draw(s: CorpusState, word: CachedWord, groups: Groups, line: int) -> None:
    """The share of the line's group, or of the chosen one, over a column."""
    own = _columns(word)
    keep_column(s, word)
    column = state.select(
        s.column, {name: name for name in own}, "Over the column", by_names=True, width=220
    )
    found, steps = word.shares(groups, column), word.steps(column)
    if not found:
        st.caption("No occurrence has a value in this column.")
        return
    if word.is_time(column):
        _draw_drift(word, column)
    else:
        _draw_apart(word, column)
    if groups.kind == "all":
        st.caption("All lines are one group: there is no share to compare. Their number by each value:")
        counts = tables.shares_table(found, column, groups.names)[[column, "count"]]
        st.dataframe(counts, hide_index=True, height="auto", width="content")
        return
    group = s.group.get() - 1 if 0 < s.group.get() <= len(groups.names) else int(groups.of[line])
    picture = picture_of(found, groups, group, column)
    table = partial(tables.shares_table, found, column, groups.names)
    figure.show(picture, "shares", saved_as=tables.both(table, "shares"), scale=layout.scale())
    terms.caption(captions.shares(column, steps), "corpus shares")
    if varied := word.variety(groups, column):
        st.markdown(captions.varied(column, varied))
    with st.expander("All groups as a table"):
        st.dataframe(table(), hide_index=True, height=260)


def keep_column(s: CorpusState, word: CachedWord) -> str:
    """The column that is chosen; another corpus may have others."""
    own = _columns(word)
    if s.column.get() not in own:
        s.column.set(_first(word, own))
    return s.column.get()


def _columns(word: CachedWord) -> list[str]:
    return [*word.corpus.manifest.columns, "source"]


def _first(word: CachedWord, names: Sequence[str]) -> str:
    """The first column of years; else the one with the fewest different values, but more than one."""
    counts = {name: len({*word.lines.column(name)} - {None}) for name in names}
    some = [name for name in names if counts[name] > 1] or [name for name in names if counts[name]]
    years = [name for name in some if counts[name] > 1 and word.is_time(name)]
    return years[0] if years else min(some, key=lambda name: counts[name])


def picture_of(found: Sequence[Share], groups: Groups, group: int, column: str) -> Picture:
    """A row for each value, a panel for each group, whose intervals are lines."""
    values = dict.fromkeys(one.value for one in found)
    return share_dots(
        found,
        looks(groups),
        names=[value_name(value) for value in values],
        axis=f"share of the lines of each {column}",
        chosen=group,
        sentence=f"The share of each group for each value of {column}, with its interval.",
        name="shares",
    )


def _draw_drift(word: CachedWord, column: str) -> None:
    """How far the word's mean vector moved, without any groups."""
    found = word.drift(column)
    if not found:
        return
    st.markdown(captions.drifted(found, value_name(word.drift_start(column))))
    figure.show(
        drift_picture(found),
        "drift",
        saved_as=tables.both(partial(tables.drift_table, found, column), "drift"),
    )
    terms.caption(captions.DRIFT, "corpus drift")


def _draw_apart(word: CachedWord, column: str) -> None:
    """How far the word's mean vectors lie apart for the values of a column, without any groups."""
    found = word.drift(column)
    if not found:
        return
    start = value_name(word.drift_start(column))
    st.markdown(captions.apart_by(column, found, start))
    table = partial(tables.drift_table, found, column)
    st.dataframe(table(), hide_index=True, height="auto", width="content", column_config=_DISTANCES)
    terms.caption(captions.apart_means(column, start), "corpus apart")
    with st.container(horizontal=True):
        for file in tables.both(table, "distances"):
            files.button(file)


def drift_picture(found: Sequence[Drift]) -> Picture:
    """The distance at each step with its interval, and what chance alone makes of it."""
    names = [value_name(one.value) for one in found]
    return lines(
        [
            Line("from the first step", [one.distance for one in found], style.SENTENCE_A),
            Line("by chance", [one.chance for one in found], style.LEARNED, mark="none"),
        ],
        StepAxis(names, names, "step"),
        ValueAxis(round_guides(max(max(one.high, one.chance) for one in found)), unit="1 − cosine"),
        band=Band([one.low for one in found], [one.high for one in found], "95 % interval"),
        sentence="How far the mean vector of the word lies from that of the first step.",
        name="drift",
    )


def round_guides(most: float) -> list[tuple[float, str]]:
    """Lines at 0 and at up to five round distances, such as .02, .04, .06."""
    if not most > 0:
        return [(0.0, "0")]
    power = 10.0 ** np.floor(np.log10(most / 5))
    step = next(n * power for n in (1, 2, 5, 10) if most <= 5 * n * power * (1 + 1e-9))
    return [
        (at * step, f"{at * step:.3g}".removeprefix("0") or "0")
        for at in range(int(most / step + 1e-9) + 1)
    ]
