"""What a class's screen does not show of what the model says.

A model says what the web says. In front of a class, words of a list (`core.dictionary.unshown`) are
replaced by "hidden word"; their probabilities stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.dictionary import is_unshown
from core.localization import N_, gettext
from core.sentences import sentence
from ui.classroom import asked
from ui.state import PRESENT, PROJECTOR

WORD = N_("hidden word")
_BEFORE = 60  # letters: no word of the list is longer


def word() -> str:
    """What stands in place of a hidden word, in the language of the screen."""
    return gettext(WORD)


def note() -> str:
    """That words of the list are hidden (Markdown)."""
    return sentence("next-word.hidden", word=word().capitalize())


def in_class() -> bool:
    """Whether a class sees this screen: it is presented, in large type, or a room is open."""
    return bool(PRESENT.get() or PROJECTOR.get() or asked.is_open())


def shown(before: str, spellings: Sequence[str]) -> list[str]:
    """These tokens as a class may see them, each as the one that follows a text."""
    if not in_class():
        return list(spellings)
    tail = before[-_BEFORE:]
    return [
        f" {word()}" if any(end > len(tail) for _, end in spans(tail + one)) else one
        for one in spellings
    ]


def pieces(every: Sequence[str]) -> list[str]:
    """The pieces of a text as a class may see them: "…" for the further pieces of a hidden word."""
    if not in_class():
        return list(every)
    found, start = list(every), 0
    hidden = list(spans("".join(every)))
    for i, one in enumerate(every):
        end = start + len(one)
        inside = [span for span in hidden if span[0] < end and span[1] > start]
        if inside:
            first = inside[0][0] >= start
            space = one[: len(one) - len(one.lstrip())]
            found[i] = f"{space}{word()}" if first else "…"
        start = end
    return found


def text(said: str) -> str:
    """A text as a class may see it."""
    if not in_class():
        return said
    for start, end in reversed(list(spans(said))):
        said = f"{said[:start]}{word()}{said[end:]}"
    return said


def spans(said: str) -> Iterator[tuple[int, int]]:
    """Where words of the list stand in a text."""
    start = None
    for i, sign in enumerate((*said, " ")):
        if sign.isalnum():
            start = i if start is None else start
        elif start is not None:
            if is_unshown(said[start:i]):
                yield start, i
            start = None
