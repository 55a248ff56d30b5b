"""What else is used like this? The nearest occurrences of other words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.corpus import Near, Occurrence
from core.corpus.querying.concordance import Groups
from core.dictionary import lemma
from core.localization import _
from core.records.words import name_of
from pages.corpus import captions, tables
from pages.corpus.state import GROUP, LINE, CorpusState
from ui import files, page, state, text
from ui.corpora import lines
from ui.corpora.lines import CachedWord
from ui.models.attempt import attempt
from ui.page import terms

SHOWN = 8
LOOK = 2.0  # seconds between two looks at a measurement


def draw(s: CorpusState, word: CachedWord, groups: Groups, line: int) -> None:
    """The nearest to a line, or to the centre of its group."""
    group = int(groups.of[line])
    name = groups.labels[group]
    whole = _("these lines") if groups.kind == "all" else text.clipped(name, 30)
    to = state.select(
        s.near,
        {GROUP: _("like all of {lines}").format(lines=whole), LINE: _("like this line")},
        _("Nearest to"),
        style="segments",
    )
    near = attempt(word.near_line, line) if to == LINE else attempt(word.near_group, groups, group)
    if not near:
        if near is not None:
            alone = _("No other sentence of this corpus has another word to compare.")
            all_own = _(
                "All sentences of this corpus are among these lines. Look for words like one line."
            )
            st.caption(all_own if to == GROUP else alone)
        return
    unrelated = word.unrelated()
    close = [one for one in near if unrelated is None or one.cosine >= unrelated]
    shown = nearest_in_each(once_each(close))[:SHOWN]
    others: list[str] = []
    with st.container(key="corpus nearest"):
        if unrelated is not None and not close:
            st.markdown(captions.nothing_near(near[0], _written(near[0].occurrence, word), unrelated))
        else:
            found = dict.fromkeys(_written(one.occurrence, word) for one, _count in shown)
            others = unlike([other for other in found if other.isprintable()], word.lines.word)
            if others:
                st.markdown(captions.used_alike(others, word.lines.word))
            st.markdown("\n".join(captions.near(one, count) for one, count in shown))
    returns = any(count > 1 for _, count in shown)
    said = captions.nearest(
        len(shown), len(near), unrelated if close else None, of_line=to == LINE, returns=returns
    )
    terms.caption(" ".join([*said, captions.left_out(word.forms())]).rstrip(), "corpus nearest")
    indexed = word.query.layer in word.corpus.manifest.indexed
    measured = not indexed or lines.recall(word).done()
    page.part(_searched, None if measured else LOOK, word, indexed=indexed, measured=measured)
    if others:
        state.offer("corpus other word", others[:6], _("Look up"), partial(look_up, s))
    with st.container(horizontal=True):
        for file in tables.both(partial(tables.near_table, near), f"near-{_ascii(word.lines.word)}"):
            files.button(file)


def once_each(near: Sequence[Near]) -> list[tuple[Near, int]]:
    """Occurrences, each sentence once, and how often it returns: texts repeat themselves."""
    counts = Counter(_sentence(one) for one in near)
    first = {_sentence(one): one for one in reversed(near)}
    return [(first[sentence], count) for sentence, count in counts.items()]


def nearest_in_each(near: Sequence[tuple[Near, int]]) -> list[tuple[Near, int]]:
    """Of each sentence, only its nearest word: the others come near by standing beside that one."""
    first: dict[str, tuple[Near, int]] = {}
    for one, count in near:
        first.setdefault(one.occurrence.text, (one, count))
    return list(first.values())


def unlike(words: Sequence[str], own: str) -> list[str]:
    """Some words without those that are forms or parts of an earlier one, or of the word itself.

    Of "character", "characters", "chars" and "char", the first two are one word for a reader of a list.
    """
    kept: list[str] = []
    for one in words:
        letters = _letters(one)
        if letters == _letters(own) or any(
            lemma(letters) == lemma(_letters(other))
            or letters.startswith(_letters(other))
            or _letters(other).startswith(letters)
            for other in kept
        ):
            continue
        kept.append(one)
    return kept


def _letters(word: str) -> str:
    """The letters of a word, without numbers and signs; all of it if it has none."""
    return "".join(filter(str.isalpha, word)).casefold() or word


def _written(one: Occurrence, word: CachedWord) -> str:
    """An occurrence as a list of words names it; its key may lack accents."""
    return name_of(one.text[one.start : one.end], word.corpus.manifest.cased)


def _sentence(one: Near) -> tuple[str, int]:
    return one.occurrence.text, one.occurrence.start


def _searched(word: CachedWord, *, indexed: bool, measured: bool) -> None:
    """How the nearest were searched; the recall as soon as it is measured."""
    recall = lines.recall(word) if indexed else None
    if recall is not None and recall.done() and not measured:
        st.rerun()  # nothing more to look for
    st.caption(captions.searched(word, recall))


def look_up(s: CorpusState, word: str) -> None:
    """Show another word of this corpus."""
    s.word.set(text_of(word))
    s.forget_lines()


def text_of(word: str) -> str:
    """A word as its box holds it."""
    return " ".join(word.split())


def _ascii(word: str) -> str:
    """A part of a file's name."""
    kept = "".join(c for c in text.isolated(word) if c.isascii() and c.isalnum())
    return kept[:30] or "word"
