"""What if a part were missing: before and after, and the change as a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core.walkthroughs.steps.record import Matrix, Step
from pages.step_by_step import one_step, records
from pages.step_by_step.records import Sentence
from ui import layout, widgets
from ui.choices import EDITS, HEAD, LAYER, ORDER, SIZE, TINY_TEXT, WHAT_IF, WHAT_IFS, chosen
from ui.lists import row
from ui.stored import hold, resume

if TYPE_CHECKING:
    from core.walkthroughs.steps.ablations import Order, WhatIf

ORDERED = 300  # pixels of the other order
Changed = Callable[[], None]


def show(model: str | None, read: Sentence | None, shape: tuple[int, int], changed: Changed) -> None:
    """The question that is chosen.

    Args:
        model: None: the tiny model.
        read: the text; None for the tiny model.
        shape: how many layers and heads there are.
        changed: called after a choice.
    """
    resume(WHAT_IF)
    with row():
        st.segmented_control(
            "What if there were",
            [*WHAT_IFS],
            key=WHAT_IF.key,
            format_func=lambda name: WHAT_IFS[name],
            on_change=changed,
            required=True,
        )
        if model is not None:
            one_step.choose_number(LAYER, "Layer", shape[0], changed)
        if chosen(WHAT_IF) != "no-position":
            head = one_step.choose_number(HEAD, "Head", shape[1], changed)
        elif model is not None:
            resume(ORDER)
            st.text_input(
                "The same words in another order",
                key=ORDER.key,
                on_change=changed,
                width=round(ORDERED * layout.scale()),
            )
        if chosen(WHAT_IF) != "no-position" or model is None:
            hold(ORDER)
    if chosen(WHAT_IF) == "no-position":
        _positions(model, read, changed)
    elif model is None or read is None:
        asked = records.tiny(chosen(TINY_TEXT), chosen(EDITS))
        _weights(records.tiny_what_if(chosen(WHAT_IF), asked, head), changed)
    else:
        _weights(records.what_if(chosen(WHAT_IF), model, read, chosen(LAYER) - 1, head), changed)


def _weights(found: WhatIf, changed: Changed) -> None:
    before, after = found.before, found.after
    even = math.log(found.step.result.values.shape[1])
    gives = "the head gives" if found.step.name == "no-scale" else "the layer returns"
    st.markdown(
        f"In the mean over the rows, the largest weight goes from **{before.largest:.3f}** to "
        f"**{after.largest:.3f}**, the entropy from **{before.entropy:.3f}** to "
        f"**{after.entropy:.3f}** ({even:.2f} would be even). What {gives} changes by up to "
        f"**{found.difference:.3f}**."
    )
    _picture(found.step, changed)


def _positions(model: str | None, read: Sentence | None, changed: Changed) -> None:
    if model is None or read is None:
        tiny = records.tiny(chosen(TINY_TEXT), chosen(EDITS))
        found, said = records.tiny_orders(tiny), "The same words from back to front."
        same = tiny.ids == tiny.ids[::-1]
    else:
        typed, said = str(chosen(ORDER)), "The same pieces in another order."
        other = read.backwards
        if not widgets.fits(typed, "The other order"):
            said = "The same pieces from back to front."
        elif sorted(asked := records.sentence(model, typed).ids) == sorted(read.ids):
            other = asked
        else:
            st.info("These are not the same pieces: the text is read from back to front instead.")
        found = records.orders(model, read, other, chosen(LAYER) - 1)
        same = other == read.ids
    if same:
        st.info("This is the same order: take two different words.")
    _order(found, said, changed)


def _order(found: Order, said: str, changed: Changed) -> None:
    st.markdown(
        f"With positions, the vectors of the same words in the two orders differ by up to "
        f"**{found.with_positions.max():.3f}**; without, by up to **{_small(found.without.max())}**."
    )
    before, after = (
        Matrix(name, np.array(values)[:, None], found.words, ("difference",))
        for name, values in (("with positions", found.with_positions), ("without", found.without))
    )
    why = (
        f"{said} Of each piece, the largest difference between its two vectors behind the layer. "
        "Without positions attention mixes a set of words: what is left is rounding."
    )
    step = Step(
        "no-position", "No positions", r"P = 0", why, (before,), after, "compare", detail="beside"
    )
    _picture(step, changed)


def _small(value: float) -> str:
    """A number that may be very small (Markdown)."""
    if value == 0 or value >= 1e-3:
        return f"{value:.3f}"
    number, _, power = f"{value:.1e}".partition("e")
    return f"${number}\\cdot10^{{{int(power)}}}$"


def _picture(step: Step, changed: Changed) -> None:
    more = records.left_out(chosen(TINY_TEXT)) if chosen(SIZE) == "1" else ""
    one_step.show((step,), step.name, WHAT_IF, changed, more=more)
