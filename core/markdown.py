"""Markdown: what others typed stays text in it, ours becomes HTML, and the links of both are found.

The patterns of links take time in proportion to a text, whoever wrote it: a label ends at the next
bracket of either kind, and a target at the next link. A pattern that looks further reads the rest of a
text again for each "[" that no "](" follows.
"""

from __future__ import annotations

import re
import string
from functools import cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LABEL = r"[^\[\]]"  # one character of a link's label
TARGET = r"(?:[^)\]]|\](?!\())"  # one character of its target
# After Markdown, Streamlit's page still replaces some text, escaped or not: arrows, dashes, comparison
# signs, links, addresses and its own logo. An invisible character between the parts prevents this.
_STILL_ALIVE = re.compile(
    r"(?<=-)(?=[->])|(?<=<)(?=[-=])|(?<=[>~])(?==)"
    r"|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)|(?<=:)(?=streamlit:)",
    re.IGNORECASE,
)
_WORD_JOINER = "\u2060"
# The blocks that Unicode keeps for scripts from right to left, and the mark of their direction.
RIGHT_TO_LEFT = regex.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_COLOUR = re.compile(r"(?<!\\):(blue|orange)\[((?:\\.|[^\[\]\\])*)\]")
# Brackets that replace tags during the conversion of Markdown, which treats them as punctuation beside
# which emphasis may begin and end, just as it would beside a tag.
_OPENS = {"blue": "⸨", "orange": "⦅"}
_TAGS = {"⸨": '<span class="a">', "⦅": '<span class="b">', "⸩": "</span>"}


def plain(text: str) -> str:
    """Escape text for Markdown, in one line: what a visitor typed stays text."""
    # Without isolation, a Hebrew or Arabic word would reverse the numbers beside it.
    return isolated(escaped(text))


def escaped(text: str) -> str:
    """A part of a text as `plain` escapes it, to be joined with others before all are isolated."""
    apart = _STILL_ALIVE.sub(_WORD_JOINER, " ".join(text.split()))
    return "".join(f"\\{c}" if c in string.punctuation else c for c in apart)


def isolated(name: str) -> str:
    """Isolate a name that may run from right to left, which would otherwise reverse its neighbours."""
    return f"\u2068{name}\u2069" if RIGHT_TO_LEFT.search(name) else name


def to_html(markdown: str) -> str:
    """Convert our own Markdown to HTML; what `plain` escaped stays text.

    Streamlit's colours of the sentences A and B, `:blue[…]` and `:orange[…]`, become the classes "a"
    and "b".
    """
    own = markdown.translate(dict.fromkeys(map(ord, _TAGS), " "))
    made = str(_parser().render(_COLOUR.sub(lambda m: f"{_OPENS[m[1]]}{m[2]}⸩", own)))
    for mark, tag in _TAGS.items():
        made = made.replace(mark, tag)
    return made


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).disable(["image", "link", "autolink"])
