"""Passages cut into sentences.

The rules are those of sentencex, which the Wikimedia Foundation keeps for its own sites: rules and
lists of abbreviations for 240 languages, no model, 1.2 MB, a million words in a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..extra import require

# A "sentence" longer than this is a table or a list; the model would read only its beginning.
MOST_CHARACTERS = 5_000
# The library takes time in proportion to the square of a text of signs alone, such as a line of "!": it
# reads this many characters at a time.
_WINDOW = 4 * MOST_CHARACTERS


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of a text, with single spaces and none at the ends.

    Args:
        text: any text.
        language: its ISO 639-1 code; an unknown one is split by the general rules.
    """
    parts = _parts(text, language)
    return [sentence for part in parts if (sentence := " ".join(part.split()))]


def _parts(text: str, language: str) -> Iterator[str]:
    """The parts of a text, which together are the text."""
    segment = require("sentencex").segment
    begun: list[str] = []  # of a sentence longer than a window
    start = 0
    while start < len(text):
        parts = segment(language, text[start : start + _WINDOW])
        more = start + _WINDOW < len(text)
        ends = len(parts) > 1 or not more
        if ends and more:
            parts.pop()  # it may go on in the next window
        start += sum(map(len, parts))
        begun.append(parts[0])
        if ends:
            yield "".join(begun)
            yield from parts[1:]
            begun = []
