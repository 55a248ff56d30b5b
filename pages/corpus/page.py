"""Corpus: every occurrence of a word, by meaning."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.corpus import Corpus
from core.corpus.querying.concordance import commonest
from core.errors import CorpusError, PolyseeError
from core.records.words import split
from pages.corpus import building, change, choose, concordance, layers, near, python, texts
from pages.corpus.state import CorpusState
from ui import page, same_in_python, state, text
from ui.corpora import lines, offered
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered

_MOST = 6  # words of several that were typed


def corpus(s: CorpusState) -> None:
    try:
        offered.require_extra()
    except CorpusError as error:
        st.error(text.of_error(error))
        return
    shown = choose.choose_corpus(s)
    if shown is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choose.draw_corpora(s, shown)
        typed = choose.draw_word(s)
        controls = st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", width="content"
        )
    if shown.name == offered.DOCS and not building.ready():
        return
    word = _found(s, shown, typed, controls)
    if word is None:
        return
    groups = choose.groups_of(s, word)
    if groups is None:
        return
    concordance.draw(s, word, groups)
    line = concordance.draw_line(s, word, groups)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        near.draw(s, word, groups, line)
    with right:
        change.draw(s, word, groups, line)
    layers.draw(s, word, groups)
    if shown.name != offered.DOCS:
        texts.draw(word.corpus.manifest)
    ends = tuple(tuple(text.group_of(typed.get()).words) for typed in (s.low, s.high))
    same_in_python.show(
        s.python,
        partial(python.lines, word, groups, s.clusters.get(), ends),
        word.corpus.manifest.model,
    )


def _found(
    s: CorpusState, shown: Offered, typed: str, controls: st.delta_generator.DeltaGenerator
) -> CachedWord | None:
    """The lines of the word; None, with the reason and a way on, if there are none."""
    try:
        found, _ = offered.opened(shown)
        with controls:
            choose.draw_grouping(s, found)
        if not typed:
            st.info("Type a word.")
            return None
        with st.spinner("Reading the lines …"):
            return lines.get(shown, typed, s.layer.get())
    except PolyseeError as error:
        st.error(text.of_error(error))
    try:
        corpus = offered.opened(shown)[0]
        several = _of_it(corpus, typed)
        words = several or commonest(corpus)
    except PolyseeError:
        return None
    if words:
        st.caption("Words of it that the corpus has:" if several else "Words that it has often:")
        state.offer("corpus common word", words, "Look up", partial(near.look_up, s))
    return None


def _of_it(corpus: Corpus, typed: str) -> list[str]:
    """Those of several words that the corpus has: of "l'eau", "eau"."""
    words = [one.text for one in split(typed) if any(map(str.isalnum, one.text))]
    if len(words) < 2:
        return []
    return [one for one in dict.fromkeys(words[:_MOST]) if corpus.count(one)]


page.run(__file__, CorpusState, corpus, picture="concordance")
