"""The two groups of anchor words between which a word is seen: its own, or a visitor's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.examples import ANCHORS
from core.settings import AnchorGroup
from ui import controls, permalink, text


class Ends(NamedTuple):
    """The part of the link that holds the groups at −1 and at +1; empty: those of the word itself."""

    low: permalink.Parameter
    high: permalink.Parameter


ENDS = Ends(permalink.Parameter("lo", "low anchors", ""), permalink.Parameter("hi", "high anchors", ""))
Groups = tuple[AnchorGroup, AnchorGroup]


def choose(ends: Ends, words: Sequence[str]) -> Groups | None:
    """The words at the two ends of the sense axis, folded away; None where they are not named.

    Args:
        ends: the parameters.
        words: the words on the page: the groups of the first one that has any are taken.
    """
    own = own_groups(words)
    typed = tuple(str(st.session_state[end.key]) or mine for end, mine in zip(ends, own, strict=True))
    with st.popover("The two senses" if all(typed) else "Name two senses", width="stretch"):
        st.markdown(
            "The axis runs from the words of one sense to the words of the other. Separate them with "
            "commas; *name:* before them names the sense."
        )
        for end, place, now, mine in zip(ends, ("At −1", "At +1"), typed, own, strict=True):
            _box(end, place, now, mine)
    low, high = map(text.group_of, typed)
    return (low, high) if low.words and high.words else None


def own_groups(words: Sequence[str]) -> tuple[str, str]:
    """The groups of the first of these words that has any, as one would type them; else empty."""
    for word in words:
        if word.casefold() in ANCHORS:
            low, high = ANCHORS[word.casefold()]
            return text.typed_group(low), text.typed_group(high)
    return "", ""


def _box(end: permalink.Parameter, place: str, now: str, own: str) -> None:
    key = f"{end.key} box"
    controls.keep(key, now)

    def take() -> None:
        typed = st.session_state[key]
        st.session_state[end.key] = "" if typed == own else typed

    examples = "river: river, water, shore" if place == "At −1" else "money: money, cash, loan"
    st.text_input(place, key=key, on_change=take, placeholder=f"for example {examples}")
