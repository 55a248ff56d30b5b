"""The words of a lesson as HTML for paper: Markdown without links, pictures or tags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token


class _OnPaper(MarkdownIt):
    """Renders a link as its text, and a tag as the characters that were typed."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False})
        self.disable(["image", "autolink", "heading", "lheading", "hr", "code"])
        for rule in ("link_open", "link_close"):
            self.add_render_rule(rule, _nothing)


def _nothing(*_: Any) -> str:
    return ""


@cache
def _markdown() -> MarkdownIt:
    return _OnPaper()


def block(markdown: str) -> str:
    """Paragraphs and lists."""
    made: str = _markdown().render(markdown)
    return made.strip()


def inline(markdown: str) -> str:
    """A sentence, without a paragraph around it."""
    made: str = _markdown().renderInline(" ".join(markdown.split()))
    return made


def text_of(markdown: str) -> str:
    """The plain text, for a search."""
    return " ".join(_letters(_markdown().parse(markdown)))


def _letters(tokens: Sequence[Token]) -> list[str]:
    found: list[str] = []
    for one in tokens:
        if one.type == "text":
            found.append(one.content)
        found += _letters(one.children or ())
    return found
