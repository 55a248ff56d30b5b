"""What if a part were missing: before and after, and the difference as a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core.figures import style
from core.localization import N_, _, each
from core.sentences import signed
from core.walkthroughs.steps.record import Matrix, Step
from core.walkthroughs.steps.spoken import spoken
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
        offered = {name: title for name, title in each(WHAT_IFS).items() if name in asked}
        question = select(s.what_if, offered, _("What if"), style="segments", named=True, wrap=True)
        if question not in ("depth", "parts") and model is not None:
            shown_step.choose_number(s.layer, _("Layer"), shape[0])
        if question in ("no-scale", "one-head"):
            head = shown_step.choose_number(s.head, _("Head"), shape[1])
        elif question == "no-position" and model is not None:
            wide = round(ORDERED * layout.scale())
            text(s.order, _("The same words in another order"), width=wide)
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
    said = _(
        "Averaged over the rows, the largest weight goes from **{largest}** to **{then}**, and the "
        "entropy from **{entropy}** to **{after}** ({even} if it were spread evenly)."
    ).format(
        largest=signed(before.largest, 3),
        then=signed(after.largest, 3),
        entropy=signed(before.entropy, 3),
        after=signed(after.entropy, 3),
        even=signed(even),
    )
    change = (
        _("The output of the head changes by up to **{difference}**.")
        if what_if.step.name == "no-scale"
        else _("The output of the layer changes by up to **{difference}**.")
    )
    _numbers(f"{said} {change.format(difference=signed(what_if.difference, 3))}")
    _picture(s, what_if.step)


def _positions(s: StepsState, model: str | None, read: Sentence | None) -> None:
    if model is None or read is None:
        tiny = computed.tiny(s.tiny_text.get(), s.edits.get())
        order, note = computed.tiny_orders(tiny), _("These are the same words in reverse order.")
        same = tiny.ids == tiny.ids[::-1]
    else:
        typed, note = s.order.get(), _("These are the same pieces in another order.")
        other = read.backwards
        if not can_ask(typed, _("The other order")):
            note = _("These are the same pieces in reverse order.")
        elif sorted(ids := computed.sentence(model, typed).ids) == sorted(read.ids):
            other = ids
        else:
            st.info(
                _("This text has different pieces. The page shows the first text in reverse order.")
            )
        order = computed.orders(model, read, other, s.layer.get() - 1)
        same = other == read.ids
    if same:
        st.info(_("Both orders are the same. Type a text with two different words."))
    _order(s, order, note)


def _order(s: StepsState, order: Order, note: str) -> None:
    _numbers(
        _(
            "With positions, the vectors of the same words in the two orders differ by up to "
            "**{difference}**; without, by up to **{without}**."
        ).format(
            difference=signed(float(order.with_positions.max()), 3),
            without=_small(order.without.max()),
        )
    )
    before, after = (
        Matrix(name, np.array(values)[:, None], order.words, (_("difference"),))
        for name, values in (
            (_("with positions"), order.with_positions),
            (_("without"), order.without),
        )
    )
    why = f"{note} " + _(
        "For each piece, the number is the largest difference between its two vectors after the "
        "layer. Without positions, attention mixes a set of words: only rounding differences are "
        "left."
    )
    title = N_("No positions")
    step = Step("no-position", title, r"P = 0", why, (before,), after, "compare")
    _picture(s, step)


def _numbers(said: str) -> None:
    """The answer to the question, in a part of the page that a lesson can cover."""
    with st.container(key="steps numbers"):
        st.markdown(said)


def _small(value: float) -> str:
    """A number that may be very small."""
    return signed(float(value), 3) if value == 0 or value >= 1e-3 else style.scientific(value)


def _picture(s: StepsState, step: Step) -> None:
    more = computed.left_out(s.tiny_text.get()) if s.size.get() == "1" else ""
    shown_step.show(s, (spoken(step),), step.name, s.what_if, more=more)
