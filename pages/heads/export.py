"""Files and code for the heads: numbers, pages that open offline, Python code."""

from __future__ import annotations

import html
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from core import spreadsheet
from core.figures import file_name, style
from core.figures.saved_page import Part, saved_page
from core.localization import _
from core.measures import HeadMap, head_map
from pages.heads import difference, displayed, pattern_captions, zoom
from pages.heads.displayed import Panel, panel_of
from pages.heads.state import Choices, HeadsState
from ui import files, permalink, same_in_python, state, tables
from ui.query import TextQuery


def saved_as(
    s: HeadsState, text_queries: Sequence[TextQuery], number: int, one: Panel, limitations: str
) -> list[files.File]:
    """The files in the menu of a panel's picture; each is made on request.

    Args:
        s: the state of the page.
        text_queries: the queries of all panels.
        number: the index of the panel, from 0.
        one: the current content of that panel.
        limitations: the page's text on what the pictures do not say.
    """
    # a file may be made long after the page has run
    text_query, read = one.text_query, state.published()

    def again() -> Panel:
        return panel_of(text_query, s.choices(number, read))

    name = "heads" if one.layer is None else "mean" if one.averaged else f"layer-{one.layer + 1}"
    name = f"polysee-{file_name(one.block, name)}{'-masked' if one.masked else ''}"
    saved = []
    if one.layer is not None:
        which = "" if one.averaged else "-mean" if one.head < 0 else f"-head-{one.head + 1}"
        about = _("the weights of the open head")
        saved.append(files.File("CSV", f"{name}{which}.csv", lambda: csv(again()), about))
        figure = f"{name}{which}-figure.html"
        about = _("figure of the open head for a paper, to restyle in Python")
        saved.append(files.File("Plotly", figure, lambda: paper(again(), figure), about))
    elif one.block.trace is not None:
        about = _("the patterns that every head follows, in this text and usually")
        saved.append(files.File("CSV", f"{name}-patterns.csv", lambda: patterns_csv(again()), about))
    about = _("weights, queries and keys, for NumPy")
    saved.append(files.File("NPZ", f"{name}.npz", lambda: npz(again()), about))
    return [*saved, _page(s, text_queries, limitations)]


def _page(s: HeadsState, text_queries: Sequence[TextQuery], limitations: str) -> files.File:
    """The pictures in a separate page; with two models, two of them side by side."""
    last, here, read = permalink.now(), st.context.url or "", state.published()

    def make() -> str:
        chosen = [s.choices(side, read) for side in range(len(text_queries))]
        return offline(text_queries, chosen, permalink.link(here, last), limitations)

    about = (
        _("both models, in a page that works offline")
        if len(text_queries) > 1
        else _("the interactive pictures, in a page that works offline")
    )
    return files.File("HTML", "polysee-heads.html", make, about)


def npz(one: Panel) -> bytes:
    """The numbers for `numpy.load`: weights, tokens, and query and key if known.

    Sinks and masks are included, if there are any.
    """
    block = one.seen
    which = slice(None) if one.layer is None else slice(one.layer, one.layer + 1)
    arrays = {
        "weights": block.attention.weights[which],
        "queries": np.array(block.attention.queries),
        "keys": np.array(block.attention.keys),
    }
    if block.query is not None and block.key is not None:
        arrays |= {"query": block.query[which], "key": block.key[which]}
    if block.attention.sink is not None:
        arrays["sink"] = block.attention.sink[which]
    masks = [block.mask(layer) for layer in range(block.attention.shape[0])[which]]
    if any(one is not None for one in masks):
        shape = block.attention.shape[2:]
        arrays["masked"] = np.stack([np.zeros(shape, bool) if one is None else one for one in masks])
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def csv(one: Panel) -> str:
    """The weights of one head, or of the mean over its layer: rows are queries, columns are keys.

    A missing row is empty.
    """
    return spreadsheet.csv(tables.head(_open_head(one)))


def paper(one: Panel, file: str) -> str:
    """The same weights as a Plotly figure, in a page that opens offline."""
    from core import plot  # Plotly takes a while to import

    head = None if one.head < 0 or one.averaged else one.head
    return plot.to_html(plot.attention(one.seen, one.layer or 0, head), file)


def _open_head(one: Panel) -> HeadMap:
    head = None if one.head < 0 or one.averaged else one.head
    return head_map(one.seen, one.layer or 0, head, special=True)


def patterns_csv(one: Panel) -> str:
    """The pattern scores of every head."""
    scores = displayed.scores(one)
    assert scores is not None  # the button exists only if there are scores
    return spreadsheet.csv(pattern_captions.table(one.text_query.model, scores))


def offline(
    text_queries: Sequence[TextQuery], chosen: Sequence[Choices], link: str, limitations: str = ""
) -> str:
    """The pictures in a separate page; with two models, side by side and with their difference."""
    panels = [panel_of(one, of) for one, of in zip(text_queries, chosen, strict=True)]
    pictures = tuple(zoom.drawn(panels, number) for number in range(len(panels)))
    texts = "".join(
        f'<p dir="auto">{html.escape(text)}</p>'
        for text in (text_queries[0].text, text_queries[0].second)
        if text
    )
    captions = tuple(html.escape(displayed.called(one)) for one in text_queries)
    parts = [Part("", texts, pictures, captions)]
    if len(panels) == 2:
        weight_difference, names, _why = difference.less(panels[0], panels[1])
        if weight_difference is not None:
            less = difference.picture(weight_difference, names)
            parts.append(Part("", "", (less,), (html.escape(less.sentence),)))
    if limitations:
        heading = html.escape(_("What it does not say."))
        caveat = f"<p><strong>{heading}</strong> {html.escape(limitations)}</p>"
        parts.append(Part("", caveat))
    words = html.escape(_("Open this page live"))
    live = f' <a href="{html.escape(link)}">{words}</a>.' if link else ""
    titles = [picture.sentence.partition(":")[0] for picture in pictures]
    if len(panels) == 2:
        titles = [
            f"{displayed.called(one.text_query)}, {title}"
            for one, title in zip(panels, titles, strict=True)
        ]
    title = _(" beside ").join(titles)
    return saved_page(title, parts, foot=_("Made with Polysee.") + live)


def python(one: Panel, first: Panel) -> str:
    """Python code for the same numbers, and for the same picture in a notebook.

    Args:
        one: the content of the panel.
        first: the content of the first of two panels, whose tokens the link counts.
    """
    model, *words, masked, more, causal = one.text_query
    given = [repr(text) for text in words if text is not None]
    given += [f"{name}={ids!r}" for name, ids in (("masked", masked), ("more", more)) if ids]
    steps = [f"block = {step}" for step in one.steps]
    of_heads = one.layer is not None and not one.averaged and one.head < 0
    needs = ["mean_of_heads"] * of_heads + ["blocks", *(step.partition("(")[0] for step in one.steps)]
    traces = "causal_trace" if causal else "trace"
    trace = f"core.load({model!r}).{traces}({', '.join(given)})"
    draws = "heads_of" if one.layer is None else "layer_of"
    lines = [
        same_in_python.imports(model),
        f"from core.figures import {draws}",
        f"from core.measures import {', '.join(needs)}",
        f"block = blocks({trace})[{one.name!r}]",
        *steps,
    ]
    if one.layer is None:
        lines += [
            "block.attention.weights  # (layers, heads, queries, keys)",
            "heads_of(block)",
        ]
    else:
        what = "the mean of all" if one.averaged else style.layer_name(one.layer)
        number = 0 if one.averaged else one.head
        weights = f"block.attention.weights[{one.layer}"
        weights = f"mean_of_heads({weights}])" if of_heads else f"{weights}, {number}]"
        begun = _begun(one, one.chosen.in_layer(first.block, one.seen))
        given_state = f", state={begun!r}" if begun else ""
        lines += [
            f"{weights}  # {what}: rows are queries, columns are keys",
            f"layer_of(block, {one.layer}{given_state})",
        ]
    return "\n".join(lines)


def _begun(one: Panel, inside: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a state that matter to the code: a mean has no heads."""
    gone = {"head", "on"} if one.averaged else set()
    if one.hidden:
        gone.add("special")
    return {what: value for what, value in inside.items() if value is not None and what not in gone}
