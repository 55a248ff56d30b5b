"""The zoom levels: all heads, one layer, one head, one token, one product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.errors import PolyseeError
from core.figures import OnPage, Picture, file_name, heads_of, layer_of, style
from core.localization import N_, _, gettext
from core.sentences import sentence
from pages.heads import pattern_captions, striking
from pages.heads.displayed import Panel, link, panel_of, scores
from pages.heads.state import HeadsState
from ui import figure, files, layout, page, permalink
from ui.figure import Head
from ui.lessons import route
from ui.models import blocks as attention_blocks
from ui.models import pictures
from ui.page import terms
from ui.query import TextQuery

NO_PIECES = N_(
    "A word may consist of several tokens, and then there is no single product. To see products, show "
    "pieces: switch “Whole words” off."
)
CARRIES = N_(
    "Weights say what a head attends to. What it carries over to a token is the sum of each token’s "
    "*value* vector times its weight."
)
MASKED = N_("Later tokens are hidden by a causal mask that the model was trained without.")
NOTHING_LATER = N_(
    "Nothing is left here: with a causal mask, no token of the first text can attend to the second "
    "one, which comes later."
)


def drawn(panels: Sequence[Panel], number: int = 0) -> Picture:
    """The picture of the chosen zoom level.

    Args:
        panels: the content of one or two panels.
        number: the index of the panel, from 0.
    """
    one = panels[number]
    make = _all_heads if one.layer is None else _one_layer
    query = "heads", *(panel.tokens for panel in panels), number, one.layer
    return pictures.once(query, partial(make, panels, number)).choosing(_chosen(one, panels[0]))


def _chosen(one: Panel, first: Panel) -> dict[str, Any]:
    """The choices in the picture, in its own format."""
    if one.layer is not None:
        return one.chosen.in_layer(first.block, one.block)
    return {**one.chosen.in_overview(first.block, one.block), "special": special(one)}


def special(one: Panel) -> bool | None:
    """Whether the picture of all heads shows special tokens; None if there are none."""
    return one.chosen.special(one.block) if any(one.block.special) else None


def _all_heads(panels: Sequence[Panel], number: int) -> Picture:
    """Every head as a small map, with its pattern scores in this text if known."""
    one = panels[number]
    pattern_scores = scores(one)
    return _named(
        one,
        heads_of(
            one.drawn,
            notes=None if pattern_scores is None else pattern_captions.notes(pattern_scores),
            patterns=None
            if pattern_scores is None
            else pattern_captions.patterns(one.text_query.model, pattern_scores),
            state={"special": special(one)},
            link=link(panels, number),
            positions=_positions(one),
            missing_heads=one.block.absent,
        ),
    )


def _named(one: Panel, picture: Picture) -> Picture:
    """The picture; if a mask was added to an encoder, its sentence and its file name say so."""
    if not one.masked:
        return picture
    told = {
        "sentence": f"{picture.header['sentence']} {gettext(MASKED)}",
        "file": f"{picture.header['file']}-masked",
    }
    return Picture(picture.module, {**picture.header, **told}, picture.payload, picture.complete)


def _framed(picture: Picture, layer: int, head: int) -> Picture:
    """The picture of all heads with a frame around the head that stands beside it."""
    beside = _("{head} is framed: it stands beside this picture.").format(
        head=style.head_name(layer, head)
    )
    told = {"chosen": (layer, head), "sentence": f"{picture.header['sentence']} {beside}"}
    return Picture(picture.module, {**picture.header, **told}, picture.payload, picture.complete)


def _positions(one: Panel) -> tuple[list[int], list[int]] | None:
    """The positions of the visible tokens among all, if some are hidden."""
    if one.drawn is one.block:
        return None
    queries, keys = (
        [all_of.index(mark) for mark in drawn]
        for all_of, drawn in zip(one.block.marks, one.drawn.marks, strict=True)
    )
    return queries, keys


def _one_layer(panels: Sequence[Panel], number: int) -> Picture:
    """Zoom levels two to five."""
    one = panels[number]
    titles: dict[str, str] = {}
    if one.averaged:
        count = int((~one.block.absent).sum())
        where = f"{gettext(one.block.title)}. " if one.block.title else ""
        titles = {
            "layer": sentence("heads.mean-title", count=str(count)),
            "sentence": where + sentence("heads.mean"),
            "name": file_name(one.block, "mean"),
            "without": sentence("heads.mean-scores"),
        }
    elif "whole_words(block)" in one.steps and not one.without_attention:
        titles["without"] = gettext(NO_PIECES)
    if one.masked and bool(one.drawn.absent[one.layer or 0].all()):
        titles["without"] = gettext(NOTHING_LATER)
    # A scene of the route says one thing; what else the head does belongs to the page.
    about = None if route.scene() else pattern_captions.about(one)
    around = OnPage(link=link(panels, number), above=True, about=about)
    picture = layer_of(
        one.drawn, one.layer or 0, averaged=one.averaged, state=None, on_page=around, **titles
    )
    return _named(one, picture)


def show(s: HeadsState, panels: Sequence[Panel], number: int, saved_as: Sequence[files.File]) -> None:
    """Draw the picture on the page; choices made in it become choices of the page.

    Args:
        s: the state of the page.
        panels: the content of all panels.
        number: the index of the panel, from 0.
        saved_as: the files in its menu, besides those that the browser makes.
    """
    one, picture = panels[number], drawn(panels, number)
    if striking.opens(s, list(panels)) and (found := striking.read(one)) is not None:
        picture = _framed(picture, found.layer, found.head)
    # The session stores arguments as long as the visitor stays: queries, no results.
    text_queries = tuple(panel.text_query for panel in panels)
    heard = partial(_take, s, text_queries, number, one.layer is None)
    opens = partial(open_head, s, number) if one.layer is None else None
    described = one.averaged or (one.layer is not None and scores(one) is not None)
    if not described and (why_not := pattern_captions.why_not(one)):
        st.caption(why_not)
    figure.show(
        picture,
        picture_name(one),
        on_head=opens,
        on_state=heard,
        saved_as=saved_as,
        scale=layout.scale(),
        of=[one.text_query.text],
    )
    if one.layer is not None and not one.without_attention:
        terms.caption(gettext(CARRIES), f"carries {number}")
    level = one.chosen.inside.get("level", "lines")
    if one.layer is not None and level != "lines" and not (one.averaged or one.without_attention):
        _down_to_the_numbers(one)


def _down_to_the_numbers(one: Panel) -> None:
    """A link to the steps of the chosen weight, if a text is read alone, token by token."""
    asked = one.text_query
    changed = bool(asked.second or asked.masked or asked.more or asked.causal or one.chosen.words)
    if changed or one.head < 0 or len(attention_blocks.named(asked)) > 1:
        return
    weights = one.block.attention.head_weights(one.layer or 0, one.head)
    chosen = one.chosen.query  # until one is chosen: the first word, behind a special token
    query = min(1 if chosen is None else chosen, len(weights) - 1)
    key = one.chosen.inside.get("key")
    strongest = int(weights[query].argmax())
    at = strongest if key is None else min(int(key), len(weights) - 1)
    page.to_number(asked.text, one.layer or 0, one.head, query, at)


def picture_name(one: Panel) -> str:
    """The name of a panel's picture on the page."""
    what = "all heads" if one.layer is None else "mean" if one.averaged else f"layer {one.layer}"
    return f"{what} {one.chosen.side + 1}" if one.chosen.side else what


def _take(
    s: HeadsState,
    text_queries: Sequence[TextQuery],
    number: int,
    overview: bool,
    sent: Mapping[str, Any],
) -> None:
    try:
        panels = [panel_of(one, s.choices(side)) for side, one in enumerate(text_queries)]
    except PolyseeError:
        return  # if it has gone in the meantime, the next run says so
    first, own = panels[0], panels[number]
    if not overview and sent.get("up") is True:
        s.take_in_layer(number, sent, first.block, own.block)
        permalink.publish_changes()  # a separate step of Back
        s.open_all(number)
        return
    if not overview and (opened := sent.get("open")) is not None:
        s.take_in_layer(number, sent, first.block, own.block)
        open_head(s, number, Head(int(opened["layer"]), int(opened["head"])))
        return
    if overview:
        s.take_in_overview(sent, first.block, own.block)
    else:
        s.take_in_layer(number, sent, first.block, own.block)


def open_head(s: HeadsState, side: int, head: Head) -> None:
    """One zoom level down: this head of its layer."""
    s.open_head(side, head.layer, head.head)
