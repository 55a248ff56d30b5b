"""The two groups of anchor words between which each word is seen: its own, or a visitor's."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.examples import ANCHORS, known_word
from core.records.comparison import AnchorGroup
from ui import text
from ui.state import Field
from ui.state import text as text_box

Ends = tuple[Field[str], Field[str]]
Groups = tuple[AnchorGroup, AnchorGroup]


def choose(ends: Ends, words: Sequence[str]) -> dict[str, Groups]:
    """The words at the two ends of the sense axes, folded away.

    Args:
        ends: the groups at −1 and at +1; empty: those of each word itself.
        words: the words on the page.

    Returns:
        Of each word its two groups: those that are named, else its own. A word of which we know no two
        senses is not among them while an end has no name.
    """
    own = {word: own_groups(word) for word in words}
    named = tuple(end.get() for end in ends)
    by_word: dict[str, Groups] = {}
    for word, groups in own.items():
        low, high = (text.group_of(typed or mine) for typed, mine in zip(named, groups, strict=True))
        if low.words and high.words:
            by_word[word] = low, high
    # What all words have is said in the boxes; where each has its own, these are empty.
    (shared,) = {*own.values()} if len({*own.values()}) == 1 else [("", "")]
    with st.popover(
        "The two senses" if len(by_word) == len(own) else "Name two senses", width="stretch"
    ):
        st.markdown(
            "Each word is measured on its own axis, from the words of one of its senses to "
            "the words of the other. The senses that you name here apply to every word. "
            "Separate the words with commas; *name:* in front of them names the sense."
        )
        examples = ("river: river, water, shore", "money: money, cash, loan")
        for end, label, mine, such in zip(ends, ("At −1", "At +1"), shared, examples, strict=True):
            text_box(end, label, default=mine, placeholder=f"for example {such}")
    return by_word


def own_groups(word: str) -> tuple[str, str]:
    """The groups of a word, or of the word that it is a form of, as one would type them; else empty."""
    known = known_word(word)
    if known is None:
        return "", ""
    low, high = ANCHORS[known]
    return text.typed_group(low), text.typed_group(high)
