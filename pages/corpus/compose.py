"""A form beside the query: several words, each by its form, its lemma or its beginning, with gaps."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.corpus.querying.composing import Match, Wanted, composed
from core.corpus.querying.query import MOST_REPEATED
from core.errors import PolyseeError
from pages.corpus.state import CorpusState
from ui import text
from ui.session import reported

WORDS = 4
MATCHES: dict[Match, str] = {
    "form": "this form",
    "lemma": "all its forms",
    "begins": "begins with it",
    "ends": "ends with it",
    "any": "any word",
}
_KEY = "corpus compose"


def draw(s: CorpusState) -> None:
    """The form, behind a button; what it makes stands in the box beside it, to be read and changed."""
    with st.popover("Build a query"), st.form(_KEY, border=False):
        st.caption(
            "Up to four words in a row. With commas between them, *bank, shore* are alternatives. “All "
            "its forms” looks *go* up in a dictionary of the corpus’ language: it also finds *went*."
        )
        for at in range(WORDS):
            word, match, gap = st.columns([3, 3, 2], vertical_alignment="bottom")
            shown: Literal["visible", "collapsed"] = "visible" if at == 0 else "collapsed"
            word.text_input(
                f"Word {at + 1}" if at else "Word", key=f"{_KEY} word {at}", label_visibility=shown
            )
            match.selectbox(
                f"How word {at + 1} is found" if at else "Found as",
                [*MATCHES],
                format_func=MATCHES.__getitem__,
                key=f"{_KEY} match {at}",
                label_visibility=shown,
            )
            if at + 1 < WORDS:
                gap.number_input(
                    f"Words between it and word {at + 2}, at most" if at else "Then up to … words",
                    0,
                    MOST_REPEATED,
                    key=f"{_KEY} gap {at}",
                    label_visibility=shown,
                )
        st.checkbox("Tell upper and lower case apart", key=f"{_KEY} case")
        if st.form_submit_button("Search", type="primary"):
            _take(s)


def _take(s: CorpusState) -> None:
    every = [
        Wanted(
            str(reported(f"{_KEY} word {at}") or ""),
            reported(f"{_KEY} match {at}") or "form",
            int(reported(f"{_KEY} gap {at}") or 0),
        )
        for at in range(WORDS)
    ]
    # rows behind the last one that says something are not meant
    last = max(
        (at for at, one in enumerate(every) if one.typed.strip() or one.match == "any"), default=-1
    )
    try:
        found = composed(every[: last + 1], cased=bool(reported(f"{_KEY} case")))
    except PolyseeError as error:
        st.error(text.of_error(error))
        return
    s.word.set(found)
    s.forget_lines()
    st.rerun()
