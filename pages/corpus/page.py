"""Corpus: every occurrence of a word, by meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from core.corpus import Corpus
from core.corpus.querying.concordance import LEAST_LINES, Groups, Spread, commonest
from core.errors import CorpusError, PolyseeError
from core.localization import _, decimal, gettext, ngettext
from core.measures.senses.clusters import LEAST
from core.records.words import split
from pages.corpus import (
    beside,
    building,
    captions,
    change,
    choose,
    compose,
    concordance,
    frequency,
    keywords,
    layers,
    map_captions,
    marks,
    narrow,
    near,
    own_texts,
    python,
    surprise,
    texts,
    words,
)
from pages.corpus.state import GROUP, SUGGESTED, CorpusState
from ui import page, same_in_python, state, text
from ui.corpora import examples, lines, offered
from ui.corpora.lines import CachedWord
from ui.corpora.offered import Offered
from ui.corpora.selection import column_name
from ui.models.attempt import attempt
from ui.page.prose import Prose, Try
from ui.state import Switch

_MOST = 6  # words of several that were typed
CONTROLS = "corpus controls"
# On a phone they are one row, to be moved sideways, so that the first lines are on the first screen.
_STYLE = """<style>
@media (max-width: 640px) {
  .st-key-corpus-controls {flex-wrap: nowrap; overflow-x: auto; max-width: 100%;}
  .st-key-corpus-controls > * {flex-shrink: 0;}
}
</style>"""


def corpus(s: CorpusState) -> None:
    """The lines of the word, and then what else can be asked of them, one question at a time."""
    found = _lines(s)
    if found is not None:
        _about_lines(s, *found)


def _lines(s: CorpusState) -> tuple[Offered, CachedWord, Groups, int] | None:
    """The controls, the answer in a sentence, the lines and the chosen one; None if there are none."""
    try:
        offered.require_extra()
    except CorpusError as error:
        st.error(text.of_error(error))
        return None
    shown = choose.choose_corpus(s)
    if shown is None:
        return None
    facts = st.empty()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        choose.draw_corpora(s, shown)
        typed = choose.draw_word(s)
        controls = st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", width="content", key=CONTROLS
        )
        st.html(_STYLE)
    if offered.is_supplied(shown) and not building.ready(shown.name):
        return None
    word = _found(s, shown, typed, controls)
    groups = None if word is None else choose.groups_of(s, shown, word)
    if word is None or groups is None:
        facts.caption(_about(shown))
        return None
    st.markdown(captions.answer(word, groups, word.separation(groups)))
    concordance.draw(s, shown, word, groups)
    line = concordance.draw_line(s, shown, word, groups)  # where it was clicked
    concordance.about(shown)
    with st.expander(_("How far the groups stand apart, and how often the word occurs")):
        concordance.count(s, word, groups)
        st.caption(f"{_about(shown)} {captions.frequency(word)}")
    return shown, word, groups, line


def _about_lines(s: CorpusState, shown: Offered, word: CachedWord, groups: Groups, line: int) -> None:
    """What else can be asked of these lines, one of which is chosen."""
    column = change.keep_column(s, word)
    time = word.is_time(column)
    if time:  # how a meaning changed is an answer, not a detail
        st.markdown(f"**{captions.over(column, groups, time=True)}**")
        change.draw(s, word, groups, line)
    _more(s, shown, word, groups, line)
    own_texts.draw()
    if not offered.is_supplied(shown):
        texts.draw(word.corpus.manifest)
    ends = tuple(tuple(text.group_of(typed.get()).words) for typed in (s.low, s.high))
    same_in_python.show(
        s.python,
        partial(python.lines, s, word, groups, ends),
        word.corpus.manifest.model,
    )


def _more(s: CorpusState, shown: Offered, word: CachedWord, groups: Groups, line: int) -> None:
    """What else can be asked: a pill for each question, and below them the one that is open."""
    column = change.keep_column(s, word)
    parts: dict[Switch, tuple[str, str, Callable[[], None]]] = {
        s.beside_open: (
            _("What stands beside it"),
            captions.BESIDE,
            lambda: beside.draw(s, word, groups),
        ),
        s.frequency_open: (
            _("How often it occurs"),
            captions.FREQUENCY,
            lambda: frequency.draw(s, word),
        ),
        s.change_open: (
            _("By {column}").format(column=text.clipped(column_name(column), 20)),
            captions.over(column, groups, time=False),
            lambda: change.draw(s, word, groups, line),
        ),
        s.near_open: (_("What is used alike"), captions.NEAR, lambda: near.draw(s, word, groups, line)),
        s.surprise_open: (
            _("How surprising it is"),
            captions.SURPRISE,
            lambda: surprise.draw(word, groups),
        ),
        s.marks_open: (_("Your marks"), captions.MARKS, lambda: marks.draw(s, shown, word, groups)),
        s.map_open: (_("Its lines on a map"), captions.MAP, lambda: layers.draw(s, word, groups)),
        s.keywords_open: (_("Typical words"), captions.KEYWORDS, lambda: keywords.draw(s, shown, word)),
        s.words_open: (
            _("All words on a map"),
            map_captions.HEADING,
            lambda: words.draw(s, shown, word),
        ),
    }
    if word.is_time(column):  # drawn above, as an answer
        del parts[s.change_open]
    of_texts = {s.frequency_open, s.keywords_open, s.words_open}
    for label, row in (
        (_("Ask more about these lines"), [one for one in parts if one not in of_texts]),
        (_("About the whole corpus"), [one for one in parts if one in of_texts]),
    ):
        state.open_parts({one: parts[one][0] for one in row}, label, parts)
    for field, (_name, heading, draw) in parts.items():
        if field.get():
            st.markdown(f"##### {gettext(heading)}")
            draw()


def _found(
    s: CorpusState, shown: Offered, typed: str, controls: st.delta_generator.DeltaGenerator
) -> CachedWord | None:
    """The lines of the word; None, with the reason and a way on, if there are none."""
    try:
        found = offered.opened(shown)[0]
        with controls:
            choose.draw_grouping(s, found)
            selection = narrow.draw(s, shown, found)
            compose.draw(s)
        if not typed:
            st.info(_("Type a word."))
            return None
        with st.spinner(_("Reading the lines …")):
            return lines.get(shown, typed, s.layer.get(), selection)
    except PolyseeError as error:
        st.error(text.of_error(error))
    if narrow.selected(s).conditions:
        state.offer("corpus all texts", [_("All texts")], _("Look in"), lambda _: narrow.clear(s))
    try:
        corpus = offered.opened(shown)[0]
        several = _of_it(corpus, typed)
        words = several or commonest(corpus)
    except PolyseeError:
        return None
    if words:
        st.caption(_("Words of it that the corpus has:") if several else _("Words that it has often:"))
        state.offer("corpus common word", words, _("Look up"), partial(near.look_up, s))
    return None


def _about(shown: Offered) -> str:
    """Which corpus this is, and how large; "" if it cannot be read, which the page says elsewhere."""
    try:
        return captions.corpus_facts(shown.title, offered.opened(shown)[0].manifest)
    except PolyseeError:
        return ""


def _of_it(corpus: Corpus, typed: str) -> list[str]:
    """Those of several words that the corpus has: of "l'eau", "eau"."""
    words = [one.text for one in split(typed) if any(map(str.isalnum, one.text))]
    if len(words) < 2:
        return []
    return [one for one in dict.fromkeys(words[:_MOST]) if corpus.count(one)]


def own_examples(words: Prose) -> Prose:
    """The examples of the page; of an own corpus, words that are drawn out of it."""
    every = attempt(offered.every)
    name = CorpusState.corpus.get()
    if every is None or name not in every or offered.is_supplied(every[name]):
        return words
    drawn = examples.of(every[name])
    return replace(words, tries=tuple(_example(name, one) for one in drawn), more=())


def _example(corpus: str, one: Spread) -> Try:
    state = (("c", corpus), ("w", one.word), ("k", str(SUGGESTED)), ("n", GROUP))
    where = ngettext(
        "{count} occurrence, in {parts} of {of} equal parts of the texts.",
        "{count} occurrences, in {parts} of {of} equal parts of the texts.",
        one.lines,
    ).format(count=decimal(f"{one.lines:,}"), parts=one.parts, of=one.of)
    look = (
        _("See whether its clusters stand apart, and what they mix.")
        if one.lines >= LEAST * LEAST_LINES
        else _("Too few for clusters: read the lines.")
    )
    return Try(text.plain(one.word), state, f"{where} {look}")


page.run(__file__, CorpusState, corpus, picture="concordance", examples=own_examples, translated=True)
