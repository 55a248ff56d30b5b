"""What is chosen on the page of embeddings."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from pages.embeddings import anchor_groups
from ui import permalink
from ui.permalink import Parameter

_READ = "embeddings link read"
VIEWS = {
    "path": "The path of a word",
    "words": "Words of a text",
    "sentences": "Whole sentences",
}
# How the path of a word is seen: between two senses, or on a map of all its points.
FRAMED = {"senses": "Two senses", "panels": "Before | after"}
MAPS = {"pca": "PCA", "umap": "UMAP", "tsne": "t-SNE"}
LEARNED = "learned"
# One sentence with both meanings, whose two banks end on their own sides.
OPENING = "After fishing on the river bank, she paid her money into the bank account."
OPENED_BEFORE = "She counted the money from the bank on the bank of the river"
SENTENCES = (
    "She withdrew money from the bank.",
    "He paid the cash into his account.",
    "They went fishing on the river bank.",
    "The boat lay at the shore of the lake.",
    "The cat ate the mouse.",
)


def _depth(typed: str) -> str:
    if typed == LEARNED:
        return typed
    return str(permalink.whole(0, 999)(typed))


class Side(NamedTuple):
    """From which side a map in space is seen, in degrees: round the third direction, and from above."""

    turn: int
    tilt: int

    def __str__(self) -> str:
        return f"{self.turn}.{self.tilt}"

    @classmethod
    def read(cls, typed: str) -> Side:
        """Out of a link.

        Raises:
            ValueError: it is not two whole numbers of degrees, such as "34.-20".
        """
        turn, _, tilt = typed.partition(".")
        up = permalink.whole(0, 90)(tilt.removeprefix("-"))
        return cls(permalink.whole(0, 359)(turn), -up if tilt.startswith("-") else up)


# It opens where something moves; links from before say nothing of the words of a text.
VIEW = Parameter("p", "embeddings view", "path", permalink.one_of(*VIEWS), before="words")
TEXT = Parameter("t", "embeddings text", OPENING, typed=True, before=OPENED_BEFORE)
LINES = Parameter("ln", "embeddings lines", "\n".join(SENTENCES), typed=True)
DEPTH = Parameter("l", "embeddings depth", LEARNED, _depth)
SPECIAL = Parameter("sp", "embeddings special", False, permalink.switch)
ROW = Parameter("q", "embeddings row", 6, permalink.whole(0, 999), before=7)
COLUMN = Parameter("k", "embeddings column", 14, permalink.whole(0, 999), before=10)
# Two of the sentences; −1: not said, as in links of before they had places of their own.
SENTENCE_ROW = Parameter("sq", "embeddings sentence row", -1, permalink.whole(0, 999))
SENTENCE_COLUMN = Parameter("sk", "embeddings sentence column", -1, permalink.whole(0, 999))
TOKENS, WHOLE = (ROW, COLUMN), (SENTENCE_ROW, SENTENCE_COLUMN)
SECOND = Parameter("t2", "embeddings second", "", typed=True)
WORDS = Parameter("w", "embeddings words", "bank, bank:2", before="bank, bank:2, money, river")
SPACE = Parameter("f", "embeddings space", "senses", permalink.one_of(*FRAMED, *MAPS))
SOLID = Parameter("s3", "embeddings solid", False, permalink.switch)
SIDE = Parameter("sd", "embeddings side", None, Side.read)  # None: the usual one
BACK = Parameter("d", "embeddings layers back", 0, permalink.whole(0, 999))
ENDS = anchor_groups.Ends(
    Parameter("lo", "embeddings low anchors", ""), Parameter("hi", "embeddings high anchors", "")
)

# The controls of each view that Streamlit would forget while another view is shown.
CONTROLS = {
    "words": (TEXT, DEPTH, SPECIAL),
    "path": (TEXT, SECOND, SPACE, SOLID),
    "sentences": (LINES,),
}
LESSON = (
    *(VIEW, TEXT, LINES, DEPTH, SPECIAL, ROW, COLUMN, SENTENCE_ROW, SENTENCE_COLUMN),
    *(SECOND, WORDS, SPACE, SOLID, SIDE, BACK, *ENDS),
)


def arrive(view: str) -> None:
    """Which two sentences are compared, where a link does not say: the first two.

    A link of before gave the two of either view one name. To be called wherever the page was restored.
    """
    followed, last = permalink.now().followed, st.session_state.get(_READ)
    st.session_state[_READ] = followed
    if view != "sentences":
        return
    for i, (own, before) in enumerate(zip(WHOLE, TOKENS, strict=True)):
        if int(st.session_state[own.key]) < 0:
            old, usual = st.session_state[before.key], permalink.unsaid(before)
            given = followed != last and old != usual
            st.session_state[own.key] = old if given else i
            st.session_state[before.key] = usual if given else old
