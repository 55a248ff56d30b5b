"""Names for the screen, with invisible characters made visible; JavaScript shows them as text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from . import style


def label(token: str) -> str:
    """The label of a token or a word; empty and blank texts get a visible name."""
    shown = written(style.token_name(token))
    if shown.strip():
        return shown
    return ("(empty)", "(space)")[len(shown)] if len(shown) < 2 else f"({len(shown)} spaces)"


def written(text: str) -> str:
    """A text with its invisible characters made visible."""
    return "".join(_visible(sign) for sign in text)


def runs_left(tokens: Sequence[str]) -> bool:
    """Whether most letters belong to a script that runs from right to left."""
    kinds = [unicodedata.bidirectional(sign) for token in tokens for sign in token]
    return sum(kind in ("R", "AL") for kind in kinds) > sum(kind == "L" for kind in kinds)


def _visible(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cc":
        return chr(0x2400 + ord(sign)) if ord(sign) < 32 else "␡" if ord(sign) == 127 else "\ufffd"
    return "\ufffd" if kind == "Cs" else sign
