"""Markdown: its paragraphs, headings, items and cells without their marks, by markdown-it-py.

Code blocks, blocks of HTML and the settings above the text (front matter) are no text and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .report import Report

_FRONT = re.compile(r"\A---[ \t]*\r?\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_NOTE = re.compile(r"^\[\^[^\]\n]{1,60}\]:")
_NOTE_NUMBER = re.compile(r"\[\^[^\]\n]{1,60}\]")


def paragraphs(text: str, report: Report) -> Iterator[str]:
    """The paragraphs of a text in Markdown."""
    if front := _FRONT.match(text):
        report.add("block of settings (front matter)", "blocks of settings (front matter)")
        text = text[front.end() :]
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        if token.type in ("fence", "code_block"):
            report.add("block of code", "blocks of code")
        elif token.type == "html_block":
            report.add("block of HTML", "blocks of HTML")
        elif token.type == "inline":
            if _NOTE.match(token.content):
                report.add("footnote", "footnotes")
            elif plain := _plain(token.children or []):
                yield plain


def _plain(tokens: list[Token]) -> str:
    parts = []
    for one in tokens:
        if one.type in ("text", "code_inline"):
            parts.append(one.content)
        elif one.type in ("softbreak", "hardbreak"):
            parts.append("\n")
    return " ".join(_NOTE_NUMBER.sub("", "".join(parts)).split())
