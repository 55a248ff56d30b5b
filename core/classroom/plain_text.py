"""Plain text for the student's page, which does not render Markdown."""

from __future__ import annotations

import re

from ..localization import _
from ..markdown import LABEL, TARGET

_LINK = re.compile(rf"!?\[({LABEL}*)\]\({TARGET}*\)")
_MARK = re.compile(r"(?<!\\)(\*\*?|`|\$)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASISED = re.compile(r"(?<![\\*])\*([^*\n]+)\*(?!\*)")
_INVISIBLE = re.compile("[\u2060\u2066-\u2069]")


def plain(markdown: str, most: int = 2000) -> str:
    """The text of some Markdown, in one line, without its markup.

    Args:
        markdown: the Markdown; a link is reduced to its label.
        most: the largest number of characters; an ellipsis replaces the rest.
    """
    words = _ESCAPED.sub(r"\1", _MARK.sub("", _LINK.sub(r"\1", markdown)))
    line = " ".join(_INVISIBLE.sub("", words).split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def mentioned(markdown: str) -> str:
    """A question's Markdown, with the words that it speaks of in quotation marks.

    They are emphasised, which plain text is not: “does *it* give more to *cat*?”
    """
    return _EMPHASISED.sub(lambda match: _("“{word}”").format(word=match[1]), markdown)


def line(typed: str) -> str:
    """Typed text in one line, as it is but for characters that cannot be seen."""
    return " ".join("".join(" " if not one.isprintable() else one for one in typed).split())
