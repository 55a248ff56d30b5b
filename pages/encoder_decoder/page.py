"""Encoder–decoder: a small model translates, one word at a time, and shows what it attends to."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.localization import _
from pages.encoder_decoder import (
    attention,
    captions,
    keyboard,
    layers,
    owed,
    python,
    query,
    sources,
    steps,
    translator,
    vocabulary,
)
from pages.encoder_decoder.published import Published
from pages.encoder_decoder.state import TranslationState
from ui import layout, page, same_in_python
from ui.models.attempt import attempt, can_ask


def encoder_decoder(s: TranslationState) -> None:
    name = query.choose_model(s)
    if name is not None:
        typed = query.ask(s, name)
        if can_ask(typed, _("The sentence")) and query.knows_all(s, name, typed):
            page.part(_translation, None, s, name, typed)
            st.markdown(vocabulary.about(translator.model(name), translator.figures(name)))
    keyboard.everywhere()


def _translation(s: TranslationState, name: str, typed: str) -> None:
    translation_query = steps.query_of(s, name, typed)
    decoding = attempt(translator.decoding, translation_query)
    if decoding is None:
        return
    model = translator.model(name)
    read = decoding.trace.encoder.tokens
    known = () if isinstance(model, Published) else translator.references(model.recipe.task, read)
    called = vocabulary.sides(model)
    with st.container(key="translate words"):
        step = steps.choose_step(s, decoding, called.unit)
        st.caption(vocabulary.verdict(model, decoding, known))
    left, right = _columns(s)
    with right:
        which, layer = attention.choose_block(s, decoding, called)
        above, picture, below = st.container(), st.container(key="translate picture"), st.container()
        with picture:
            attention.show(s, translation_query, decoding, (which, layer), known, called)
        with below if layout.scale() > 1 else above, st.container(key="translate diagram"):
            st.html(captions.diagram(decoding, which, step, called))
    with left, st.container(key="translate next"):
        steps.show(s, translation_query, decoding, step, called.unit)
    owed.show(s, translation_query, decoding, step, called)
    layers.show(s, translation_query, decoding, step)
    found = sources.show(s, translation_query, decoding, step, called)
    decoder = {"ti": "paper", "hf": "decoder", "st": "cross-weights"}
    page.down(_("Show me every step of a decoder’s layer"), "step_by_step", decoder)
    other = owed.rival(decoding, step) if s.why.get() else None
    lines = partial(
        python.lines, translation_query, step, s.temperature.get(), other, s.lens.get(), found
    )
    same_in_python.show(s.python, lines)


def _columns(s: TranslationState) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Columns for the next word and the attention; two matrices with large letters need both."""
    if layout.scale() > 1 and s.view.get() == "softmax":
        right = st.container()
        return st.container(), right
    left, right = st.columns([2, 5], gap="medium")
    return left, right


page.run(
    __file__,
    TranslationState,
    encoder_decoder,
    variant=lambda s: query.prose_of(s.model.get()),
    picture="translate-picture",
    own_model=translator.on_map,
    translated=True,
)
