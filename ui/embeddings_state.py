"""What is chosen on the page of embeddings."""

from __future__ import annotations

from ui import permalink
from ui.permalink import Parameter

VIEWS = {"words": "Words of a text", "sentences": "Whole sentences"}
LEARNED = "learned"
OPENING = "She counted the money from the bank on the bank of the river"
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


VIEW = Parameter("p", "embeddings view", "words", permalink.one_of(*VIEWS))
TEXT = Parameter("t", "embeddings text", OPENING)
LINES = Parameter("ln", "embeddings lines", "\n".join(SENTENCES))
DEPTH = Parameter("l", "embeddings depth", LEARNED, _depth)
SPECIAL = Parameter("sp", "embeddings special", False, permalink.switch)
ROW = Parameter("q", "embeddings row", 7, permalink.whole(0, 999))
COLUMN = Parameter("k", "embeddings column", 10, permalink.whole(0, 999))

LESSON = (VIEW, TEXT, LINES, DEPTH, SPECIAL, ROW, COLUMN)
