"""Between what a word is measured: anchor words of two senses, or the word in labelled sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition
from typing import NamedTuple

import cachetools
import streamlit as st

from core.errors import NotSupported
from core.measures import SenseAxis, sense_axis, word_path
from core.measures.sense_axis import CONTEXTUAL
from core.settings import AnchorGroup
from core.words import places
from ui import answers, controls, shelf, workshop
from ui.held import hold, resume
from ui.senses import Groups
from ui.text import plain
from ui.why_state import AXES, AXIS, BETWEEN, FROM, LINES, TO
from ui.word_senses_kept import read
from ui.word_senses_state import lines_of

MOST_SENTENCES = 100  # each of which runs the model once
GRAMMAR_SENTENCES = 8  # of each sense, of a small language
NO_EARLIER = (
    "This axis begins after layer 1: before, the word is one and the same learned vector in all "
    "sentences, and differs by its place alone."
)
SCALE = (
    "Each layer has an axis and a scale of its own: ±1 are the means of the two groups there. So a "
    "place says where the word stands between these groups in this layer; and a step from layer to "
    "layer comes from the word and from the groups, which move as well. Anchor words ask "
    "which other words it is like, labelled sentences which of its own uses: these are two axes, and "
    "may answer differently."
)


class Labelled(NamedTuple):
    """One end of an axis: the word itself, in sentences of one sense."""

    name: str
    word: str
    texts: tuple[str, ...]


End = AnchorGroup | Labelled
Ends = tuple[End, End]


class Sorted(NamedTuple):
    """Labelled sentences of a word, as they can be used.

    Attributes:
        by_label: label -> its sentences.
        own: how many were left out, since they stand on the page themselves.
        without: how many were left out, since they do not have the word.
    """

    by_label: dict[str, tuple[str, ...]]
    own: int
    without: int


def sort(typed: str, word: str, texts: Sequence[str], *, cased: bool) -> Sorted:
    """Lines as `word_senses_kept.read` reads them, by label; those without one are left out.

    Args:
        typed: the lines.
        word: what they are about.
        texts: the texts on the page, which are not measured between themselves.
        cased: whether upper and lower case are two.
    """
    here = {_same(text) for text in texts}
    found: dict[str, list[str]] = {}
    own = without = 0
    for label, text in read(typed):
        if not label:
            continue
        found.setdefault(label, [])
        if _same(text) in here:
            own += 1
        elif not places(text, word, cased=cased):
            without += 1
        else:
            found[label].append(text)
    return Sorted({label: tuple(kept) for label, kept in found.items()}, own, without)


def _same(text: str) -> str:
    return " ".join(text.split()).casefold()


def of(model: str, low: End, high: End) -> SenseAxis:
    """The axis from one end to the other.

    Raises:
        PolyseeError: as `answers.axis`, and as `Model.trace_many`; NotSupported: there is no sentence
            at one end, or there are too many.
    """
    if isinstance(low, Labelled) and isinstance(high, Labelled):
        if len(low.texts) + len(high.texts) > MOST_SENTENCES:
            raise NotSupported(f"An axis takes at most {MOST_SENTENCES} sentences. Leave some out.")
        shelf.model(model)
        return _between(model, low, high)
    assert isinstance(low, AnchorGroup)
    assert isinstance(high, AnchorGroup)
    return answers.axis(model, low.words, high.words)


@cachetools.cached(cachetools.LRUCache(answers.MOST_KEPT), condition=Condition())
def _between(model: str, low: Labelled, high: Labelled) -> SenseAxis:
    runner = shelf.model(model)
    groups = []
    for end in (low, high):
        if not end.texts:
            raise NotSupported(f"No sentence is left of “{end.name[:40]}”. Add one with the word.")
        traces = runner.trace_many(list(end.texts), keep="hidden")
        groups.append([word_path(trace, trace.find(end.word)) for trace in traces])
    return sense_axis(groups[0], groups[1], first=CONTEXTUAL)


def choose(
    model: str,
    words: Sequence[str],
    texts: Sequence[str],
    groups: Groups | None,
    publish: Callable[[], None],
) -> Ends | None:
    """The boxes, and the two ends; None where there are none yet: the reason is on the page.

    Args:
        model: its name.
        words: the word that is asked about; two different ones have no sentences in common.
        texts: those on the page.
        groups: the anchor words.
        publish: puts the state into the link, after a visitor has changed it.
    """
    if len(set(words)) > 1:
        hold(*BETWEEN)
        return groups
    if workshop.is_own(model):
        hold(AXIS)
        resume(LINES, FROM, TO)
        return _choose_labels(model, words[0], texts, publish)
    resume(AXIS)
    chosen = st.segmented_control(
        "Measure between",
        [*AXES],
        key=AXIS.key,
        format_func=AXES.__getitem__,
        required=True,
        on_change=publish,
    )
    if chosen == "anchors":
        hold(LINES, FROM, TO)
        if groups is None:
            st.caption("No two senses are named: type some words for each, or choose sentences.")
        return groups
    resume(LINES, FROM, TO)
    return _choose_labels(model, words[0], texts, publish)


def _choose_labels(
    model: str, word: str, texts: Sequence[str], publish: Callable[[], None]
) -> Ends | None:
    own = _lines(model, word)
    key = f"{LINES.key} about {word}"
    controls.keep(key, st.session_state[LINES.key] or own)

    def take() -> None:
        typed = str(st.session_state[key])
        st.session_state[LINES.key] = "" if typed == own else typed
        publish()

    with st.popover(f"The sentences with “{plain(word)}”"):
        st.text_area("One a line: label | sentence", key=key, height=260, on_change=take, width=620)
    typed = str(st.session_state[LINES.key]) or own
    found = sort(typed, word, texts, cased=shelf.model(model).cased)
    labels = [*found.by_label]
    if len(labels) < 2:
        hold(FROM, TO)
        st.caption(
            f"Type sentences that have **{plain(word)}**, one a line, each after its label and a bar: "
            "*label | sentence*. Two labels are needed."
        )
        return None
    low, high = _two(labels, publish)
    st.caption(_said(found, word, low, high))
    return Labelled(low, word, found.by_label[low]), Labelled(high, word, found.by_label[high])


def _lines(model: str, word: str) -> str:
    """Our own labelled sentences of a word; for a model trained here, of its small language."""
    if not workshop.is_own(model):
        return lines_of(word)
    from core.tasks.senses import labelled

    found = labelled(word.casefold(), GRAMMAR_SENTENCES)
    return "\n".join(f"{one.topic} | {' '.join(one.words)}" for one in found)


def _two(labels: list[str], publish: Callable[[], None]) -> tuple[str, str]:
    """Which label stands at −1, and which at +1."""
    low = str(st.session_state[FROM.key])
    low = low if low in labels else labels[0]
    others = [label for label in labels if label != low]
    high = str(st.session_state[TO.key])
    high = high if high in others else others[0]
    if len(labels) == 2:
        hold(FROM, TO)
        return low, high
    with st.container(horizontal=True, gap="small"):
        for parameter, title, offered, now in (
            (FROM, "At −1", labels, low),
            (TO, "At +1", others, high),
        ):
            controls.keep(parameter.key, now)
            st.selectbox(
                title,
                offered,
                index=offered.index(now),
                key=parameter.key,
                on_change=publish,
                width=200,
            )
    return low, high


def _said(found: Sorted, word: str, low: str, high: str) -> str:
    counts = " and ".join(f"{len(found.by_label[name])} as *{plain(name)}*" for name in (low, high))
    said = f"Between the means of **{plain(word)}** in {counts}. {NO_EARLIER}"
    if found.own:
        said += " A sentence on this page is left out of its group, or it would be measured by itself."
    if found.without:
        said += f" Left out, without the word: {found.without}."
    return said
