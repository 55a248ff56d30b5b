"""What an error quotes of a long text."""

from __future__ import annotations

from ...records.words import split

QUOTED = 40  # characters, without the ellipsis


def beginning(text: str) -> str:
    """The beginning of a text, up to the end of a word: "on the river …"; all of a short one."""
    text = text.strip()
    if len(text) <= QUOTED:
        return text
    ends = [word.end for word in split(text[: 2 * QUOTED]) if word.end <= QUOTED]
    return f"{text[: ends[-1]]} …" if ends else f"{text[:QUOTED]}…"
