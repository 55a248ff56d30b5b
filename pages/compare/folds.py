"""Parts of a page that are folded under a question. What is folded is not computed; a link opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui import permalink
from ui.stored import hold, resume


def parameter(short: str, key: str) -> permalink.Parameter:
    """The part of a link that says whether a fold is open."""
    return permalink.Parameter(short, key, False, permalink.switch)


def unfold(fold: permalink.Parameter, within: Sequence[permalink.Parameter]) -> None:
    """Open a fold when a link is followed that chooses something in it; before any control is drawn.

    Args:
        fold: of `parameter`.
        within: what is chosen inside.
    """
    followed = permalink.now().followed
    key = f"{fold.key} after links"
    if st.session_state.get(key) == followed:
        return
    st.session_state[key] = followed
    if any(st.session_state[one.key] != one.default for one in within):
        st.session_state[fold.key] = True


@st.fragment
def show(
    question: str,
    fold: permalink.Parameter,
    within: Sequence[permalink.Parameter],
    draw: Callable[[], None],
) -> None:
    """The question, and under it what answers it.

    A fragment keeps what it is called with for as long as the visitor stays: no answers in `draw`.

    Args:
        question: the heading.
        fold: of `parameter`.
        within: what is chosen inside; it stays chosen while it is folded away.
        draw: draws what is folded.
    """
    resume(fold)
    place = st.expander(question, key=fold.key, on_change=permalink.publish_now)
    if not place.open:
        hold(*within)
        return
    resume(*within)
    with place:
        draw()
