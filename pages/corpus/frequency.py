"""How often the word occurs for each value of a column, and how evenly it is spread over them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.corpus.querying.frequencies import Frequencies
from core.localization import _, pgettext
from pages.corpus import captions, headings, tables
from pages.corpus.state import CorpusState
from ui import files, state
from ui.corpora.lines import CachedWord
from ui.models.attempt import attempt
from ui.page import terms

MOST_ROWS = 60
MOST_PARTS = 6  # values of a column that each have a column beside the words
TALL = 460  # pixels
RATE = "per million"


def draw(s: CorpusState, word: CachedWord) -> None:
    """A table with a row for each value of the column, and how evenly the word is spread over them."""
    names = [*word.corpus.manifest.columns, "source"]
    if s.counted_by.get() not in names:
        s.counted_by.set(names[0])
    column = state.select(
        s.counted_by, headings.columns(names), _("For each value of"), by_names=True, width=220
    )
    with st.spinner(_("Counting …")):
        found = attempt(word.frequency, column)
    if found is None:
        return
    table = table_of(found)
    if said := captions.most_frequent(found, word.lines.word):
        st.markdown(said)
    headings.draw(of_most(table), most={RATE: max(1.0, float(table[RATE].max()))})
    terms.caption(captions.spread_over(found, len(table) - MOST_ROWS), "corpus frequency")
    with st.container(horizontal=True):
        for file in tables.both(partial(found.to_frame), "frequency"):
            files.button(file)
    if len(word.words()) > 1:
        _each_word(word, column)


def _each_word(word: CachedWord, column: str) -> None:
    """A table of the different words that were found: of "on the * of", what stands at the star."""
    with st.spinner(_("Counting …")):
        found = attempt(word.word_frequencies, column)
    if found is None or len(found.words) < 2:
        return
    st.markdown(
        _("**Each of the {count} different words that were found**").format(
            count=captions.count_of(len(found.words))
        )
    )
    parts = range(len(found.values)) if len(found.values) <= MOST_PARTS else ()
    named = {"count": "times", "per_million": RATE, "low": "from", "high": "to", "deviation": "DP"}
    table = found.to_frame(parts).head(MOST_ROWS).rename(columns=named)
    headings.draw(table, height=min(TALL, 36 * (len(table) + 1)))
    terms.caption(captions.each_word(found, len(parts), len(table)), "corpus each word")
    with st.container(horizontal=True):
        for file in tables.both(found.to_frame, "each-word"):
            files.button(file)


def of_most(table: pd.DataFrame) -> pd.DataFrame:
    """All rows; of too many, such as the documents of a corpus, those in which the word is, mostly."""
    return table if len(table) <= MOST_ROWS else table.nlargest(MOST_ROWS, "times")


def table_of(found: Frequencies) -> pd.DataFrame:
    """A row for each value that has words."""
    low, high = found.intervals.T
    return pd.DataFrame(
        {
            found.column: [
                pgettext("of values", "none") if one is None else str(one) for one in found.values
            ],
            "times": found.counts,
            "words": found.sizes,
            RATE: found.per_million.round(2),
            "from": low.round(2),
            "to": high.round(2),
        }
    )
