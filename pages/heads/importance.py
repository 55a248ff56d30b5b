"""The section on why a head matters: whether a word depends on it, and for what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.comparison import Chosen
from core.examples import ANCHORS
from core.localization import N_, _, gettext
from core.measures import merged
from core.measures.contributions.by_head import HeadWhy
from core.records.trace import Array, Trace
from core.records.words import Occurrence
from pages.heads.atlas import ablation
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui import figure, files, page, sense_ends
from ui.contributions import (
    all_interventions,
    captions,
    computed,
    pictures,
    section,
    tables,
    what_if,
)
from ui.contributions.state import OPEN
from ui.models import answers, model_cache
from ui.models.attempt import attempt
from ui.query import TextQuery
from ui.sense_ends import ENDS
from ui.state import Part, SessionValue, select, toggle
from ui.text import plain

TITLE = N_("Does this head matter, and for what?")
_OPENED = SessionValue("a head was opened from the maps of why", False)


def show(s: HeadsState, shown: Sequence[Panel]) -> None:
    """Draw the folded section; nothing is computed before it is opened.

    Args:
        s: the state of the page.
        shown: the panels; the section is about the first one.
    """
    if not toggle(OPEN, gettext(TITLE)):
        return
    one = shown[0]
    if none := why_none(one):
        st.caption(none)
        return
    trace = answers.trace(one.text_query.model, one.text_query.text)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        word = _choose_word(s, one, trace)
        if word is None:
            st.caption(_("This text has no word to measure."))
            return
        text = one.text_query.text
        ends = sense_ends.choose(ENDS, one.text_query.model, word.word, (text,))
    _say_what(one, shown)
    if ends is None:
        st.caption(_("Name the two meanings of the word. One word each is enough."))
        return
    of = computed.ContributionQuery(
        one.text_query.model, Chosen(one.text_query.text, word.word, word.number), ends
    )
    page.part(_answer, None, s, of, one.text_query, _open(one))


def why_none(one: Panel) -> str:
    """Why the section does not apply, in a sentence; "" if it does."""
    if model_cache.model(one.text_query.model).kind == "encoder-decoder":
        return _("This section needs a model that reads one text: an encoder–decoder reads two.")
    if none := computed.none(one.text_query.model):
        return none
    if one.text_query.second:
        return _("This section needs a single text: leave the second text empty.")
    if one.masked:
        return _(
            "This section measures a model as it was trained, with every token visible: switch the "
            "causal mask off."
        )
    return ""


def _say_what(one: Panel, shown: Sequence[Panel]) -> None:
    sentences = []
    if len(shown) > 1:
        sentences.append(
            _("Measured in {model}, the first of the two models.").format(
                model=model_cache.markdown_title(one.text_query.model)
            )
        )
    if one.text_query.masked:
        sentences.append(
            _(
                "The text is measured as you typed it, with no word masked. *What the model "
                "expects*, above, is where masks count."
            )
        )
    if sentences:
        st.caption(" ".join(sentences))


def _choose_word(s: HeadsState, one: Panel, trace: Trace) -> Occurrence | None:
    """Choose the word, which is also the chosen row on the panel."""
    words = trace.occurrences()
    if not words:
        return None
    chosen = _of_panel(one, trace, words)
    names = [w.word if not w.number else f"{w.word} ({w.number + 1})" for w in words]

    def take(number: int) -> None:
        token = int(words[number].tokens[0])
        rows = merged(trace)[1] if s.words.get() else ()
        s.choose_query(next((i for i, row in enumerate(rows) if token in row), token))

    # A browser answers with names, so each text needs a list of its own.
    word = Part(f"why of which word in {one.text_query.text}", lambda: chosen, take)
    at = select(
        word,
        dict(enumerate(names)),
        _("Word"),
        width=180,
        about=_(
            "The word to measure. At first it is the word of the row chosen above. If you choose "
            "another word here, its row is chosen above as well."
        ),
    )
    return words[at]


def _of_panel(one: Panel, trace: Trace, words: Sequence[Occurrence]) -> int:
    """The word at the chosen row; otherwise the first with two known senses; otherwise the longest."""
    row = one.chosen.query
    if row is not None and row < len(one.block.attention.queries):
        groups = merged(trace)[1]
        whole = "whole_words(block)" in one.steps
        tokens = set(groups[row]) if whole else {row}
        at_row = [i for i, word in enumerate(words) if tokens & set(word.tokens.tolist())]
        if at_row:
            return at_row[0]
    known = [i for i, word in enumerate(words) if word.word.casefold() in ANCHORS]
    return known[0] if known else int(np.argmax([len(word.word) for word in words]))


def _open(one: Panel) -> tuple[int, int] | None:
    """The open head of the panel."""
    if one.layer is None or one.averaged or one.head < 0:
        return None
    return one.layer, one.head


def _answer(
    s: HeadsState,
    of: computed.ContributionQuery,
    text_query: TextQuery,
    here: tuple[int, int] | None,
) -> None:
    """Draw the word's path, the sum, the heads, the open head, and what if."""
    if _OPENED.take():
        st.rerun()  # rerun the whole page: the panel shows the head
    with st.spinner(_("Cutting attention to word after word, ablating head after head …")):
        why = attempt(computed.result, of)
        long = all_interventions.too_long(of) if why is not None else ""
        ablated = None if why is None or long else attempt(all_interventions.ablated, of)
        at = _head(ablated, here)
        row = None if at is None else attempt(computed.head, of, *at)
    if why is None:
        return
    trace = answers.trace(of.model, of.side.text)
    without = ablation.of(s, trace.grid)
    ablation.buttons(s, at if at is not None else here, without)
    beside = None if without is None else ablation.show_path(of, without, ablated)
    with section.show_path(of, "") if beside is None else beside:
        if row is not None and ablated is not None:
            st.markdown(captions.of_head(row, why, ablated))
        if here is None and row is not None:
            st.caption(
                _(
                    "No single head is open above, and this section shows the head whose ablation "
                    "moves the word most. Click a map of heads to open another."
                )
            )
    if without is not None:
        ablation.show_expected(of, without, text_query.masked)
    section.show_words(of, why, "")

    def opened(cell: figure.Cell) -> None:
        s.open_head(0, cell.row, cell.column)  # the section is about the first model
        _OPENED.set(True)

    section.show_layers(of, why, "")
    section.show_heads(of, why, "", opened)
    if row is not None:
        _show_head(of, row)
    what_if.show(of, "", here=at, masked=text_query.masked)


def _head(ablated: Array | None, here: tuple[int, int] | None) -> tuple[int, int] | None:
    """The head to describe: the open one; otherwise the one whose ablation moves the word most."""
    if here is not None or ablated is None:
        return here
    layer, head = np.unravel_index(np.abs(ablated).argmax(), ablated.shape)
    return int(layer), int(head)


def _show_head(of: computed.ContributionQuery, row: HeadWhy) -> None:
    """Draw attention, sum and cut for the word’s attention to each word in one head."""
    st.markdown(
        _("#### Layer {layer}, head {head}: the row of {word}").format(
            layer=row.layer + 1, head=row.head + 1, word=plain(computed.called(of.side))
        )
    )
    section.show_three(
        pictures.in_one_head(row),
        "why head",
        captions.ABOUT_HEAD,
        computed.called(of.side),
        files.csv(lambda: tables.in_one_head(row), "why-head"),
    )
    st.markdown(captions.head_at_odds(row))
