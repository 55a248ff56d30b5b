"""`plain`: typed text stays text, whatever Markdown and Streamlit would turn it into."""

from __future__ import annotations

import html
import re
import string

import pytest
from markdown_it import MarkdownIt

from core.markdown import plain, to_html

WORD_JOINER = "\u2060"
# What Streamlit 1.67 does to text nodes after the Markdown parser, whether escaped or not, as seen in
# Chromium: characters are replaced, addresses become links.
AFTERWARDS = re.compile(r"->|<-|--|>=|<=|~=|https?://|www\.|@[-\w]|:streamlit:", re.IGNORECASE)
AWKWARD = [
    string.punctuation,
    " ".join(string.punctuation),
    "".join(f"{sign}{sign}x{sign}{sign}" for sign in string.punctuation),
    "[z](http://a.b) ![i](https://a.b/c.png) <http://a.b> http://a.b www.a.b WWW.A.B me@a.b",
    "<script>alert(1)</script> <b>x</b> <!-- c --> &amp; &#65; &lt;",
    "$math$ $$more$$ \\(x\\)",
    ":emoji: :blue[x] :red-background[y] :material/home: :streamlit: :gray-badge[z]",
    "# head\n## two\n---\n===\n- a\n* b\n+ c\n1. d\n2) e\n> f\n\n    code\n\n```\nfence\n```",
    "a\n===",
    "a\r\n---\rb\x85c\u2028d\x0be",
    "|a|b|\n|-|-|\n|1|2|",
    "    code\n\tcode",
    "*a* _b_ **c** __d__ ~~e~~ `f` [^1] [r]: /x",
    "a -> b <- c <-> d -- e --- f >= g <= h ~= i ... (c)",
    "\\*not\\* \\\\ \\",
    "ends in a backslash \\",
    "🏦 ضفة 银行 e\u0301",
]


def shown(markdown: str) -> str:
    """The visible text of one paragraph; anything but text in it fails the test."""
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(markdown).strip()
    match = re.fullmatch(r"<p>(.*)</p>", rendered, re.DOTALL)
    assert match, rendered
    assert not re.search(r"<", match[1]), rendered
    return html.unescape(match[1])


@pytest.mark.parametrize("typed", AWKWARD)
def test_plain_leaves_no_markdown_alive(typed: str) -> None:
    seen = shown(plain(typed))
    assert not AFTERWARDS.search(seen)
    unseen = str.maketrans("", "", f"{WORD_JOINER}\u2068\u2069")  # and what keeps Arabic apart
    assert seen.translate(unseen) == " ".join(typed.split())
    for bold in (f"**{plain(typed)}** said", f"in *{plain(typed)}*."):
        rendered = MarkdownIt().render(bold)
        assert set(re.findall(r"<(\w+)", rendered)) == {"p", "strong" if "**" in bold[:2] else "em"}


@pytest.mark.few(16)
@pytest.mark.parametrize("first", string.punctuation)
def test_plain_holds_for_every_two_signs(first: str) -> None:
    for second in string.punctuation:
        for typed in (
            f"{first}{second}",
            f"a{first}{second}b",
            f"{first}a{second}",
            f"{first} {second} c",
        ):
            seen = shown(plain(typed))
            assert not AFTERWARDS.search(seen)
            assert seen.replace(WORD_JOINER, "") == typed


@pytest.mark.parametrize(
    "typed",
    [r":blue[x]", "$a$", "$$a$$", ":smile:", ":material/home:", "<b>"],
)
def test_signs_that_only_streamlit_knows_are_escaped(typed: str) -> None:
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", plain(typed))
    assert not set(bare) & set(string.punctuation)


def test_plain_changes_no_ordinary_text() -> None:
    assert plain("the river bank 银行 é") == "the river bank 银行 é"


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("**x** and *y*", "<p><strong>x</strong> and <em>y</em></p>\n"),
        ("at :blue[**−0.17**] in A", '<p>at <span class="a"><strong>−0.17</strong></span> in A</p>\n'),
        (":orange[■] B", '<p><span class="b">■</span> B</p>\n'),
        (r"**\<b\>** \:blue\[x\]", "<p><strong>&lt;b&gt;</strong> :blue[x]</p>\n"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
        ("[x](http://a.b) ![y](z)", "<p>[x](http://a.b) ![y](z)</p>\n"),
        ("a ⸨b⸩ c", "<p>a  b  c</p>\n"),
    ],
)
def test_our_markdown_as_html(said: str, made: str) -> None:
    assert to_html(said) == made
