"""The tokens of a text as they stand in it, on which every record and picture agrees."""

from __future__ import annotations

from collections.abc import Sequence

FURTHER = "…"  # a token that goes on with a character of the token before it


def pieces_of(text: str, tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Each token as it stands in a text, with the spaces before it.

    Args:
        text: the text.
        tokens: the names of its tokens, L of them.
        offsets: where each stands; a token that adds no character, such as a special one, is empty.

    Returns:
        L pieces. A token without a character is there by its name. Of a character in several tokens,
        the first piece is the character, and the others are `FURTHER`.

    Raises:
        ValueError: there is not one place for each token.
    """
    found, end = [], 0
    for token, (start, stop) in zip(tokens, offsets, strict=True):
        found.append((text[end:stop] or FURTHER) if stop > start else token)
        end = max(end, stop)
    return tuple(found)
