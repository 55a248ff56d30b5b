"""The tokens of a text as they stand in it, on which every record and picture agrees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

FURTHER = "…"  # a token that goes on with a character of the token before it
_OPEN, _CLOSE = "⟨", "⟩"


def pieces_of(text: str, tokens: Sequence[str], offsets: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Each token as it stands in a text, with the spaces before it.

    Args:
        text: the text.
        tokens: the names of its tokens, L of them.
        offsets: where each stands; a token that adds no character, such as a special one, is empty.

    Returns:
        L pieces. A token without a character is there by its name. Of a character in several tokens,
        the first piece is the character, and the others are `FURTHER`. A character that the text does
        not complete is there by its bytes, as `spelling` has them.

    Raises:
        ValueError: there is not one place for each token.
    """
    found, end = [], 0
    for token, (start, stop) in zip(tokens, offsets, strict=True):
        own = text[end:stop] or FURTHER
        found.append(spelling(token, own) if stop > start else token)
        end = max(end, stop)
    return tuple(found)


def spelling(token: str, form: str) -> str:
    """A token as it is written, its bytes in the place of a part of a character: " ⟨F0 9F⟩".

    Such parts all read "\ufffd" where a tokenizer decodes them alone, and could not be told apart.

    Args:
        token: its name in the vocabulary: "ĠðŁ" in a byte-level one (Radford et al. 2019), or
            "<0xF0>" (Kudo and Richardson 2018).
        form: what the tokenizer makes of it.
    """
    if "\ufffd" not in form or (raw := _bytes_of(token)) is None:
        return form
    found, odd = "", list[str]()
    for sign in (*raw.decode("utf-8", "surrogateescape"), ""):
        if "\udc80" <= sign <= "\udcff":
            odd.append(f"{ord(sign) - 0xDC00:02X}")
            continue
        found += f"{_OPEN}{' '.join(odd)}{_CLOSE}" * bool(odd) + sign
        odd.clear()
    return found


def has_bytes(piece: str) -> bool:
    """Whether a token is a part of a character, which `spelling` has named by its bytes."""
    return any(_hexadecimal(part[:2]) for part in piece.split(_OPEN)[1:])


def _hexadecimal(digits: str) -> bool:
    return len(digits) == 2 and set(digits) <= set("0123456789ABCDEF")


def _bytes_of(token: str) -> bytes | None:
    """The bytes that a token stands for; None if its vocabulary is not one of bytes."""
    if token.startswith("<0x") and token.endswith(">") and _hexadecimal(token[3:-1]):
        return bytes.fromhex(token[3:-1])
    table = _alphabet()
    if not all(sign in table for sign in token):
        return None
    return bytes(table[sign] for sign in token)


@cache
def _alphabet() -> dict[str, int]:
    """The 256 signs in which GPT-2's vocabulary writes bytes, each as a visible letter."""
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in visible]
    return {chr(byte): byte for byte in visible} | {chr(256 + i): byte for i, byte in enumerate(others)}
