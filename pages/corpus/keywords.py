"""The words that are typical of some texts: of one value of a column against all others."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.corpus.querying.collocates import Keywords
from core.corpus.storage.columns import Value, value_name
from core.localization import _, pgettext
from pages.corpus import captions, headings, near, tables
from pages.corpus.state import CorpusState
from ui import files, state, text
from ui.corpora import lines
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered
from ui.corpora.selection import column_name
from ui.corpora.values import values_of
from ui.models.attempt import attempt
from ui.page import terms

SHOWN, OFFERED = 15, 6
LEAST = 5  # times in these texts
MOST_VALUES = 300


def draw(s: CorpusState, shown: Offered, word: CachedWord) -> None:
    """Two tables: the words that these texts have more often than the others, and less often."""
    names = [*word.corpus.manifest.columns, "source"]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if s.keys_by.get() not in names:
            s.keys_by.set(names[0])
        column = state.select(
            s.keys_by, headings.columns(names), _("Texts by"), by_names=True, width=220
        )
        every = attempt(values_of, shown, column)
        if not every:
            return
        if len(every) > MOST_VALUES:
            st.caption(
                _("*{column}* has {count} values: too many for a list.").format(
                    column=text.plain(column_name(column)), count=captions.count_of(len(every))
                )
            )
            return
        options: dict[str, Value] = {_said(one): one for one in every}
        if s.value.get() not in options:
            s.value.set(next(iter(options)))
        value = state.select(
            s.value, {one: one for one in options}, _("Those with"), by_names=True, width=220
        )
        lemmas = state.toggle(s.key_lemmas, _("By lemma"))
    if len(every) < 2:
        st.caption(_("All texts have the same value here: there is nothing to compare them with."))
        return
    with st.spinner(_("Counting …")):
        found = attempt(lines.keywords, shown, column, options[value], "lemma" if lemmas else "word")
    if found is None:
        return
    more, less = table_of(found, more=True), table_of(found, more=False)
    st.markdown(captions.typical_words(value, [*more["word"]], [*less["word"]]))
    with st.container(horizontal=True, gap="medium"):
        for heading, table in (
            (_("More often here"), more),
            (_("More often elsewhere"), less),
        ):
            with st.container(width=400):
                st.markdown(f"**{heading}**")
                headings.draw(table)
    terms.caption(captions.keywords(found, LEAST), "corpus keywords")
    if others := [*more["word"][:OFFERED]]:
        state.offer("corpus key word", others, _("Look up"), partial(near.look_up, s))
    with st.container(horizontal=True):
        for file in tables.both(partial(found.to_frame), "keywords"):
            files.button(file)


def table_of(found: Keywords, *, more: bool) -> pd.DataFrame:
    """The surest key words, or the surest words of the other texts."""
    sure, ratio = found.log_likelihood, found.log_ratio
    often = found.inside if more else found.outside
    order = (-sure if more else sure).argsort(kind="stable")
    of = [i for i in order if often[i] >= LEAST and abs(sure[i]) > captions.BY_CHANCE]
    of = [i for i in of if (sure[i] > 0) == more][:SHOWN]
    return pd.DataFrame(
        {
            "word": [found.words[i] for i in of],
            "here": found.inside[of],
            "others": found.outside[of],
            "log ratio": ratio[of].round(2),
            "LL": sure[of].round(1),
        }
    )


def _said(value: Value) -> str:
    return pgettext("of values", "none") if value is None else value_name(value)
