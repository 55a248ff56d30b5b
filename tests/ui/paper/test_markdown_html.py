"""Markdown on paper: emphasis and lists, but no link, no picture and no tag."""

from __future__ import annotations

import pytest

from ui import text
from ui.paper.markdown_html import block, inline


def test_emphasis_and_paragraphs_stay() -> None:
    assert block("One *word*\nor **two**.") == "<p>One <em>word</em>\nor <strong>two</strong>.</p>"
    assert inline("a `b`\nc") == "a <code>b</code> c"
    assert block("- one\n- two") == "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"


def test_a_link_is_its_words() -> None:
    assert inline("a [key](glossary) of [it](https://example.org)") == "a key of it"
    assert "href" not in block("<https://example.org> and [x]: https://example.org")


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](javascript:alert(1))",
        "</style>",
    ],
)
def test_what_is_typed_stays_text(typed: str) -> None:
    for written in (block(typed), inline(typed), inline(text.plain(typed))):
        assert not any(f"<{tag}" in written for tag in ("script", "img", "/style", "a "))


def test_what_is_filled_in_stays_as_it_was_typed() -> None:
    assert inline(text.plain("*a* & _b_ #1")) == "*a* &amp; _b_ #1"
