"""Which token attends to which: a heatmap of a head for each sentence, and their difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from core.errors import NotSupported
from core.figures import Picture, heatmap, signed_heatmap, style
from core.figures.scales import difference_bound
from core.measures import HeadDifference, HeadMap, head_difference, word_map
from core.records.trace import Array
from pages.compare import captions
from pages.compare.state import CompareState
from ui import figure, files, layout, page, tables
from ui.models import answers, blocks
from ui.models.attempt import attempt
from ui.query import TextQuery
from ui.selection import Chosen
from ui.state import select, toggle
from ui.word_choice import LABELS


class Look(NamedTuple):
    """A choice of weights: layer and head from 0, None for all; with or without special tokens."""

    layer: int | None
    head: int | None
    special: bool

    @classmethod
    def numbered(cls, layer: int, head: int, special: bool) -> Look:
        """Convert the numbers of a link: layer and head from 1, 0 for all."""
        return cls(layer - 1 if layer else None, head - 1 if head else None, special)

    @property
    def where(self) -> str:
        """The layer and the head in words."""
        return style.head_name(self.layer, self.head)


class Seen(NamedTuple):
    """One sentence in one head.

    Attributes:
        name: "A" or "B".
        view: its weights.
        tokens: the name of each row's token in the model's vocabulary.
        rows: the rows of the word, if they are shown.
        word: the word.
    """

    name: str
    view: HeadMap
    tokens: tuple[str, ...]
    rows: tuple[int, ...]
    word: str | None


MOST_LISTED = 5  # differences, beside the picture of all of them
COLOURS = {"A": style.SENTENCE_A, "B": style.SENTENCE_B}


def seen(name: str, text_query: TextQuery, side: Chosen | None, look: Look) -> Seen:
    """The data to draw for one sentence.

    Args:
        name: "A" or "B".
        text_query: the sentence and the model.
        side: its word; None if none is chosen.
        look: the chosen head.

    Raises:
        PolyseeError: see `ui.models.blocks.head_map`.
    """
    view = blocks.head_map(text_query, look.layer, look.head, special=look.special)
    trace = answers.trace(text_query.model, text_query.text)
    tokens = tuple(trace.tokens[i] for i in view.tokens)
    if side is None:
        return Seen(name, view, tokens, (), None)
    return Seen(name, view, tokens, view.rows(trace.find(side.word, side.number)), side.word)


def picture(one: Seen, look: Look) -> Picture:
    """A sentence's head as a heatmap."""
    return heatmap(
        one.view,
        sentence=f"Sentence {one.name}, {look.where}: rows are queries, columns are keys.",
        name=f"head-{one.name}",
        marked=one.rows,
        colour=COLOURS[one.name],
    )


def less(a: Seen, b: Seen) -> HeadDifference:
    """A minus B, for the tokens that both sentences contain.

    Raises:
        NotSupported: if they share none.
    """
    names = a.tokens, b.tokens
    return head_difference(a.view, b.view, rows_a=a.rows, rows_b=b.rows, names=names)


def difference(difference: HeadDifference, look: Look) -> Picture:
    """A picture of the difference between the two sentences."""
    return signed_heatmap(
        difference.queries,
        difference.keys,
        difference.values,
        title="weight in A minus weight in B",
        sentence=f"Sentence A minus sentence B, {look.where}, for the tokens that both contain.",
        name="head-difference",
        bound=difference_bound(difference.values),
        marked=difference.marked,
    )


def every_layer(text_query: TextQuery, side: Chosen, look: Look) -> HeadMap:
    """The attention of the word of a sentence in every layer.

    Raises:
        PolyseeError: see `answers.trace` and `word_map`.
    """
    trace = answers.trace(text_query.model, text_query.text)
    view = word_map(trace, trace.find(side.word, side.number), special=look.special)
    return replace(view, queries=tuple(style.layer_name(int(layer)) for layer in view.queries))


def by_layer(name: str, view: HeadMap, side: Chosen, look: Look) -> Picture:
    """The result of `every_layer` as a heatmap."""
    return heatmap(
        view,
        sentence=(
            f"What {side.word} attends to in sentence {name}: one row per layer, the mean over "
            "the heads."
        ),
        name=f"layers-{name}",
        marked=() if look.layer is None else (look.layer,),
        colour=COLOURS[name],
    )


def show_chosen(
    s: CompareState, model: str, typed: Mapping[str, str], sides: Mapping[str, Chosen]
) -> None:
    """Draw the controls of the head, then `show`.

    Args:
        s: the state of the page.
        model: the name of the model.
        typed: the sentences.
        sides: the word in each of them.
    """
    text_queries = {name: TextQuery(model, words) for name, words in typed.items()}
    show(text_queries, sides, _choose_head(s, blocks.block(next(iter(text_queries.values()))).absent))


def _choose_head(s: CompareState, gone: Array) -> Look:
    """Choose layer and head, or the mean of all, and whether special tokens are shown.

    Args:
        s: the state of the page.
        gone: (layers, heads) bool, the missing heads, which cannot be chosen.
    """
    left, middle, right = st.columns([5, 5, 3], vertical_alignment="bottom", gap="medium")
    with left:
        layer = select(s.layer, _numbers(np.logical_and.reduce(gone, axis=1)), "Layer", style="slider")
    with middle:
        of: Array = gone[layer - 1] if layer else np.logical_and.reduce(gone, axis=0)
        head = select(s.head, _numbers(of), "Head", style="slider")
    with right:
        return Look.numbered(layer, head, toggle(s.special, "Special tokens"))


def _numbers(gone: Array) -> dict[int, str]:
    """The numbers of existing heads or layers, from 1, and 0 for the mean of all."""
    return {0: "mean", **{i + 1: str(i + 1) for i in np.flatnonzero(~gone).tolist()}}


def show(text_queries: Mapping[str, TextQuery], sides: Mapping[str, Chosen], look: Look) -> None:
    """Draw the word in every layer, the heads of the sentences side by side, and their difference."""
    if sides:
        st.markdown(
            "**The word in every layer**, mean over the heads; a frame marks the layer chosen above"
        )
        columns = dict(zip("AB", st.columns(2), strict=True))
        for name, side in sides.items():
            with columns[name]:
                of_layers = attempt(every_layer, text_queries[name], side, look)
                if of_layers is not None:
                    made = by_layer(name, of_layers, side, look)
                    numbers = files.csv(partial(tables.head, of_layers), f"layers-{name}")
                    figure.show(made, f"layers {name}", saved_as=[numbers], scale=layout.scale())
    drawn: list[Seen] = []
    columns = dict(zip("AB", st.columns(2), strict=True))
    for name, sentence in text_queries.items():
        with columns[name]:
            one = attempt(seen, name, sentence, sides.get(name), look)
            if one is None:
                continue
            drawn.append(one)
            st.markdown(f"{LABELS[name]}, {look.where}")
            numbers = files.csv(partial(tables.head, one.view), f"head-{name}")
            figure.show(picture(one, look), f"head {name}", saved_as=[numbers], scale=layout.scale())
            st.caption(captions.strongest_attention(one.view, one.rows, one.word))
            if look.layer is not None:
                _show_me(sentence, sides.get(name), look)
    if len(drawn) == 2:
        _difference(drawn[0], drawn[1], look)


def _show_me(text_query: TextQuery, side: Chosen | None, look: Look) -> None:
    """A link to the row of the word in this head, or in all heads of the layer."""
    at: dict[str, object] = {"t": text_query.text, "l": (look.layer or 0) + 1}
    if side is not None:
        trace = answers.trace(text_query.model, text_query.text)
        at["q"] = int(trace.find(side.word, side.number)[0]) + 1
    if look.head is None:
        page.down("Show me these heads", "heads", at)
    else:
        page.down("Show me this head", "heads", {**at, "h": look.head + 1, "r": "head"})


def _difference(a: Seen, b: Seen, look: Look) -> None:
    left, right = st.columns(2)
    with left:
        st.markdown(f"**A minus B** for the tokens that both contain, {look.where}")
        try:
            weight_difference = less(a, b)
        except NotSupported as error:
            st.caption(str(error))
            return
        figure.show(
            difference(weight_difference, look),
            "difference",
            saved_as=[files.csv(partial(tables.difference, weight_difference), "head-difference")],
            scale=layout.scale(),
        )
    with right:
        st.markdown("**The largest differences**")
        st.table(tables.largest_differences(weight_difference, MOST_LISTED))
        st.caption(captions.DIFFERENCE)
