"""What the model attends to at a step: the block, the layer and head, and the kind of picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import PolyseeError
from core.localization import _, each
from pages.encoder_decoder import blocks, captions, translator
from pages.encoder_decoder.state import BLOCKS, VIEWS, TranslationState
from pages.encoder_decoder.translator import TranslationQuery
from pages.encoder_decoder.vocabulary import Sides
from ui import figure, files, layout, state
from ui.models.attempt import attempt
from ui.page import terms

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence


def choose_block(s: TranslationState, decoding: Decoding, called: Sides) -> tuple[str, int]:
    """Choose one of the three attention blocks, its picture, and its layer; returned from 0.

    Args:
        s: the state of the page.
        decoding: the translation.
        called: the names of its two texts.
    """
    titles = (
        _("Encoder: {source} → {source}").format(source=called.source),
        _("Decoder, masked: {target} → earlier {target}").format(target=called.target),
        _("Across: {target} → {source}").format(target=called.target, source=called.source),
    )

    def moved() -> None:
        """Reset the view: the decoder's own block opens with its mask."""
        s.forget_cell()
        s.view.set("softmax" if s.block.get() == "decoder" else "layer")

    names = dict(zip(BLOCKS, titles, strict=True))
    which = state.select(s.block, names, _("Where"), style="segments", wrap=True, changed=moved)
    layers, heads = blocks.block(decoding, which).attention.weights.shape[:2]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        view = state.select(s.view, each(VIEWS), _("View"), style="segments")
        s.layer.set(min(s.layer.get(), layers))
        layer = _number(_("Layer"), s.layer, layers)
        if view == "softmax":
            _number(_("Head"), _head(s, heads), heads)
    return which, layer


def _number(name: str, chosen: state.SessionValue[int], count: int) -> int:
    """Choose a number, returned from 0; draws no control for a single option."""
    if count > 1:
        named = {number: f"{name} {number}" for number in range(1, count + 1)}
        state.select(chosen, named, name, style="segments")
    return chosen.get() - 1


def _head(s: TranslationState, heads: int) -> state.Part[int]:
    """Choose the head of the matrices, from 1, shared with the layer's picture; not a mean."""

    def take(number: int) -> None:
        s.picture["head"].set(number - 1 if number > 1 else None)

    return state.Part("translate softmax head", lambda: head_of(s, heads) + 1, take)


def head_of(s: TranslationState, heads: int) -> int:
    """The open head, from 0, if it is one with scores."""
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
    """Draw the picture of a block at the chosen step, with its caption."""
    which, layer = chosen
    matrices = s.view.get() == "softmax"
    draw = _softmax if matrices else _layer
    draw(s, query, decoding, which, layer)
    heads = blocks.block(decoding, which).attention.weights.shape[1]
    lines = not matrices and s.picture["level"].get() in (None, "lines")
    where = captions.Where(which, layer, head_of(s, heads) if matrices else None, s.row(), lines)
    taught = translator.is_taught(query.name)
    terms.caption(captions.caption(decoding, where, known, called, taught=taught), "attention")


def _layer(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, which: str, layer: int
) -> None:
    picture = blocks.layer_picture(decoding, which, layer, s.row(), s.picture_state(which))
    heard = partial(_take_layer, s, query, which)
    heads = blocks.block(decoding, which).attention.weights.shape[1]
    head = s.head()
    head = head if (0 if heads == 1 else -1) <= head < heads else 0
    make = partial(blocks.weights_table, query, which, layer, head)
    name = f"{which}-layer-{layer + 1}-{'mean' if head < 0 else f'head-{head + 1}'}"
    figure.show(
        picture,
        f"translate {which} {layer}",
        on_state=heard,
        saved_as=[files.csv(make, name)],
        scale=layout.scale(),
    )


def _softmax(
    s: TranslationState, query: TranslationQuery, decoding: Decoding, which: str, layer: int
) -> None:
    heads = blocks.block(decoding, which).attention.weights.shape[1]
    head = head_of(s, heads)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        masked = which != "decoder" or state.toggle(
            s.mask, _("Mask"), about=_("Off: the softmax as it would be without the mask.")
        )
        step = attempt(blocks.softmax_step, decoding, which, layer, head, masked=masked)
        if step is None:
            return
        where = _("Layer {layer}, head {head}: {formula}")
        where = where.format(layer=layer + 1, head=head + 1, formula=f"${step.formula}$")
        st.markdown(where, width="content")
        if blocks.biased(decoding, which):
            st.caption(_("$B$: a bias that the model has learned for each distance of two tokens."))
    cell = s.picture_state(which)  # its query is the step, or the encoder's own
    begun = {"step": 0, "row": cell.get("query", 0), "column": cell.get("key", 0)}
    picture = blocks.softmax_picture(step, which, begun)
    heard = partial(s.take_cell, which)
    make = partial(blocks.softmax_table, query, which, layer, head, masked)
    figure.show(
        picture,
        f"translate softmax {which}",
        on_state=heard,
        saved_as=[files.csv(make, f"{which}-softmax-layer-{layer + 1}-head-{head + 1}")],
        scale=layout.scale(),
    )


def _take_layer(
    s: TranslationState, query: TranslationQuery, which: str, sent: Mapping[str, Any]
) -> None:
    try:
        decoding = translator.decoding(query)
    except PolyseeError:
        return  # if it has gone in the meantime, the next run says so
    heads, rows, columns = blocks.block(decoding, which).attention.weights.shape[1:]
    s.take_picture(which, (heads, rows, columns), sent)
