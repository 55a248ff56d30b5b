"""What is chosen on the page of embeddings."""

from __future__ import annotations

from ui import permalink, senses
from ui.permalink import Parameter

VIEWS = {
    "words": "Words of a text",
    "path": "The path of a word",
    "sentences": "Whole sentences",
}
# How the path of a word is seen: between two senses, or on a map of all its points.
FRAMED = {"senses": "Two senses", "panels": "Before | after"}
MAPS = {"pca": "PCA", "umap": "UMAP", "tsne": "t-SNE"}
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
SECOND = Parameter("t2", "embeddings second", "")
WORDS = Parameter("w", "embeddings words", "bank, bank:2, money, river")
SPACE = Parameter("f", "embeddings space", "senses", permalink.one_of(*FRAMED, *MAPS))
SOLID = Parameter("s3", "embeddings solid", False, permalink.switch)
BACK = Parameter("d", "embeddings layers back", 0, permalink.whole(0, 999))
ENDS = senses.Ends(
    Parameter("lo", "embeddings low anchors", ""), Parameter("hi", "embeddings high anchors", "")
)

# The controls of each view that Streamlit would forget while another view is shown.
CONTROLS = {
    "words": (TEXT, DEPTH, SPECIAL),
    "path": (TEXT, SECOND, SPACE, SOLID),
    "sentences": (LINES,),
}
LESSON = (
    *(VIEW, TEXT, LINES, DEPTH, SPECIAL, ROW, COLUMN),
    *(SECOND, WORDS, SPACE, SOLID, BACK, *ENDS),
)
