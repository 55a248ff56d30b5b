"""The share of each group over a column of the texts: how did it change, or differ, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.corpus.querying.concordance import Groups
from core.corpus.storage.columns import value_name
from core.figures import Band, Line, Picture, StepAxis, ValueAxis, lines, share_dots, style
from core.localization import _, decimal, gettext
from core.measures.senses.drift import Drift
from core.measures.senses.shares import Share
from pages.corpus import captions, headings, tables
from pages.corpus.concordance import looks
from pages.corpus.state import CorpusState
from ui import figure, files, layout, state, text
from ui.corpora.lines import CachedWord
from ui.corpora.selection import column_name
from ui.page import terms


def draw(s: CorpusState, word: CachedWord, groups: Groups, line: int) -> None:
    """The share of the line's group, or of the chosen one, over a column."""
    own = _columns(word)
    keep_column(s, word)
    column = state.select(
        s.column, headings.columns(own), _("Over the column"), by_names=True, width=220
    )
    found, steps = word.shares(groups, column), word.steps(column)
    if not found:
        st.caption(_("No occurrence has a value in this column."))
        return
    if groups.kind == "all":
        _vectors_alone(word, column)
        st.caption(
            _("All lines are one group: there is no share to compare. Their number by each value:")
        )
        counts = tables.shares_table(found, column, groups.labels)[[column, "count"]]
        headings.draw(counts, width="content", height="auto")
        return
    group = s.group.get() - 1 if 0 < s.group.get() <= len(groups.names) else int(groups.of[line])
    drawn = [one for one in found if one.total >= captions.LEAST_SHOWN]
    name = column_name(column)
    st.markdown(captions.largest_difference(name, drawn, groups.labels, group))
    table = partial(tables.shares_table, found, column, groups.labels)
    if len({one.value for one in drawn}) > 1:
        picture = picture_of(drawn, groups, group, name)
        figure.show(picture, "shares", saved_as=tables.both(table, "shares"), scale=layout.scale())
        terms.caption(captions.shares(name, steps, rare(found)), "corpus shares")
    _vectors_alone(word, column)
    varied = word.variety(groups, column)
    if varied:
        st.markdown(captions.varied(name, varied))
    with st.expander(_("All groups as a table, and how the uses are counted")):
        headings.draw(table(), height=260)
        if varied:
            terms.caption(captions.varied_means(name, varied), "corpus varied")


def rare(found: Sequence[Share]) -> list[str]:
    """The values with too few lines to be drawn, each with their number."""
    counts = {one.value: one.total for one in found if one.total < captions.LEAST_SHOWN}
    return [f"{text.plain(value_name(value))} {count}" for value, count in counts.items()]


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
        axis=_("share of the lines of each {column}").format(column=column),
        chosen=group,
        sentence=_("The share of each group for each value of {column}, with its interval.").format(
            column=column
        ),
        name="shares",
    )


def _vectors_alone(word: CachedWord, column: str) -> None:
    """How far the word's mean vectors lie apart, without any groups."""
    if word.is_time(column):
        _draw_drift(word, column)
    else:
        _draw_apart(word, column)


def _draw_drift(word: CachedWord, column: str) -> None:
    """How far the word's mean vector moved."""
    found = word.drift(column)
    if not found:
        return
    st.markdown(captions.drifted(found, value_name(word.drift_start(column))))
    figure.show(
        drift_picture(found),
        "drift",
        saved_as=tables.both(partial(tables.drift_table, found, column), "drift"),
    )
    terms.caption(gettext(captions.DRIFT), "corpus drift")


def _draw_apart(word: CachedWord, column: str) -> None:
    """How far the word's mean vectors lie apart for the values of a column."""
    found = word.drift(column)
    if not found:
        return
    start, name = value_name(word.drift_start(column)), column_name(column)
    st.markdown(captions.apart_by(name, found, start))
    table = partial(tables.drift_table, found, column)
    with st.expander(_("How far apart their vectors lie, and by chance")):
        if len(found) > 1:  # the sentence says the numbers of one
            headings.draw(table(), width="content", height="auto", digits=4)
        terms.caption(captions.apart_means(name, start), "corpus apart")
        with st.container(horizontal=True):
            for file in tables.both(table, "distances"):
                files.button(file)


def drift_picture(found: Sequence[Drift]) -> Picture:
    """The distance at each step with its interval, and what chance alone makes of it."""
    names = [value_name(one.value) for one in found]
    return lines(
        [
            Line(_("from the first step"), [one.distance for one in found], style.SENTENCE_A),
            Line(_("by chance"), [one.chance for one in found], style.LEARNED, mark="none"),
        ],
        StepAxis(names, names, _("step")),
        ValueAxis(round_guides(max(max(one.high, one.chance) for one in found)), unit=_("1 − cosine")),
        band=Band([one.low for one in found], [one.high for one in found], _("95 % interval")),
        sentence=_("How far the mean vector of the word lies from that of the first step."),
        name="drift",
    )


def round_guides(most: float) -> list[tuple[float, str]]:
    """Lines at 0 and at up to five round distances, such as .02, .04, .06."""
    if not most > 0:
        return [(0.0, "0")]
    power = 10.0 ** np.floor(np.log10(most / 5))
    step = next(n * power for n in (1, 2, 5, 10) if most <= 5 * n * power * (1 + 1e-9))
    return [
        (at * step, decimal(f"{at * step:.3g}".removeprefix("0") or "0"))
        for at in range(int(most / step + 1e-9) + 1)
    ]
