"""The content of a sentence, whatever its wording: its numbers and its emphasised names (Markdown)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_POWER = re.compile(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NUMBER = re.compile(r"(?<![\w.])[−+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]\d+)?(?![\w-])|(?<![\w])[−+-]?\.\d+")


def numbers(text: str) -> list[float]:
    """The numbers of a text in their order: "**−0.51**, 1,234, 2·10⁻⁷" gives −0.51, 1234 and 2e-7."""
    text = _POWER.sub(lambda power: f"e{int(power[1].translate(_LOWERED)):+d}", _plain(text))
    return [float(n.replace("−", "-").replace(",", "")) for n in _NUMBER.findall(text)]


def bold(text: str) -> list[str]:
    """The texts in bold, in order."""
    return re.findall(r"\*\*(.+?)\*\*", text)


def emphasised(text: str) -> list[str]:
    """The texts in italics, in order."""
    return re.findall(r"(?<!\*)\*(?!\*)(.+?)(?<!\*)\*(?!\*)", text)


def without_meanings(text: str) -> str:
    """A page's words without the meanings in its links to the glossary (Markdown)."""
    return re.sub(r'\[([^\]]*)\]\(glossary\?g=[^ )]* "[^"]*"\)', r"\1", text)


def saying(text: str, *parts: str) -> str:
    """The only sentence of a text that contains all these parts."""
    found = [one for one in sentences(text) if all(part in one for part in parts)]
    assert len(found) == 1, (parts, found)
    return found[0]


def sentences(text: str) -> Sequence[str]:
    """A text's sentences: each ends with a full stop, with a question mark, or with its line."""
    return [one for line in text.splitlines() for one in re.split(r"(?<=[.?!])\s+", line) if one]


def _plain(text: str) -> str:
    return text.replace("*", "").replace("\\", "")
