"""Names for the screen, with invisible characters made visible; JavaScript shows them as text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

from ..markdown import RIGHT_TO_LEFT
from ..sentences import sentence
from . import style

_JOINERS = {"\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ", "\ufeff": "BOM", "\u00ad": "SHY"}
_ALL = "".join(_JOINERS)
_LETTER = regex.compile(r"\p{L}")


def label(token: str) -> str:
    """The label of a token or a word; empty and blank texts get a visible name."""
    shown = named_edges(written(style.token_name(token)))
    if shown.strip():
        return shown
    if len(shown) < 2:
        return sentence("label.space" if shown else "label.empty")
    return sentence("label.spaces", count=str(len(shown)))


def named_edges(text: str) -> str:
    """A text with names for the invisible characters at its ends, which have nothing to join there.

    Zero-width joiners hold a family of emoji together, and its pieces begin or end with one.
    """
    after = text.lstrip(_ALL)  # a pattern with "$" would try each of the signs as the first of the end
    inner = after.rstrip(_ALL)
    start, end = text[: len(text) - len(after)], after[len(inner) :]
    return f"{_named(start)}{inner}{_named(end)}"


def spelled(text: str) -> str:
    """A piece of a running text as a name: "␣" for spaces at the ends of its lines, "↵" where one ends.

    Unlike `label`, it keeps "##" as it is, which in a running text is a heading.
    """
    shown = "↵".join(visible_ends(named_edges(written(line))) for line in lines_of(text))
    return shown or sentence("label.empty")


def aloud(shown: str) -> str:
    """A name by `spelled` for a sentence: a sign for a space or a line break alone is read as one.

    What holds both, or letters, stays as it is.
    """
    for sign, one, more in (
        ("␣", "label.space", "label.spaces"),
        ("↵", "label.break", "label.breaks"),
    ):
        if shown and not shown.strip(sign):
            return sentence(one) if len(shown) == 1 else sentence(more, count=str(len(shown)))
    return shown


def lines_of(text: str) -> list[str]:
    """The lines of a piece of text, without their ends."""
    return text.replace("\r\n", "\n").split("\n")


def visible_ends(shown: str) -> str:
    """A name with visible spaces at both ends, which in many tokenizers mark the start of a word."""
    inner = shown.strip()
    before = len(shown) - len(shown.lstrip())
    return "␣" * before + inner + "␣" * (len(shown) - before - len(inner))


def written(text: str) -> str:
    """A text with its invisible characters made visible."""
    return "".join(_visible(sign) for sign in text)


def runs_left(tokens: Sequence[str]) -> bool:
    """Whether most letters belong to a script that runs from right to left."""
    letters = _LETTER.findall("".join(tokens))
    return 2 * sum(RIGHT_TO_LEFT.match(sign) is not None for sign in letters) > len(letters)


def _named(joiners: str) -> str:
    return "".join(f"⟨{_JOINERS[sign]}⟩" for sign in joiners)


def _visible(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cc":
        return chr(0x2400 + ord(sign)) if ord(sign) < 32 else "␡" if ord(sign) == 127 else "\ufffd"
    return "\ufffd" if kind == "Cs" else sign
