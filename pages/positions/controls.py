"""The controls of the Positions page: numbers, typed vectors, presets."""

from __future__ import annotations

import streamlit as st

from core.localization import _
from pages.positions.state import PositionsState, numbers
from ui import state

WIDE = 136  # pixels of a number; narrower ones lose their buttons
PRESETS = {
    "5 × 3": (5, 3),
    "20 × 16": (20, 16),
    "50 × 128": (50, 128),
    "100 × 400": (100, 400),
    "100 × 512": (100, 512),
}


def number(
    chosen: state.Whole, label: str, *, most: int | None = None, step: int = 1, about: str | None = None
) -> int:
    """A whole number, in a box of this page's width."""
    return state.number(chosen, label, most=most, step=step, about=about, width=WIDE)


def vectors(s: PositionsState) -> tuple[tuple[float, ...], ...]:
    """The query and the key as typed, with equal widths; invalid input is reported."""
    parsed = []
    for label, chosen in ((_("Query q"), s.query), (_("Key k"), s.key)):
        typed = state.text(chosen, label, most=200, width=176, follows=False)
        try:
            parsed.append(numbers(typed))
        except ValueError:
            parsed.append(numbers(chosen.default))
            st.warning(
                _(
                    "{label} needs an even number of values, 2 to 16, separated by commas and each "
                    "from −100 to 100. The page uses {default} instead."
                ).format(label=label, default=chosen.default)
            )
    width = min(map(len, parsed))
    if width < max(map(len, parsed)):
        st.info(
            _(
                "Query and key must have the same width: the first {width} numbers of both are shown."
            ).format(width=width)
        )
    return tuple(vector[:width] for vector in parsed)


def choose_preset(s: PositionsState) -> None:
    """Choose common sizes; a choice sets the base to its default."""
    state.presets(
        _("Sizes"),
        {name: {s.length: length, s.width: width} for name, (length, width) in PRESETS.items()},
        resets=[s.base],
        width=WIDE + 20,
    )
