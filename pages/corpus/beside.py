"""What stands beside the word: its collocates, and those by which one group differs from the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.corpus.querying.collocates import Collocates
from core.corpus.querying.concordance import Groups
from core.errors import PolyseeError
from core.localization import _, gettext
from pages.corpus import captions, difference, headings, tables
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
NAME = 40  # letters of a group's name
# Three tables stand beside a sidebar at 1280 pixels, the first with a column less; what is left of a
# row is shared, so that none leaves a hole.
_STYLE = """<style>
.st-key-corpus-beside-tables {flex-wrap: wrap; gap: .5rem; align-items: flex-start;}
.st-key-corpus-beside-tables > * {flex: 1 1 278px; min-width: 0; width: auto;}
.st-key-corpus-beside-tables > :first-child {flex-basis: 215px;}
</style>"""


def draw(s: CorpusState, word: CachedWord, groups: Groups) -> None:
    """A table of the strongest collocates, and one for each group of those that tell it apart."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        left = state.number(s.left, _("Words on the left"), width=150)
        right = state.number(s.right, _("Words on the right"), width=150)
        lemmas = state.toggle(
            s.lemmas,
            _("By lemma"),
            about=_("*banks* counts as *bank*, as a dictionary of the language has it"),
        )
        against = state.text(
            s.against,
            _("Against another word"),
            most=MOST_QUERY,
            width=190,
            placeholder=_("such as a synonym"),
            follows=False,
        ).strip()
    if not left and not right:
        st.info(_("Choose one word at least, on one side."))
        return
    try:
        with st.spinner(_("Counting …")):
            found = word.collocates(groups, left, right, "lemma" if lemmas else "word")
    except PolyseeError as error:
        st.error(text.of_error(error))
        return
    least = LEAST if found.count >= FEW else LEAST_SMALL
    by_group = {
        number: typical_of(found, number, least)
        for number in range(len(groups.names))
        if len(groups.names) > 1 and number != groups.left_over
    }
    best = found.best(least=least)[:SHOWN].tolist()
    said = [captions.strongest_beside(word.lines.word, found, best, left, right)]
    labels = [clipped(name, NAME) for name in groups.labels]
    for i, own in by_group.items():
        sure = found.surely_of_group(i, own, least=least)
        words, surely = ([found.words[k] for k in these] for these in (own, sure))
        said.append(captions.beside_group(labels[i], words, surely))
    st.markdown(" ".join(said))
    st.html(_STYLE)
    with st.container(horizontal=True, gap="small", key="corpus beside tables"):
        _table(_("Beside all lines"), strongest(found, least))
        for i, own in by_group.items():
            heading = _("Beside {group}, more than beside the others").format(group=labels[i])
            _table(heading, of_group(found, i, own))
    st.caption(gettext(captions.MEASURES))
    with st.expander(_("What is counted, and by which measures")):
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


def typical_of(found: Collocates, group: int, least: int) -> list[int]:
    """The collocates most typical of a group by log-likelihood, without what one test calls chance."""
    sure, own = found.of_group(group)[0], found.by_group[group]
    order = map(int, (-sure).argsort(kind="stable"))
    return [i for i in order if own[i] >= least and sure[i] > captions.BY_CHANCE][:SHOWN]


def of_group(found: Collocates, group: int, of: Sequence[int]) -> pd.DataFrame:
    """The numbers of some collocates of a group."""
    sure, ratio = found.of_group(group)
    own, shown = found.by_group[group], [*of]
    return pd.DataFrame(
        {
            "word": [found.words[i] for i in shown],
            "here": own[shown],
            "others": (found.together - own)[shown],
            "log ratio": ratio[shown].round(2),
            "LL": sure[shown].round(1),
        }
    )


def _table(heading: str, table: pd.DataFrame) -> None:
    """A table under its heading; one without rows is said in the sentence above."""
    if table.empty:
        return
    with st.container():
        st.markdown(f"**{text.plain(heading)}**")
        headings.draw(table, width="stretch", height="auto")
