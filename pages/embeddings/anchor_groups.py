"""The two groups of anchor words between which each word is seen: its own, or a visitor's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.examples import ANCHORS, known_word
from core.settings import AnchorGroup
from ui import permalink, text, widgets


class Ends(NamedTuple):
    """The part of the link that holds the groups at −1 and at +1; empty: those of each word itself."""

    low: permalink.Parameter
    high: permalink.Parameter


ENDS = Ends(permalink.Parameter("lo", "low anchors", ""), permalink.Parameter("hi", "high anchors", ""))
Groups = tuple[AnchorGroup, AnchorGroup]


def choose(ends: Ends, words: Sequence[str]) -> dict[str, Groups]:
    """The words at the two ends of the sense axes, folded away.

    Args:
        ends: the parameters.
        words: the words on the page.

    Returns:
        Of each word its two groups: those that are named, else its own. A word of which we know no two
        senses is not among them while an end has no name.
    """
    own = {word: own_groups(word) for word in words}
    named = tuple(str(st.session_state[end.key]) for end in ends)
    found: dict[str, Groups] = {}
    for word, groups in own.items():
        low, high = (text.group_of(typed or mine) for typed, mine in zip(named, groups, strict=True))
        if low.words and high.words:
            found[word] = low, high
    # What all words have is said in the boxes; where each has its own, these are empty.
    (shared,) = {*own.values()} if len({*own.values()}) == 1 else [("", "")]
    with st.popover("The two senses" if len(found) == len(own) else "Name two senses", width="stretch"):
        st.markdown(
            "Each word is measured on an axis of its own, from the words of one of its senses to the "
            "words of the other. What you name here holds for every word. Separate the words with "
            "commas; *name:* before them names the sense."
        )
        for end, place, typed, mine in zip(ends, ("At −1", "At +1"), named, shared, strict=True):
            _box(end, place, typed or mine, mine)
    return found


def own_groups(word: str) -> tuple[str, str]:
    """The groups of a word, or of the word that it is a form of, as one would type them; else empty."""
    known = known_word(word)
    if known is None:
        return "", ""
    low, high = ANCHORS[known]
    return text.typed_group(low), text.typed_group(high)


def _box(end: permalink.Parameter, place: str, now: str, own: str) -> None:
    key = f"{end.key} box"
    widgets.keep(key, now)

    def take() -> None:
        typed = st.session_state[key]
        st.session_state[end.key] = "" if typed == own else typed

    examples = "river: river, water, shore" if place == "At −1" else "money: money, cash, loan"
    st.text_input(place, key=key, on_change=take, placeholder=f"for example {examples}")
