"""A form beside the query: several words, each by its form, its lemma or its beginning, with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from core.corpus.querying.composing import Match, Wanted, composed
from core.corpus.querying.query import MOST_REPEATED
from core.errors import PolyseeError
from core.localization import N_, _, each
from pages.corpus.state import CorpusState
from ui import text

WORDS = 4
MATCHES: dict[Match, str] = {
    "form": N_("this form"),
    "lemma": N_("all its forms"),
    "begins": N_("begins with it"),
    "ends": N_("ends with it"),
    "any": N_("any word"),
}


def draw(s: CorpusState) -> None:
    """The form, behind a button; what it makes stands in the box beside it, to be read and changed."""
    with st.popover(_("Build a query")), st.form("corpus compose", border=False):
        st.caption(
            _(
                "Up to four words in a row. With commas between them, *bank, shore* are alternatives. "
                "“All its forms” looks *go* up in a dictionary of the corpus’ language: it also finds "
                "*went*."
            )
        )
        wanted = [_word(at) for at in range(WORDS)]
        cased = st.checkbox(_("Tell upper and lower case apart"))
        if st.form_submit_button(_("Search"), type="primary"):
            _take(s, wanted, cased=cased)


def _word(at: int) -> Wanted:
    """A row of the form: the word, how it is found, and the gap behind it."""
    word, match, gap = st.columns([3, 3, 2], vertical_alignment="bottom")
    shown: Literal["visible", "collapsed"] = "visible" if at == 0 else "collapsed"
    typed = word.text_input(
        _("Word {number}").format(number=at + 1) if at else _("Word"), label_visibility=shown
    )
    found = match.selectbox(
        _("How word {number} is found").format(number=at + 1) if at else _("Found as"),
        [*MATCHES],
        format_func=each(MATCHES).__getitem__,
        label_visibility=shown,
    )
    if at + 1 == WORDS:
        return Wanted(typed, found)
    between = gap.number_input(
        _("Words between it and word {number}, at most").format(number=at + 2)
        if at
        else _("Then up to … words"),
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
