"""Align tokens with the characters of a text, if the tokenizer does not report the characters.

The tokenizers that `transformers` writes in Python return only names of tokens: "ri", "##ver", "b@@".
Here each name is compared with the text, from left to right. Case, accents, invisible characters and
compatibility forms may differ, since tokenizers normalise them; everything else must match, and every
visible character must be used. If that fails, nothing is guessed: the text is refused.
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
    """The string that a library was given to split, a text or part of one; each call has its own."""

    text: str


class Piece(str):
    """A token whose characters in a part of a text are known.

    Attributes:
        source: the string that was split.
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


# How vocabularies mark that a token begins, ends or continues a word. Each vocabulary uses one of
# these.
_UNMARKED: tuple[Callable[[str], str], ...] = (
    lambda token: token.removeprefix("##"),
    lambda token: token.removesuffix("@@"),
    lambda token: token.removesuffix("</w>"),
    lambda token: token.replace("▁", " "),
    lambda token: token,
)
# The escapes that the Moses tokenizers write for characters with a special meaning in its files.
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
# Tokens for a byte, or for a character that the tokenizer rewrites.
_BYTE = re.compile(r"<0x([0-9A-F]{2})>|<\|byte(\d{1,3})\|>")
_REWRITTEN = {"__newln__": "\n", "<SP>": " ", "<BR>": "\n", "<TAB>": "\t"}


def align(text: str, tokens: Sequence[str]) -> list[Span]:
    """The characters of each token, (start, end); empty if a token corresponds to none of them.

    Raises:
        Unaligned: if the tokens do not spell the text.
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
    """`align` for byte tokens, each written as the character with that number."""
    owners = [i for i, character in enumerate(text) for _ in character.encode("utf-8")]
    data = text.encode("utf-8")
    spans: list[Span] = []
    at = 0
    for token in tokens:
        part = token.encode("latin-1" if len(token) == 1 and token < "\u0100" else "utf-8")
        # An added token may have absorbed the spaces around it.
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
        else:  # rewritten before it was split
            spans.append(cursor.take(token.source.text[token.start : token.end].replace("▁", " ")))
    cursor.end()
    return spans


class _Cursor:
    """A position in a text, in characters, which advances as tokens consume them."""

    def __init__(self, text: str, *, escaped: bool) -> None:
        self._text = text
        # The visible characters in a form on which all normalisers would agree, with their origins.
        self._visible: list[str] = []
        self._from: list[int] = []
        for i, character in enumerate(text):
            for one in (escaped and _ESCAPED.get(character)) or _folded(character):
                self._visible.append(one)
                self._from.append(i)
        self._next = 0  # an index of visible characters
        self._last = 0  # the end of the last consumed character
        # bytes still missing, and the character that they spell
        self._bytes, self._spelled = b"", (0, 0)

    def find(self, part: str) -> int:
        """The position of a part of the text if nothing visible precedes it; otherwise −1."""
        if self._inside() or not part:
            return -1
        seen = self._from[self._next] if self._next < len(self._from) else len(self._text)
        return self._text.find(part, self._last, seen + len(part))

    def take_at(self, start: int, end: int) -> Span:
        """Consume the characters that a library reported."""
        first, last = bisect_left(self._from, start), bisect_left(self._from, end)
        if first > self._next:  # something visible would be skipped
            raise Unaligned
        self._next, self._last = max(self._next, last), max(self._last, end)
        return start, end

    def take(self, part: str) -> Span:
        """Consume the characters that spell `part`."""
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
        """Consume one of the consecutive bytes of a character."""
        if not self._bytes:
            seen = self._from[self._next] if self._next < len(self._from) else len(self._text)
            # A character spelled in bytes is usually visible; a rare kind of space may not be.
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
        """Check that nothing visible is left. Raises Unaligned."""
        if self._next < len(self._visible) or self._bytes:
            raise Unaligned

    def _inside(self) -> bool:
        """Whether a character has been consumed only in part: “½” normalises to three characters."""
        return 0 < self._next < len(self._from) and self._from[self._next] == self._from[self._next - 1]


# Quotation marks, dashes and ellipses that some tokenizers rewrite in ASCII.
_SIGNS = str.maketrans(
    dict.fromkeys("‘’‚‛`´", "'")
    | dict.fromkeys("“”„‟«»「」『』《》", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"。": ".", "、": ","}
)


@lru_cache(4096)
def _folded(character: str) -> str:
    """A character without case, accents and compatibility forms; "" if it is invisible."""
    plain = unicodedata.normalize("NFKD", character.casefold()).casefold()
    seen = "".join(one for one in plain if _is_seen(one))
    return (seen or (character if _is_seen(character) else "")).translate(_SIGNS)


def _is_seen(character: str) -> bool:
    # Accents, spaces and control characters are invisible, and so is the replacement for a lost
    # character.
    return unicodedata.category(character)[0] not in "MZC" and character not in "\ufffd\ufffc"
