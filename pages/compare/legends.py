"""How the pictures of a move are to be read, in sentences with their numbers (Markdown)."""

from __future__ import annotations

from core.records.trace import Array
from ui.text import plain


def of_cosine(words: tuple[str, str]) -> str:
    """How to read the path by cosine (Markdown)."""
    alone = " and ".join(f"“{plain(word)}”" for word in dict.fromkeys(words))
    return (
        f"Cosine similarity: 1 is the same direction. :blue[A] and :orange[B] are held against {alone} "
        "alone, in “the … .”; grey is A against B."
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
