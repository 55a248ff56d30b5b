"""Why this word: the words that were read, the parts that wrote, and what a change does."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.figures import bare, why_parts, why_text, why_words
from core.localization import _
from core.records.logit_parts import LogitParts
from core.records.prediction import Expectation
from core.sentences import sentence
from pages.next_word import captions as of_page
from pages.next_word import ending, headline
from pages.next_word.state import NextWordState
from pages.next_word.why import captions, changes, computed, python
from pages.next_word.why.computed import NOTHING, Query
from ui import figure, files, layout, same_in_python, text
from ui.models import model_cache
from ui.models.attempt import attempt
from ui.page import leads
from ui.state import SessionValue, select

OFFERED = 10  # likeliest words in the lists
WIDTH = 210  # pixels of a list
_OPEN = SessionValue[dict[str, str] | None]("next word open part", None)  # where a click leads


def show(s: NextWordState, model: str) -> None:
    """Draw the view."""
    if (wanted := _OPEN.take()) is not None:
        leads.go("heads", wanted)
    if model_cache.model(model).scratch_decoder is None:
        st.info(
            _(
                "**{model}** does not run in our own transformer here, and Polysee can trace back "
                "the steps of no other. *What comes next* shows what it expects."
            ).format(model=text.plain(model_cache.title(model)))
        )
        return
    typed = attempt(ending.of, model, s.text.get(), len(s.written.get()))
    if typed is None:
        return
    query = Query(model, *_until(s, model, typed))
    expected = attempt(computed.expects, query)
    if expected is None:
        return
    message = headline.place()
    query = _choose(s, query, expected)
    asked = attempt(computed.asked, query, expected)
    if asked is None:
        return
    found = attempt(_computed, query, asked.ids)
    if found is None:
        return
    parts, pieces = found
    words = [bare(one) for one in pieces]
    likely = computed.share(expected, asked.ids[0])
    headline.write(message, captions.headline(parts, words, likely), "".join(pieces))
    if said := captions.asks(parts):
        st.caption(said)
    if typed != s.text.get():
        st.info(ending.said(model, typed, where=_("a sum over every word and layer")))
    for word in asked.pieces:
        st.caption(sentence("why.pieces", word=text.plain(word)))
    scale = layout.scale()
    figure.show(why_text(parts, pieces), "why text", scale=scale)
    with st.container(key="next word picture"):  # the one that a class sees
        figure.show(
            why_words(parts, words),
            "why words",
            saved_as=[files.csv(partial(_table, parts), "why-words")],
            scale=scale,
        )
    st.caption(sentence("why.exact"))
    changed = changes.show(s, query, parts, words, asked.ids)
    st.subheader(_("Which part wrote it"), anchor=False)
    with st.container(key="why parts said"):
        st.markdown(captions.parts_said(parts))
    figure.show(
        why_parts(parts),
        "why parts",
        on_cell=partial(_open, query, parts.by_head.shape[1]),
        saved_as=[files.csv(partial(_parts_table, parts), "why-parts")],
        scale=scale,
    )
    st.caption(_("Click a head to open it in *Heads*."))
    same_in_python.show(s.python, partial(python.lines, query, asked.ids, changed), model)


def _until(s: NextWordState, model: str, typed: str) -> tuple[str, tuple[int, ...]]:
    """The text and what was written, up to the token whose next one is explained."""
    written, at = s.written.get(), s.at.get()
    if not at:
        return typed, written
    read = attempt(model_cache.model(model).read, typed)
    if read is None:
        return typed, written
    if (count := len(read.tokens) + len(written)) <= at:
        if at > count:
            st.caption(of_page.beyond(_("token"), at, count, _("the last one is explained")))
        return typed, written
    if at > len(read.tokens):
        return typed, written[: at - len(read.tokens)]
    return typed[: read.offsets[at - 1][1]], ()


def _choose(s: NextWordState, query: Query, expected: Expectation) -> Query:
    """Draw the two lists; the query with both words."""
    top = expected.top(min(OFFERED, len(expected.ids)), 1.0)
    offered = {one: bare(one) for one in top.texts}
    first = next(iter(offered.values()))
    width = round(WIDTH * layout.scale())
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        why = {"": _("{word} (the likeliest)").format(word=first), **offered}
        offered_why = _with(why, s.explained.get())
        # By names: a browser keeps the name it shows, and would answer for another text with “dough
        # (the likeliest)”, as if that had been typed.
        word = select(s.explained, offered_why, _("Why"), by_names=True, more=True, width=width)
        against = attempt(computed.rival, query._replace(word=word), expected)
        rival = _("{word} (its rival)").format(word=bare(against or ""))  # by names, as above
        rest = {"": rival, NOTHING: _("nothing: its logit alone"), **offered}
        offered_rest = _with(rest, s.rather.get())
        other = select(s.rather, offered_rest, _("rather than"), by_names=True, more=True, width=width)
        st.button(_("As it opens"), on_click=s.unchange)
    return query._replace(word=word, other=other)


def _with(options: dict[str, str], chosen: str) -> dict[str, str]:
    """The options, and what was typed or stands in the link."""
    return options if chosen in options else {**options, chosen: chosen}


def _computed(query: Query, ids: tuple[int, ...]) -> tuple[LogitParts, list[str]]:
    return computed.parts(query, ids), list(computed.score(query).pieces)


def _open(query: Query, heads: int, cell: figure.Cell) -> None:
    """A click on a head."""
    if cell.column < heads:
        at = {"l": str(cell.row + 1), "h": str(cell.column + 1), "r": "head"}
        _OPEN.set({"m": query.model, "t": query.text, **at})


def _table(parts: LogitParts) -> pd.DataFrame:
    return parts.to_frame("source")


def _parts_table(parts: LogitParts) -> pd.DataFrame:
    return parts.to_frame("part")
