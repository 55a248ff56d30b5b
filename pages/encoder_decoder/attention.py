"""What the model attends to at a step: which block, which layer and head, how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from core.errors import PolyseeError
from pages.encoder_decoder import blocks, captions, translator
from pages.encoder_decoder.state import BLOCKS, VIEWS, TranslationState
from pages.encoder_decoder.translator import TranslationQuery
from pages.encoder_decoder.vocabulary import Sides
from ui import figure, layout, state

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence

File = tuple[Callable[[], pd.DataFrame], str]


def choose_block(s: TranslationState, decoding: Decoding, called: Sides) -> tuple[str, int]:
    """Which of the three attention blocks, drawn how, and which of its layers, from 0.

    Args:
        s: what is chosen.
        decoding: the translation.
        called: what its two texts are called.
    """
    titles = (
        f"Encoder: {called.source} → {called.source}",
        f"Decoder, masked: {called.target} → earlier {called.target}",
        f"Across: {called.target} → {called.source}",
    )

    def moved() -> None:
        """The decoder's own block is about its mask."""
        s.forget_cell()
        s.view.set("softmax" if s.block.get() == "decoder" else "layer")

    names = dict(zip(BLOCKS, titles, strict=True))
    which = state.select(s.block, names, "Where", style="segments", wrap=True, changed=moved)
    layers, heads = blocks.block(decoding, which).attention.weights.shape[:2]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        view = state.select(s.view, VIEWS, "View", style="segments")
        s.layer.set(min(s.layer.get(), layers))
        layer = _number("Layer", s.layer, layers)
        if view == "softmax":
            _number("Head", _head(s, heads), heads)
    return which, layer


def _number(name: str, chosen: state.SessionValue[int], count: int) -> int:
    """From 0; no control where there is one."""
    if count > 1:
        named = {number: f"{name} {number}" for number in range(1, count + 1)}
        state.select(chosen, named, name, style="segments")
    return chosen.get() - 1


def _head(s: TranslationState, heads: int) -> state.Part[int]:
    """The head of the matrices, from 1, as the picture of a layer has it; a mean has no scores."""

    def take(number: int) -> None:
        s.picture["head"].set(number - 1 if number > 1 else None)

    return state.Part("translate softmax head", lambda: head_of(s, heads) + 1, take)


def head_of(s: TranslationState, heads: int) -> int:
    """The head that is open, from 0, as far as it is one that has scores."""
    head = s.head()
    return head if 0 <= head < heads else 0


def show(
    s: TranslationState,
    query: TranslationQuery,
    decoding: Decoding,
    chosen: tuple[str, int],
    known: Sequence[Sentence],
    called: Sides,
) -> None:
    """The picture of a block at the step that is chosen, and what it says."""
    which, layer = chosen
    matrices = s.view.get() == "softmax"
    draw = _softmax if matrices else _layer
    make, file = draw(s, query, decoding, which, layer)
    left, right = st.columns([8, 1], gap="small")
    heads = blocks.block(decoding, which).attention.weights.shape[1]
    where = captions.Where(which, layer, head_of(s, heads) if matrices else None, s.row())
    left.caption(captions.caption(decoding, where, known, called))
    with right:
        layout.csv(make, file)


def _layer(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, which: str, layer: int
) -> File:
    picture = blocks.layer_picture(decoding, which, layer, s.row(), s.picture_state(which))
    heard = partial(_take_layer, s, query, which)
    figure.show(picture, f"translate {which} {layer}", on_state=heard, scale=layout.scale())
    heads = blocks.block(decoding, which).attention.weights.shape[1]
    head = s.head()
    head = head if (0 if heads == 1 else -1) <= head < heads else 0
    make = partial(blocks.weights_table, query, which, layer, head)
    return make, f"{which}-layer-{layer + 1}-{'mean' if head < 0 else f'head-{head + 1}'}"


def _softmax(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, which: str, layer: int
) -> File:
    heads = blocks.block(decoding, which).attention.weights.shape[1]
    head = head_of(s, heads)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        masked = which != "decoder" or state.toggle(
            s.mask, "Mask", about="Off: the softmax as it would be without the mask."
        )
        step = blocks.softmax_step(decoding, which, layer, head, masked=masked)
        st.markdown(f"Layer {layer + 1}, head {head + 1}: ${step.formula}$", width="content")
    cell = s.picture_state(which)  # its query is the step, or the encoder's own
    begun = {"step": 0, "row": cell.get("query", 0), "column": cell.get("key", 0)}
    picture = blocks.softmax_picture(step, which, begun)
    heard = partial(s.take_cell, which)
    figure.show(picture, f"translate softmax {which}", on_state=heard, scale=layout.scale())
    make = partial(blocks.softmax_table, query, which, layer, head, masked)
    return make, f"{which}-softmax-layer-{layer + 1}-head-{head + 1}"


def _take_layer(
    s: TranslationState, query: TranslationQuery, which: str, sent: Mapping[str, Any]
) -> None:
    try:
        decoding = translator.decoding(query)
    except PolyseeError:
        return  # what has gone meanwhile is said when the page runs
    heads, rows, columns = blocks.block(decoding, which).attention.weights.shape[1:]
    s.take_picture(which, (heads, rows, columns), sent)
