"""What the model attends to at a step: which block, which layer and head, how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from core.errors import PolyseeError
from pages.encoder_decoder import blocks, captions, translator
from pages.encoder_decoder import state as translation_state
from pages.encoder_decoder.state import (
    BLOCK,
    BLOCKS,
    LAYER,
    MASK,
    PICTURE,
    STEP,
    VIEW,
    VIEWS,
    choose,
    chosen,
)
from pages.encoder_decoder.translator import TranslationQuery
from pages.encoder_decoder.vocabulary import Sides
from ui import figure, layout, widgets

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence

Changed = Callable[[], None]
_HEAD = "translate softmax head"
File = tuple[Callable[[], pd.DataFrame], str]


def choose_place(found: Decoding, called: Sides, changed: Changed) -> tuple[str, int]:
    """Which of the three places, drawn how, and which of its layers, from 0.

    Args:
        found: the translation.
        called: what its two texts are called.
        changed: called after a choice.
    """
    names = {
        "encoder": f"Encoder: {called.source} → {called.source}",
        "decoder": f"Decoder, masked: {called.target} → earlier {called.target}",
        "cross": f"Across: {called.target} → {called.source}",
    }

    def moved() -> None:
        """The decoder's own place is about its mask."""
        translation_state.forget_cell()
        choose(VIEW, "softmax" if chosen(BLOCK) == "decoder" else "layer")
        changed()

    st.segmented_control(
        "Where",
        [*BLOCKS],
        key=BLOCK.key,
        format_func=names.__getitem__,
        required=True,
        on_change=moved,
        label_visibility="collapsed",
        wrap=True,
    )
    which = str(chosen(BLOCK))
    layers, heads = blocks.block(found, which).attention.weights.shape[:2]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Seen as",
            [*VIEWS],
            key=VIEW.key,
            format_func=VIEWS.__getitem__,
            required=True,
            on_change=changed,
            label_visibility="collapsed",
        )
        layer = _number("Layer", LAYER.key, layers, changed)
        if chosen(VIEW) == "softmax":
            _head(heads, changed)
        else:
            translation_state.hold(_HEAD)
    return which, layer


def _number(name: str, key: str, count: int, changed: Changed) -> int:
    """From 0; no control where there is one."""
    number = min(int(st.session_state.get(key, 1)), count)
    if count > 1:
        translation_state.bring(key)
        widgets.keep(key, number, count)
        st.segmented_control(
            name,
            range(1, count + 1),
            key=key,
            format_func=lambda n: f"{name} {n}",
            required=True,
            on_change=changed,
            label_visibility="collapsed",
        )
    else:
        st.session_state[key] = number
        translation_state.hold(key)
    return int(st.session_state[key]) - 1


def _head(heads: int, changed: Changed) -> None:
    """The head of the matrices; a mean has no scores."""
    widgets.keep(_HEAD, head_of(heads) + 1)

    def take() -> None:
        number = int(st.session_state[_HEAD])
        choose(PICTURE["head"], str(number) if number > 1 else "")
        changed()

    _number("Head", _HEAD, heads, take)


def head_of(heads: int) -> int:
    """The head that is open, from 0, as far as it is one that has scores."""
    head = translation_state.head()
    return head if 0 <= head < heads else 0


def show(
    asked: TranslationQuery,
    found: Decoding,
    place: tuple[str, int],
    known: Sequence[Sentence],
    called: Sides,
    changed: Changed,
) -> None:
    """The picture of a place at the step that is chosen, and what it says."""
    which, layer = place
    if chosen(VIEW) != "softmax" or which != "decoder":
        translation_state.hold(MASK.key)
    else:
        translation_state.bring(MASK.key)
    draw = _softmax if chosen(VIEW) == "softmax" else _layer
    make, file = draw(asked, found, which, layer, changed)
    left, right = st.columns([8, 1], gap="small")
    heads = blocks.block(found, which).attention.weights.shape[1]
    head = head_of(heads) if chosen(VIEW) == "softmax" else None
    where = captions.Where(which, layer, head, int(chosen(STEP)) - 1)
    left.caption(captions.caption(found, where, known, called))
    with right:
        layout.csv(make, file)


def _layer(asked: TranslationQuery, found: Decoding, which: str, layer: int, changed: Changed) -> File:
    step = int(chosen(STEP)) - 1
    state = translation_state.picture_state(which)
    picture = blocks.layer_picture(found, which, layer, step, state)
    heard = partial(_take_layer, asked, which, changed)
    figure.show(picture, f"translate {which} {layer}", on_state=heard, scale=layout.scale())
    heads = blocks.block(found, which).attention.weights.shape[1]
    head = translation_state.head()
    head = head if (0 if heads == 1 else -1) <= head < heads else 0
    make = partial(blocks.weights_table, asked, which, layer, head)
    return make, f"{which}-layer-{layer + 1}-{'mean' if head < 0 else f'head-{head + 1}'}"


def _softmax(
    asked: TranslationQuery, found: Decoding, which: str, layer: int, changed: Changed
) -> File:
    heads = blocks.block(found, which).attention.weights.shape[1]
    head = head_of(heads)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        masked = which != "decoder" or st.toggle(
            "Mask", key=MASK.key, on_change=changed, help="Off: what the softmax would be without it."
        )
        step = blocks.softmax_step(found, which, layer, head, masked=masked)
        st.markdown(f"Layer {layer + 1}, head {head + 1}: ${step.formula}$", width="content")
    query = int(chosen(STEP)) - 1
    state = translation_state.picture_state(which)
    row = query if which != "encoder" else state.get("query", 0)
    begun = {"step": 0, "row": row, "column": state.get("key", 0)}
    picture = blocks.softmax_picture(step, which, begun)
    heard = partial(_take_softmax, which, changed)
    figure.show(picture, f"translate softmax {which}", on_state=heard, scale=layout.scale())
    make = partial(blocks.softmax_table, asked, which, layer, head, masked)
    return make, f"{which}-softmax-layer-{layer + 1}-head-{head + 1}"


def _take_layer(asked: TranslationQuery, which: str, changed: Changed, sent: Mapping[str, Any]) -> None:
    try:
        found = translator.decoding(asked)
    except PolyseeError:
        return  # what has gone meanwhile is said when the page runs
    shape = blocks.block(found, which).attention.weights.shape[1:]
    translation_state.take_picture(which, (shape[0], shape[1], shape[2]), sent)
    changed()


def _take_softmax(which: str, changed: Changed, sent: Mapping[str, Any]) -> None:
    translation_state.take_cell(which, sent)
    changed()
