"""A form beside the query: several words, each by its form, its lemma or its beginning, with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.corpus.querying.composing import Match, Wanted, composed
from core.corpus.querying.query import MOST_REPEATED
from core.errors import PolyseeError
from pages.corpus.state import CorpusState
from ui import text

WORDS = 4
MATCHES: dict[Match, str] = {
    "form": "this form",
    "lemma": "all its forms",
    "begins": "begins with it",
    "ends": "ends with it",
    "any": "any word",
}


def draw(s: CorpusState) -> None:
    """The form, behind a button; what it makes stands in the box beside it, to be read and changed."""
    with st.popover("Build a query"), st.form("corpus compose", border=False):
        st.caption(
            "Up to four words in a row. With commas between them, *bank, shore* are alternatives. “All "
            "its forms” looks *go* up in a dictionary of the corpus’ language: it also finds *went*."
        )
        every = [_word(at) for at in range(WORDS)]
        cased = st.checkbox("Tell upper and lower case apart")
        if st.form_submit_button("Search", type="primary"):
            _take(s, every, cased=cased)


def _word(at: int) -> Wanted:
    """A row of the form: the word, how it is found, and the gap behind it."""
    word, match, gap = st.columns([3, 3, 2], vertical_alignment="bottom")
    shown: Literal["visible", "collapsed"] = "visible" if at == 0 else "collapsed"
    typed = word.text_input(f"Word {at + 1}" if at else "Word", label_visibility=shown)
    found = match.selectbox(
        f"How word {at + 1} is found" if at else "Found as",
        [*MATCHES],
        format_func=MATCHES.__getitem__,
        label_visibility=shown,
    )
    if at + 1 == WORDS:
        return Wanted(typed, found)
    between = gap.number_input(
        f"Words between it and word {at + 2}, at most" if at else "Then up to … words",
        0,
        MOST_REPEATED,
        label_visibility=shown,
    )
    return Wanted(typed, found, int(between))


def _take(s: CorpusState, every: Sequence[Wanted], *, cased: bool) -> None:
    """Put the query into the box; rows behind the last one that says something are not meant."""
    said = [at for at, one in enumerate(every) if one.typed.strip() or one.match == "any"]
    try:
        found = composed(every[: max(said, default=-1) + 1], cased=cased)
    except PolyseeError as error:
        st.error(text.of_error(error))
        return
    s.word.set(found)
    s.forget_lines()
    st.rerun()
