"""The three views of the page that goes step by step: a layer, attention without weights, what-ifs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.errors import PolyseeError
from pages.step_by_step import one_step, records
from pages.step_by_step import what_if as steps_what_if
from pages.step_by_step.records import Pass, Sentence
from ui.choices import (
    BLOCK,
    CAUSAL,
    EDITS,
    HEAD,
    LAYER,
    ORDER,
    PLAIN_STEP,
    STEP,
    TINY_TEXT,
    VECTOR,
    VECTORS,
    WHAT_IF,
    chosen,
)
from ui.lists import choose, rows
from ui.stored import hold, resume

ROWS = 200  # pixels of the list of what attention without weights begins with
Changed = Callable[[], None]
View = Callable[[str | None, Sentence | None, Changed], None]


def layer(model: str | None, read: Sentence | None, changed: Changed) -> None:
    """All steps of one layer."""
    hold(WHAT_IF, ORDER)
    steps, places = rows()
    with places:
        if model is None or read is None:
            try:
                asked = records.tiny(chosen(TINY_TEXT), chosen(EDITS))
            except PolyseeError:
                hold(CAUSAL)  # its control comes back with a text that can be read
                raise
            tokens = asked.tokens
            head = one_step.choose_number(HEAD, "Head", 2, changed)
            made = records.of_tiny(asked, head, chosen(CAUSAL))
            said = records.left_out(chosen(TINY_TEXT))
        else:
            tokens, (n_layers, n_heads) = read.tokens, records.shape(model, read)
            at = one_step.choose_number(LAYER, "Layer", n_layers, changed)
            head = one_step.choose_number(HEAD, "Head", n_heads, changed)
            made = records.of_model(model, read, at, head, chosen(BLOCK))
            hold(CAUSAL)
            said = _about(at, made)
        one_step.choose_token(tokens, changed)
        if model is None:
            resume(CAUSAL)
            st.toggle("Mask", key=CAUSAL.key, on_change=changed, help="Hide what comes later.")
    with steps:
        name = one_step.choose_step(STEP, {one.name: one.title for one in made.steps}, changed)
    with places:
        one_step.choose_block(made.steps, name, changed)
    one_step.show(made.steps, name, STEP, changed, more=said)


def _about(layer: int, made: Pass) -> str:
    before = f"what layer {layer} returns" if layer else "the result of step 4"
    apart = f"differ by at most {made.apart:.1e}" if made.apart else "are equal to the last digit"
    last = f"the result of step {len(made.steps)} and our own pass through the whole model {apart}"
    return f"In layer {layer + 1}, x is {before}; {last}."


def plain(model: str | None, read: Sentence | None, changed: Changed) -> None:
    """Attention without weights, for one word."""
    hold(WHAT_IF, ORDER, CAUSAL)
    steps_place, places = rows()
    if model is None or read is None:
        asked = records.tiny(chosen(TINY_TEXT), chosen(EDITS))
        found = records.tiny_vectors(asked, chosen(VECTOR))
        said = records.left_out(chosen(TINY_TEXT))
    else:
        found, said = records.vectors(model, read, chosen(VECTOR)), ""
    with places:
        token = one_step.choose_token(found.tokens, changed)
        choose(VECTOR, "Rows x", VECTORS, changed, width=ROWS)
    steps = records.plain(found, token)
    with steps_place:
        name = one_step.choose_step(PLAIN_STEP, {one.name: one.title for one in steps}, changed)
    one_step.show(steps, name, PLAIN_STEP, changed, more=said)


def what_if(model: str | None, read: Sentence | None, changed: Changed) -> None:
    """A part of the transformer left out."""
    hold(CAUSAL)
    shape = (1, 2) if model is None or read is None else records.shape(model, read)
    steps_what_if.show(model, read, shape, changed)


OF: Mapping[str, View] = {"layer": layer, "plain": plain, "what-if": what_if}
