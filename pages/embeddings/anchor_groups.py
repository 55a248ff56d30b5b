"""The two groups of anchor words at the ends of each word's axis: its own, or a visitor's."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.examples import ANCHORS, known_word
from core.localization import N_, _, gettext
from core.records.comparison import AnchorGroup
from core.records.spelling import UNCASED, Spelling
from ui import text
from ui.state import Field
from ui.state import text as text_box

Ends = tuple[Field[str], Field[str]]
Groups = tuple[AnchorGroup, AnchorGroup]


def choose(ends: Ends, words: Sequence[str], spelling: Spelling = UNCASED) -> dict[str, Groups]:
    """Choose the words at the two ends of the sense axes, in a fold.

    Args:
        ends: the groups at −1 and at +1; empty for each word's own.
        words: the words on the page.
        spelling: which spellings the model reads alike.

    Returns:
        The two groups of each word: those that a visitor named, otherwise its own. A word without two
            known senses is missing while an end is empty.
    """
    own = {word: own_groups(word, spelling) for word in words}
    named = tuple(end.get() for end in ends)
    by_word: dict[str, Groups] = {}
    for word, groups in own.items():
        low, high = (text.group_of(typed or mine) for typed, mine in zip(named, groups, strict=True))
        if low.words and high.words:
            by_word[word] = low, high
    # The boxes show what all words share; if each word has its own ends, they are empty.
    (shared,) = {*own.values()} if len({*own.values()}) == 1 else [("", "")]
    with st.popover(
        _("The two senses") if len(by_word) == len(own) else _("Name two senses"), width="stretch"
    ):
        st.markdown(
            _(
                "Each word is measured on its own axis, from the words of one of its senses to the "
                "words of the other. The senses that you name here apply to every word. Separate the "
                "words with commas; *name:* in front of them names the sense."
            )
        )
        if len(by_word) == len(own):  # else the page itself says it
            st.caption(known_senses())
        examples = ("river: river, water, shore", "money: money, cash, loan")
        for end, label, mine, such in zip(
            ends, (N_("At −1"), N_("At +1")), shared, examples, strict=True
        ):
            text_box(
                end,
                gettext(label),
                default=mine,
                placeholder=_("for example {example}").format(example=such),
            )
    return by_word


def known_senses() -> str:
    """Of which words two senses are known, each with them (Markdown)."""
    listed = ", ".join(
        _("*{word}* ({one} or {other})").format(
            word=word, one=text.plain(low.name), other=text.plain(high.name)
        )
        for word, (low, high) in ANCHORS.items()
    )
    return _("Polysee knows two senses of {count} words: {words}.").format(
        count=len(ANCHORS), words=listed
    )


def own_groups(word: str, spelling: Spelling = UNCASED) -> tuple[str, str]:
    """The groups of a word, or of its base form, as a visitor would type them; otherwise empty."""
    known = known_word(word, spelling)
    if known is None:
        return "", ""
    low, high = ANCHORS[known]
    return text.typed_group(low), text.typed_group(high)
