"""The controls of the page: the corpus, the word, how its lines are grouped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from core.corpus import Corpus
from core.corpus.querying.concordance import Groups
from core.errors import CorpusError, ModelNotFound, PolyseeError
from core.localization import N_, _, each, gettext
from core.measures.senses.clusters import LEAST, MOST
from pages.corpus import captions, marks
from pages.corpus.state import (
    CLUSTERS,
    DENSITY,
    GROUPINGS,
    MARKS,
    SENSES,
    SUGGESTED,
    CorpusState,
    word_of,
)
from ui import state, text
from ui.corpora import lines, offered
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered
from ui.models.attempt import attempt

MOST_QUERY = 200  # letters
# Pixels: a laptop has room for all of them in one row, a phone for the first two.
CORPUS, WORD, LIST, LAYER = 230, 160, 165, 155
NAMES = {"best": N_("best"), "last": N_("last")}  # of layers


def choose_corpus(s: CorpusState) -> Offered | None:
    """The corpus of the link; None, with the reason on the page, if it is not there."""
    every = attempt(offered.every)
    if every is None:
        return None
    if s.corpus.get() in every:
        return every[s.corpus.get()]
    st.warning(
        _("There is no corpus “{name}” here. This page shows {other} instead.").format(
            name=text.plain(s.corpus.get()[:80]), other=text.plain(gettext(every[offered.DOCS].title))
        )
    )
    return every[offered.DOCS]


def draw_corpora(s: CorpusState, shown: Offered) -> None:
    """The list of corpora, if there is more than one."""
    every: Mapping[str, Offered] = offered.every()
    if len(every) > 1:
        names = {name: gettext(one.title) for name, one in every.items()}
        if s.corpus.get() not in every:
            s.corpus.set(shown.name)
        taken = partial(_take, s)
        state.select(s.corpus, names, _("Corpus"), by_names=True, width=CORPUS, changed=taken)


def _take(s: CorpusState) -> None:
    """Another corpus keeps the word if it has it, and opens with one of its own if not."""
    s.forget_lines()
    one = offered.every().get(s.corpus.get())
    if one is None:
        return
    try:
        if offered.opened(one)[0].count(s.word.get()):
            return
    except PolyseeError:
        pass  # it cannot be opened, or what is typed is not one word
    s.word.set(word_of(one.name) or s.word.get())


def draw_word(s: CorpusState) -> str:
    """The box for the word."""
    return state.text(
        s.word,
        _("Word, phrase or query"),
        most=MOST_QUERY,
        width=WORD,
        follows=False,
        changed=s.forget_lines,
    ).strip()


def draw_grouping(s: CorpusState, corpus: Corpus) -> None:
    """How lines are grouped, and by which layer."""
    grouping = state.select(
        s.grouping,
        each(GROUPINGS),
        _("Group by"),
        width=LIST,
        about=_(
            "Clusters are found from the vectors alone: k-means gives every line one, and as many as "
            "you ask for; HDBSCAN finds their number, and leaves out lines that lie in none. Two "
            "senses are named by words, and every line gets a coordinate between them. Your marks are "
            "those that you set on lines."
        ),
        changed=lambda: s.group.set(0),
    )
    if grouping == SENSES:
        state.text(
            s.low, _("One sense"), most=200, width=WORD, placeholder="money, cash", follows=False
        )
        state.text(s.high, _("The other"), most=200, width=WORD, placeholder="river", follows=False)
    elif grouping == CLUSTERS:
        if s.clusters.get() == 1:  # a link may say so
            s.clusters.set(SUGGESTED)
        numbers = {SUGGESTED: _("suggested"), **{k: str(k) for k in range(LEAST, MOST + 1)}}
        state.select(
            s.clusters,
            numbers,
            _("How many"),
            width=LIST,
            about=_(
                "Suggested is the number of clusters whose mean silhouette is highest: how much "
                "nearer a line is to its own cluster than to the next."
            ),
            changed=lambda: s.group.set(0),
        )
    keep_layer(s, corpus)
    kept = corpus.manifest.layers
    if len(kept) > 1:
        best = corpus.layer()
        names = {
            (
                "" if one == best else str(one.layer + 1)
            ): f"{one.layer + 1} ({', '.join(gettext(NAMES.get(name, name)) for name in one.names)})"
            for one in kept
        }
        state.select(
            s.layer,
            names,
            _("Layer"),
            by_names=True,
            width=LAYER,
            about=captions.about_layers(best),
        )


def keep_layer(s: CorpusState, corpus: Corpus) -> None:
    """Forget a layer that this corpus does not keep: it came with a link, or from another corpus."""
    best = corpus.layer()
    try:
        kept = lines.layer_of(corpus, s.layer.get())
    except CorpusError:
        kept = best
    s.layer.set("" if kept == best else str(kept.layer + 1))


def groups_of(s: CorpusState, shown: Offered, word: CachedWord) -> Groups | None:
    """The groups that are chosen; None, with the reason on the page, if there are none."""
    grouping = s.grouping.get()
    if grouping == CLUSTERS:
        return word.clusters(s.clusters.get())
    if grouping == DENSITY:
        return word.dense()
    if grouping == MARKS:
        of_lines = marks.of_lines(shown, word)
        if not any(of_lines):
            st.info(_("No line of this word has a mark yet: here are its clusters. Mark lines below."))
            return word.clusters(s.clusters.get())
        return word.marked(of_lines)
    low, high = text.group_of(s.low.get()), text.group_of(s.high.get())
    if not (low.words and high.words):
        st.info(
            _("Name each of the two senses by one or more words, such as “money, cash” and “river”.")
        )
        return None
    if low.words == high.words:
        st.info(_("Both senses have the same words. Name them by different ones."))
        return None
    try:
        groups = word.senses(tuple(low.words), tuple(high.words), (low.name, high.name))
    except CorpusError as error:
        needs_none = _("Clusters need no model.")
        st.error(f"{text.of_error(error)} {needs_none}")
        return None
    except ModelNotFound as error:
        maker = text.plain(word.corpus.manifest.model)
        needs_none = _("Clusters need no model.")
        made = _("This corpus was made with “{model}”.").format(model=maker)
        st.error(f"{made} {text.of_error(error)} {needs_none}")
        return None
    except PolyseeError as error:
        st.error(text.of_error(error))
        return None
    if absent := word.absent((*low.words, *high.words)):
        st.caption(captions.absent(absent))
    return groups
