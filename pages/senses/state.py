"""What is chosen on the Senses page."""

from __future__ import annotations

from core.examples import labelled, words
from ui import permalink
from ui.permalink import Parameter

OWN = "own"  # sentences of the visitor's own, typed
FILE = "file"  # and uploaded
FIRST = "bank"
SPACES = {"pca": "PCA", "umap": "UMAP", "tsne": "t-SNE"}  # how the map is made
LABEL, CLUSTER = "label", "cluster"


def lines_of(word: str) -> str:
    """Our own labelled sentences of a word, as one types them."""
    return "\n".join(f"{one.sense} | {one.text}" for one in labelled(word))


PRESET = Parameter("p", "senses preset", FIRST, permalink.one_of(OWN, FILE, *words()))
WORD = Parameter("w", "senses word", FIRST, typed=True)
LINES = Parameter("ln", "senses lines", lines_of(FIRST), typed=True)
SPACE = Parameter("f", "senses space", "pca", permalink.one_of(*SPACES))
DEPTH = Parameter("l", "senses depth", 0, permalink.whole(0, 999))  # layers before the last
ONE = Parameter("q", "senses sentence", 1, permalink.whole(1, 99_999))
COLOUR = Parameter("c", "senses colour", LABEL, permalink.one_of(LABEL, CLUSTER))
CLUSTERS = Parameter("k", "senses clusters", 0, permalink.whole(0, 8))  # 0: as many as fit best

LESSON = (PRESET, WORD, LINES, DEPTH, ONE, COLOUR, CLUSTERS, SPACE)
