"""What is chosen on the Senses page."""

from __future__ import annotations

from core.examples import labelled, words
from ui import permalink
from ui.permalink import Parameter

OWN = "own"  # sentences of the visitor's own
FIRST = "bank"


def lines_of(word: str) -> str:
    """Our own labelled sentences of a word, as one types them."""
    return "\n".join(f"{one.sense} | {one.text}" for one in labelled(word))


PRESET = Parameter("p", "senses preset", FIRST, permalink.one_of(OWN, *words()))
WORD = Parameter("w", "senses word", FIRST)
LINES = Parameter("ln", "senses lines", lines_of(FIRST))
DEPTH = Parameter("l", "senses depth", 0, permalink.whole(0, 999))  # layers before the last
ONE = Parameter("q", "senses sentence", 1, permalink.whole(1, 99_999))

LESSON = (PRESET, WORD, LINES, DEPTH, ONE)
