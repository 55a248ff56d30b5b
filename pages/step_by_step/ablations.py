"""What if a part were missing: before and after, and the difference as a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core.figures import style
from core.walkthroughs.steps.record import Matrix, Step
from pages.step_by_step import computed, parts, shown_step
from pages.step_by_step.computed import Sentence
from pages.step_by_step.depth import view as depth
from pages.step_by_step.state import WHAT_IFS, StepsState
from ui import layout
from ui.layout import row
from ui.models.attempt import can_ask
from ui.state import select, text

if TYPE_CHECKING:
    from core.walkthroughs.steps.ablations import Order, WhatIf

ORDERED = 300  # pixels of the text in another order


def show(s: StepsState, model: str | None, read: Sentence | None, shape: tuple[int, int]) -> None:
    """Draw the chosen question.

    Args:
        s: the state of the page.
        model: the name of the model; None for the tiny model.
        read: the text; None for the tiny model.
        shape: the numbers of layers and heads.
    """
    with row():
        paper = read is not None and read.paper
        asked = computed.what_ifs(model, paper=paper)
        if parts.offered(model, paper=paper):
            asked = (*asked, "parts")
        offered = {name: WHAT_IFS[name] for name in WHAT_IFS if name in asked}
        question = select(s.what_if, offered, "What if", style="segments", named=True, wrap=True)
        if question not in ("depth", "parts") and model is not None:
            shown_step.choose_number(s.layer, "Layer", shape[0])
        if question in ("no-scale", "one-head"):
            head = shown_step.choose_number(s.head, "Head", shape[1])
        elif question == "no-position" and model is not None:
            wide = round(ORDERED * layout.scale())
            text(s.order, "The same words in another order", width=wide)
    if question == "depth":
        depth.show(s, model, read)
    elif question == "parts":
        assert model is not None
        assert read is not None
        parts.show(s, model, read)
    elif question == "no-position":
        _positions(s, model, read)
    elif model is None or read is None:
        tiny_model = computed.tiny(s.tiny_text.get(), s.edits.get())
        _weights(s, computed.tiny_what_if(question, tiny_model, head))
    else:
        _weights(s, computed.what_if(question, model, read, s.layer.get() - 1, head))


def _weights(s: StepsState, what_if: WhatIf) -> None:
    before, after = what_if.before, what_if.after
    even = math.log(what_if.step.result.values.shape[1])
    gives = "the head" if what_if.step.name == "no-scale" else "the layer"
    _numbers(
        f"Averaged over the rows, the largest weight goes from **{before.largest:.3f}** to "
        f"**{after.largest:.3f}**, and the entropy from **{before.entropy:.3f}** to "
        f"**{after.entropy:.3f}** ({even:.2f} if it were spread evenly). The output of {gives} "
        f"changes by up to **{what_if.difference:.3f}**."
    )
    _picture(s, what_if.step)


def _positions(s: StepsState, model: str | None, read: Sentence | None) -> None:
    if model is None or read is None:
        tiny = computed.tiny(s.tiny_text.get(), s.edits.get())
        order, note = computed.tiny_orders(tiny), "These are the same words in reverse order."
        same = tiny.ids == tiny.ids[::-1]
    else:
        typed, note = s.order.get(), "These are the same pieces in another order."
        other = read.backwards
        if not can_ask(typed, "The other order"):
            note = "These are the same pieces in reverse order."
        elif sorted(ids := computed.sentence(model, typed).ids) == sorted(read.ids):
            other = ids
        else:
            st.info("This text has different pieces. The page shows the first text in reverse order.")
        order = computed.orders(model, read, other, s.layer.get() - 1)
        same = other == read.ids
    if same:
        st.info("Both orders are the same. Type a text with two different words.")
    _order(s, order, note)


def _order(s: StepsState, order: Order, note: str) -> None:
    _numbers(
        f"With positions, the vectors of the same words in the two orders differ by up to "
        f"**{order.with_positions.max():.3f}**; without, by up to **{_small(order.without.max())}**."
    )
    before, after = (
        Matrix(name, np.array(values)[:, None], order.words, ("difference",))
        for name, values in (("with positions", order.with_positions), ("without", order.without))
    )
    why = (
        f"{note} For each piece, the number is the largest difference between its two "
        "vectors after the layer. Without positions, attention mixes a set of words: only "
        "rounding differences are left."
    )
    step = Step("no-position", "No positions", r"P = 0", why, (before,), after, "compare")
    _picture(s, step)


def _numbers(said: str) -> None:
    """The answer to the question, in a part of the page that a lesson can cover."""
    with st.container(key="steps numbers"):
        st.markdown(said)


def _small(value: float) -> str:
    """A number that may be very small."""
    return f"{value:.3f}" if value == 0 or value >= 1e-3 else style.scientific(value)


def _picture(s: StepsState, step: Step) -> None:
    more = computed.left_out(s.tiny_text.get()) if s.size.get() == "1" else ""
    shown_step.show(s, (step,), step.name, s.what_if, more=more)
