"""Which characters of a text each of its tokens came from, where the tokenizer does not say it.

The tokenizers that `transformers` writes in Python return only names of tokens: "ri", "##ver", "b@@".
Here each name is compared with the text, from left to right. Case, accents, invisible signs and
compatibility forms may differ, since tokenizers normalise them; all else must be the same, and every
visible character must be used up. Where that fails, nothing is guessed: the text is refused.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

Span = tuple[int, int]


class Unaligned(Exception):
    """The tokens do not spell the text."""


class Handed(NamedTuple):
    """What a library was given to cut, a text or a part of one: another one at each call."""

    text: str


class Piece(str):
    """A token whose part of a text is known.

    Attributes:
        source: what was cut.
        start: where the token begins in its text.
        end: where it ends.
    """

    source: Handed
    start: int
    end: int

    def __new__(cls, name: str, source: Handed, start: int, end: int) -> Piece:
        """A token of this name."""
        piece = super().__new__(cls, name)
        piece.source, piece.start, piece.end = source, start, end
        return piece


# How vocabularies mark that a token begins a word, ends it, or goes on. One vocabulary has one way.
_UNMARKED: tuple[Callable[[str], str], ...] = (
    lambda token: token.removeprefix("##"),
    lambda token: token.removesuffix("@@"),
    lambda token: token.removesuffix("</w>"),
    lambda token: token.replace("▁", " "),
    lambda token: token,
)
# What the tokenizers of Moses write for signs that have a meaning in its files.
_ESCAPED = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    "’": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
# Tokens that stand for a byte, or for a sign which the tokenizer rewrites.
_BYTE = re.compile(r"<0x([0-9A-F]{2})>|<\|byte(\d{1,3})\|>")
_REWRITTEN = {"__newln__": "\n", "<SP>": " ", "<BR>": "\n", "<TAB>": "\t"}


def align(text: str, tokens: Sequence[str]) -> list[Span]:
    """The characters of each token, (start, end); empty where a token stands for none of them.

    Raises:
        Unaligned: the tokens do not spell the text.
    """
    candidates = _UNMARKED[-1:] if all(isinstance(token, Piece) for token in tokens) else _UNMARKED
    for escaped in (False, True):
        for unmarked in candidates:
            try:
                return _aligned(_Cursor(text, escaped=escaped), tokens, unmarked)
            except Unaligned:
                continue
    raise Unaligned


def align_bytes(text: str, tokens: Sequence[str]) -> list[Span]:
    """`align` for tokens that are bytes, each written as the character of its number."""
    owners = [i for i, character in enumerate(text) for _ in character.encode("utf-8")]
    data = text.encode("utf-8")
    spans: list[Span] = []
    at = 0
    for token in tokens:
        part = token.encode("latin-1" if len(token) == 1 and token < "\u0100" else "utf-8")
        # An added token may have taken the blanks around it.
        while not data.startswith(part, at) and at < len(data) and text[owners[at]].isspace():
            at += 1
        if not part or not data.startswith(part, at):
            raise Unaligned
        spans.append((owners[at], owners[at + len(part) - 1] + 1))
        at += len(part)
    if any(not text[owner].isspace() for owner in owners[at:]):
        raise Unaligned
    return spans


def _aligned(cursor: _Cursor, tokens: Sequence[str], unmarked: Callable[[str], str]) -> list[Span]:
    spans: list[Span] = []
    source, begins = None, 0
    for token in tokens:
        if not isinstance(token, Piece):
            source = None
            byte = _BYTE.fullmatch(token)
            if byte:
                spans.append(cursor.take_byte(int(byte[1] or "0", 16) or int(byte[2] or "0")))
            else:
                spans.append(cursor.take(_REWRITTEN.get(token) or unmarked(token)))
            continue
        if token.source is not source:
            source = token.source
            begins = cursor.find(source.text)
        if begins >= 0:
            spans.append(cursor.take_at(begins + token.start, begins + token.end))
        else:  # rewritten before it was cut
            spans.append(cursor.take(token.source.text[token.start : token.end].replace("▁", " ")))
    cursor.end()
    return spans


class _Cursor:
    """A position in a text, in characters, which moves on as tokens take them."""

    def __init__(self, text: str, *, escaped: bool) -> None:
        self._text = text
        # The visible characters as all normalisers would agree to write them, and where each came from.
        self._visible: list[str] = []
        self._from: list[int] = []
        for i, character in enumerate(text):
            for one in (escaped and _ESCAPED.get(character)) or _folded(character):
                self._visible.append(one)
                self._from.append(i)
        self._next = 0  # of the visible characters
        self._last = 0  # the character behind the last one that was taken
        self._bytes, self._spelled = b"", (0, 0)  # still to come, of which character

    def find(self, part: str) -> int:
        """Where a part of the text stands, with nothing visible before it; −1 if it does not."""
        if self._inside() or not part:
            return -1
        seen = self._from[self._next] if self._next < len(self._from) else len(self._text)
        return self._text.find(part, self._last, seen + len(part))

    def take_at(self, start: int, end: int) -> Span:
        """The characters that a library named."""
        first, last = bisect_left(self._from, start), bisect_left(self._from, end)
        if first > self._next:  # something visible would be left out
            raise Unaligned
        self._next, self._last = max(self._next, last), max(self._last, end)
        return start, end

    def take(self, part: str) -> Span:
        """The characters that spell `part`."""
        if self._bytes:
            raise Unaligned
        start = self.find(part)
        if start >= 0:
            return self.take_at(start, start + len(part))
        wanted = "".join(map(_folded, part))
        if not wanted:
            return self._last, self._last
        here = self._next
        if self._visible[here : here + len(wanted)] != list(wanted):
            raise Unaligned
        self._next += len(wanted)
        start, end = self._from[here], self._from[self._next - 1] + 1
        self._last = max(self._last, end)
        return start, end

    def take_byte(self, byte: int) -> Span:
        """The character that one of its bytes in a row stands for."""
        if not self._bytes:
            seen = self._from[self._next] if self._next < len(self._from) else len(self._text)
            # As a rule what is spelled in bytes can be seen; a rare blank need not be.
            starts = [
                i for i in (seen, self._last) if self._text[i : i + 1].encode()[:1] == bytes([byte])
            ]
            if self._inside() or not starts:
                raise Unaligned
            self._bytes = self._text[starts[0]].encode()
            self._spelled = self.take_at(starts[0], starts[0] + 1)
        if self._bytes[0] != byte:
            raise Unaligned
        self._bytes = self._bytes[1:]
        return self._spelled

    def end(self) -> None:
        """Nothing visible may be left. Raises Unaligned."""
        if self._next < len(self._visible) or self._bytes:
            raise Unaligned

    def _inside(self) -> bool:
        """Whether a part of a character has been taken: “½” is three signs."""
        return 0 < self._next < len(self._from) and self._from[self._next] == self._from[self._next - 1]


# Quotation marks, dashes and stops, which some tokenizers rewrite as those of a typewriter.
_SIGNS = str.maketrans(
    dict.fromkeys("‘’‚‛`´", "'")
    | dict.fromkeys("“”„‟«»「」『』《》", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"。": ".", "、": ","}
)


@lru_cache(4096)
def _folded(character: str) -> str:
    """A character without case, accents and compatibility forms; "" where it cannot be seen."""
    plain = unicodedata.normalize("NFKD", character.casefold()).casefold()
    seen = "".join(one for one in plain if _is_seen(one))
    return (seen or (character if _is_seen(character) else "")).translate(_SIGNS)


def _is_seen(character: str) -> bool:
    # Accents, blanks and controls are not; nor what stands in a text for a character that was lost.
    return unicodedata.category(character)[0] not in "MZC" and character not in "\ufffd\ufffc"
