"""How the pictures of a move are to be read, in sentences with their numbers (Markdown)."""

from __future__ import annotations

from collections.abc import Sequence

from core.trace import Array
from ui.text import plain


def of_path(words: tuple[str, str], low: Sequence[str], high: Sequence[str]) -> str:
    """What the directions in the picture of the path mean (Markdown)."""
    up, down = (plain(", ".join(group[:3])) for group in (high, low))
    row = "the word's row in the model's table, the same in A and B"
    if words[0] != words[1]:
        row = "each word's row in the model's table"
    return (
        f"Up is towards words like *{up}*, down towards *{down}*. ◆ learned: {row}; +pos: with its "
        "position added."
    )


def of_cosine(words: tuple[str, str], band: bool = False) -> str:
    """How to read the path by cosine (Markdown)."""
    alone = " and ".join(f"“{plain(word)}”" for word in dict.fromkeys(words))
    said = (
        f"Cosine similarity: 1 is the same direction. :blue[A] and :orange[B] are held against {alone} "
        "alone, in “the … .”; grey is A against B."
    )
    return said + " The band holds nine in ten pairs of one sense." * band


def of_plane(words: tuple[str, str], share: float, with_sentences: bool = False) -> str:
    """How to read the plane of the move (Markdown).

    Args:
        words: the word in A and the word in B.
        share: how much of what the axis leaves the direction across it holds, 0 to 1.
        with_sentences: whether it had to be fitted to the word's own places too.
    """
    alone = " and ".join(f"“{plain(word)}”" for word in dict.fromkeys(words))
    to = "the anchor words (◁ ▷)"
    if with_sentences:
        to = "the anchor words (◁ ▷), which are too few alone, and the compared word"
    return (
        "Left to right: the place on the sense axis of this layer. Up and down: one direction across "
        f"it, fitted to {to} at the last layer; it holds {100 * share:.0f} % of their spread across "
        "the axis. "
        f"○ {alone} alone, in the anchors' sentence “the … .”."
    )


def of_projection(words: tuple[str, str], shares: Array) -> str:
    """How to read a plain projection, and what it does not show (Markdown)."""
    parts = ", ".join(f"{100 * float(share):.0f} %" for share in shares)
    shown = "depth, not meaning**: they tell learned vectors from contextual ones and layer from layer"
    if words[0] != words[1]:
        shown = (
            "depth and which word it is, not meaning**: they tell layer from layer and word from word"
        )
    return (
        f"The {len(shares)} directions in which these points differ most (principal components): "
        f"{parts} of their spread. **They show {shown}, whatever the sentence says."
    )
