"""The controls of the Heads page: where, how deep, which pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.measures import PATTERNS
from ui import controls, permalink
from ui.ladder import NAMES
from ui.sites import PARTS, Site


def choose_place(names: Sequence[str], place: permalink.Parameter, changed: Callable[[], None]) -> int:
    """Which of the places where the model has attention; no control where there is one."""
    controls.keep(place.key, min(st.session_state[place.key], len(names) - 1))
    if len(names) == 1:
        return 0
    chosen = st.segmented_control(
        "Where",
        range(len(names)),
        key=place.key,
        format_func=names.__getitem__,
        required=True,
        on_change=changed,
    )
    return int(chosen or 0)


def choose_part(part: permalink.Parameter, changed: Callable[[], None]) -> str:
    """Which texts of a pair look at which; "" for all."""
    names = {"": "All", "aa": "Within A", "bb": "Within B", "ab": "A looks at B", "ba": "B looks at A"}
    chosen = st.segmented_control(
        "Of the pair",
        ["", *PARTS],
        key=part.key,
        format_func=names.__getitem__,
        required=True,
        on_change=changed,
    )
    if chosen:
        st.caption("Each row is divided by what remains of it, so that it adds up to 1.")
    return chosen or ""


def choose_layer(
    site: Site, layer: permalink.Parameter, words: permalink.Parameter, changed: Callable[[], None]
) -> int | None:
    """The way up and down the ladder: all heads, or one layer, from 0; and pieces or whole words."""
    layers = len(site.attention.weights)
    controls.keep(layer.key, min(st.session_state[layer.key], layers))
    left, right = st.columns([5, 1], vertical_alignment="bottom")
    with left:
        chosen = st.segmented_control(
            "Show",
            range(layers + 1),
            key=layer.key,
            format_func=lambda n: f"Layer {n}" if n else "All heads",
            required=True,
            on_change=changed,
            label_visibility="collapsed",
        )
    right.toggle("Whole words", key=words.key, on_change=changed, disabled=site.within is None)
    return int(chosen) - 1 if chosen else None


def choose_pattern(pattern: permalink.Parameter, changed: Callable[[], None]) -> str | None:
    """The pattern whose heads are listed."""
    return st.segmented_control(
        "Heads that look most at",
        PATTERNS,
        key=pattern.key,
        format_func=NAMES.__getitem__,
        on_change=changed,
    )
