"""Which characters of a rendered conversation came from which message, by marks that render with it.

Where a template trims a message, or writes it twice, no search in the result would be exact: a message
may be "user", a word that the template writes itself. So the conversation is rendered a second time
with marks around each message. If that text without its marks is the first one, the marks tell all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# Spaces that no keyboard writes: a template that trims a message trims them with it.
_SPACES = "\u2005\u2006\u2004\u2008\u2007\u205f\u2009\u200a\u1680\x1c\x1d\x1e\x1f"
_FIRST = 0xF0000  # of the private characters that stand right around a message


class Marks(NamedTuple):
    """The marks of a conversation.

    Attributes:
        outer: a space before and a space behind each message.
        inner: for each message two private characters, around it without the spaces at its ends.
    """

    outer: str
    inner: tuple[str, ...]


def marks(contents: Sequence[str], template: str) -> Marks | None:
    """Marks that stand neither in a message nor in the template; None if there are none."""
    there = set(template).union(*contents)
    free = [one for one in _SPACES if one not in there]
    private = [chr(code) for code in range(_FIRST, _FIRST + 0xFFFD) if chr(code) not in there]
    if len(free) < 2 or len(private) < 2 * len(contents):
        return None
    pairs = tuple(private[2 * i] + private[2 * i + 1] for i in range(len(contents)))
    return Marks(free[0] + free[1], pairs)


def marked(contents: Sequence[str], chosen: Marks) -> list[str]:
    """The messages with their marks; an empty one stays empty, as templates ask for that."""
    result = []
    before, behind = chosen.outer[0], chosen.outer[1]
    for text, pair in zip(contents, chosen.inner, strict=True):
        start, end = pair[0], pair[1]
        core = text.strip()
        at = text.find(core)
        lead, trail = text[:at], text[at + len(core) :]
        result.append(f"{before}{lead}{start}{core}{end}{trail}{behind}" if text else "")
    return result


def authors(
    plain: str, rendered: str, contents: Sequence[str], chosen: Marks
) -> list[int | None] | None:
    """For each character of a text, the message that it came from; None for the template's own.

    Where a template cuts the beginning off a message, as it does with thoughts, the message has what
    agrees with it from its end on: its neighbour of the template's, if that is the same character.

    Args:
        plain: the text rendered without marks.
        rendered: the same with marks.
        contents: the messages.
        chosen: their marks.

    Returns:
        None if the template does something else with a marked message: then nobody knows.
    """
    found = _Found(contents, chosen)
    for character in rendered:
        found.take(character)
    found.cut()
    return found.owners if "".join(found.text) == plain else None


class _Found:
    """The text so far, without marks, and the message of each of its characters."""

    def __init__(self, contents: Sequence[str], chosen: Marks) -> None:
        self.text: list[str] = []
        self.owners: list[int | None] = []
        self._cores = [text.strip() for text in contents]
        self._before, self._behind = chosen.outer[0], chosen.outer[1]
        self._start = {pair[0]: i for i, pair in enumerate(chosen.inner)}
        self._end = {pair[1]: i for i, pair in enumerate(chosen.inner)}
        self._owner: int | None = None
        self._from = 0  # where the message that is open began
        self._lead: int | None = None  # where the spaces before a message begin
        self._ended: tuple[int, int] | None = None  # the last message, and where it ended

    def take(self, character: str) -> None:
        here = len(self.text)
        if character == self._before:
            self._lead = here
        elif character == self._behind:
            if self._ended is not None:
                owner, end = self._ended
                self._own(end, owner)
            self._lead = self._ended = None
        elif (starts := self._start.get(character)) is not None:
            self.cut()
            if self._lead is not None:
                self._own(self._lead, starts)
            self._owner, self._from, self._lead = starts, here, None
        elif (ends := self._end.get(character)) is not None:
            if self._owner != ends:  # the template has cut its beginning off
                self._own(here - self._common_end(ends), ends)
            self._owner, self._ended = None, (ends, here)
        else:
            self.text.append(character)
            self.owners.append(self._owner)

    def cut(self) -> None:
        """End a message whose end the template has cut off."""
        if self._owner is None:
            return
        core, here = self._cores[self._owner], self._from
        while (
            here < len(self.text) and core[here - self._from : here - self._from + 1] == self.text[here]
        ):
            here += 1
        for i in range(here, len(self.text)):
            self.owners[i] = None
        self._owner = None

    def _own(self, start: int, owner: int) -> None:
        for i in range(start, len(self.owners)):
            self.owners[i] = owner

    def _common_end(self, message: int) -> int:
        core, length = self._cores[message], 0
        while (
            length < min(len(core), len(self.text))
            and self.owners[-1 - length] is None
            and core[-1 - length] == self.text[-1 - length]
        ):
            length += 1
        return length
