"""What stands beside the word: its collocates, and those by which one group differs from the others."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.corpus.querying.collocates import Collocates
from core.corpus.querying.concordance import Groups
from core.errors import PolyseeError
from pages.corpus import captions, difference, tables
from pages.corpus.choose import MOST_QUERY
from pages.corpus.state import CorpusState
from ui import files, state, text
from ui.corpora.lines import CachedWord
from ui.page import terms
from ui.text import clipped

SHOWN = 12  # collocates of a table
LEAST = 3  # times that a collocate stands beside the word: fewer may be chance
LEAST_SMALL = 2  # of a word with few lines
FEW = 100  # lines
# So many digits behind the point that columns are read from top to bottom.
DIGITS = {
    name: st.column_config.NumberColumn(format=f"%.{digits}f")
    for name, digits in (("logDice", 2), ("log ratio", 2), ("LL", 1))
}
COLUMN, NAME = 330, 40  # pixels; letters of a group's name


def draw(s: CorpusState, word: CachedWord, groups: Groups) -> None:
    """A table of the strongest collocates, and one for each group of those that tell it apart."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        left = state.number(s.left, "Words on the left", width=150)
        right = state.number(s.right, "Words on the right", width=150)
        lemmas = state.toggle(
            s.lemmas,
            "By lemma",
            about="*banks* counts as *bank*, as a dictionary of the language has it",
        )
        against = state.text(
            s.against,
            "Against another word",
            most=MOST_QUERY,
            width=190,
            placeholder="such as a synonym",
            follows=False,
        ).strip()
    if not left and not right:
        st.info("Choose one word at least, on one side.")
        return
    try:
        with st.spinner("Counting …"):
            found = word.collocates(groups, left, right, "lemma" if lemmas else "word")
    except PolyseeError as error:
        st.error(text.of_error(error))
        return
    least = LEAST if found.count >= FEW else LEAST_SMALL
    with st.container(horizontal=True, gap="medium"):
        _table("Beside all lines", strongest(found, least))
        for number, name in enumerate(groups.names) if len(groups.names) > 1 else ():
            if number == groups.left_over:
                continue
            own = of_group(found, number, least)
            _table(f"Beside {clipped(name, NAME)}, more than beside the others", own)
    terms.caption(captions.beside(found, least, left, right), "corpus collocates")
    with st.container(horizontal=True):
        for file in tables.both(partial(found.to_frame), "collocates"):
            files.button(file)
    if against:
        difference.draw(word, against, left, right, "lemma" if lemmas else "word")


def strongest(found: Collocates, least: int) -> pd.DataFrame:
    """The collocates with the highest logDice."""
    of = found.best(least=least)[:SHOWN]
    return pd.DataFrame(
        {
            "word": [found.words[i] for i in of],
            "times": found.together[of],
            "logDice": found.log_dice[of].round(2),
            "LL": found.log_likelihood[of].round(1),
        }
    )


def of_group(found: Collocates, group: int, least: int) -> pd.DataFrame:
    """The collocates that are surest to be typical of a group: those by chance are left out."""
    sure, ratio = found.of_group(group)
    own = found.by_group[group]
    of = [i for i in (-sure).argsort(kind="stable") if own[i] >= least and sure[i] > captions.BY_CHANCE]
    of = of[:SHOWN]
    return pd.DataFrame(
        {
            "word": [found.words[i] for i in of],
            "here": own[of],
            "others": (found.together - own)[of],
            "log ratio": ratio[of].round(2),
            "LL": sure[of].round(1),
        }
    )


def _table(heading: str, table: pd.DataFrame) -> None:
    with st.container(width=COLUMN):
        st.markdown(f"**{text.plain(heading)}**")
        if table.empty:
            st.caption("No word stands here surely more often.")
        else:
            st.dataframe(table, hide_index=True, height="auto", width="stretch", column_config=DIGITS)
