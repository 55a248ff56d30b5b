"""The zoom levels: all heads, one layer, one head, one token, one product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.errors import PolyseeError
from core.figures import Link, Picture, file_name, heads_of, layer_of
from pages.heads import pattern_captions
from pages.heads.displayed import Shown, scores, shown
from pages.heads.state import HeadsState
from ui import figure, layout, permalink
from ui.figure import Head
from ui.query import TextQuery

NO_PIECES = "A word may be several tokens, so there is no one product: show pieces for that."
ALL_AS_ONE = "The mean of all heads of all layers: which token attends to which."
NO_MEAN = "A mean over all heads has no scores of its own: choose a layer for those."


def drawn(one: Shown, first: Shown, link: Link | None = None) -> Picture:
    """The picture of the zoom level that is chosen.

    Args:
        one: what is shown.
        first: what the first of two models shows: the same where there is one.
        link: what it shares with the other's picture.
    """
    if one.layer is None:
        return _all_heads(one, first, link)
    return _one_layer(one, first, link)


def _all_heads(one: Shown, first: Shown, link: Link | None) -> Picture:
    """Every head as a small map, with what it does in this text where that is known."""
    pattern_scores = scores(one)
    return heads_of(
        one.drawn,
        notes=None if pattern_scores is None else pattern_captions.notes(pattern_scores),
        patterns=None
        if pattern_scores is None
        else pattern_captions.patterns(one.text_query.model, pattern_scores),
        special=one.chosen.special if any(one.block.special) else None,
        link=link,
        places=_positions(one),
        absent=one.block.absent,
        **one.chosen.above(first.block, one.block),
    )


def _positions(one: Shown) -> tuple[list[int], list[int]] | None:
    """Where the tokens that are drawn stand among all of them, if some are left out."""
    if one.drawn is one.block:
        return None
    queries, keys = (
        [all_of.index(mark) for mark in drawn]
        for all_of, drawn in zip(one.block.marks, one.drawn.marks, strict=True)
    )
    return queries, keys


def _one_layer(one: Shown, first: Shown, link: Link | None) -> Picture:
    """Zoom levels two to five."""
    more: dict[str, Any] = {"above": True, "about": pattern_captions.about(one)}
    if one.averaged:
        count = int((~one.block.absent).sum())
        more |= {"layer": f"Mean of all {count} heads", "averaged": True}
        more["name"] = file_name(one.block, "mean")
        where = f"{one.block.title}. " if one.block.title else ""
        more |= {"without": NO_MEAN, "sentence": where + ALL_AS_ONE}
    elif "whole_words(block)" in one.steps and not one.without_attention:
        more["without"] = NO_PIECES
    state = one.chosen.within(first.block, one.block)
    return layer_of(one.drawn, one.layer or 0, state=state, link=link, **more)


def show(
    s: HeadsState, text_queries: Sequence[TextQuery], number: int, one: Shown, link: Link | None
) -> None:
    """Draw it on the page; what a visitor chooses in it is chosen on the page.

    Args:
        s: what is chosen on the page.
        text_queries: the questions of all panels.
        number: which of them this is, from 0.
        one: what it shows.
        link: what it shares with the other's picture.
    """
    first = one if number == 0 else shown(text_queries[0], s.choices(0))
    picture = drawn(one, first, link)
    # A page keeps what it calls as long as the visitor stays: questions, no answers.
    heard = partial(_take, s, tuple(text_queries), number, one.layer is None)
    opens = partial(open_head, s, number) if one.layer is None else None
    described = one.averaged or (one.layer is not None and scores(one) is not None)
    if not described and (why_not := pattern_captions.why_not(one)):
        st.caption(why_not)
    figure.show(picture, _key(one), on_head=opens, on_state=heard, scale=layout.scale())


def _key(one: Shown) -> str:
    """The name of a panel's picture on the page."""
    what = "all heads" if one.layer is None else "mean" if one.averaged else f"layer {one.layer}"
    return f"{what} {one.chosen.side + 1}" if one.chosen.side else what


def _take(
    s: HeadsState, text_queries: Sequence[TextQuery], number: int, above: bool, sent: Mapping[str, Any]
) -> None:
    try:
        panels = [shown(one, s.choices(side)) for side, one in enumerate(text_queries)]
    except PolyseeError:
        return  # what has gone meanwhile is said when the page runs
    first, own = panels[0], panels[number]
    if not above and sent.get("up") is True:
        s.take_within(number, sent, first.block, own.block)
        permalink.publish_changes()  # a step of Back of its own
        s.open_all(number)
        return
    if not above and (opened := sent.get("open")) is not None:
        s.take_within(number, sent, first.block, own.block)
        open_head(s, number, Head(int(opened["layer"]), int(opened["head"])))
        return
    if above:
        s.take_above(sent, first.block, own.block)
    else:
        s.take_within(number, sent, first.block, own.block)


def open_head(s: HeadsState, side: int, head: Head) -> None:
    """One zoom level down: this head of its layer."""
    s.open_head(side, head.layer, head.head)
