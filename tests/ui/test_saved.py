from __future__ import annotations

import re

import numpy as np
import pytest

import core
from core.examples import ANCHORS
from core.settings import OPENING
from ui import saved
from ui.comparison import Chosen, Question
from ui.looks import Look

ASKED = Question(
    "minilm",
    Chosen(OPENING.text_a, "bank", 0),
    Chosen(OPENING.text_b, "bank", 0),
    (ANCHORS["bank"].low, ANCHORS["bank"].high),
)
FIRST = Look(0, 0, special=False)


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("**x** and *y*", "<p><strong>x</strong> and <em>y</em></p>\n"),
        ("at :blue[**−.17**] in A", '<p>at <span class="a"><strong>−.17</strong></span> in A</p>\n'),
        (":orange[■] B", '<p><span class="b">■</span> B</p>\n'),
        (r"**\<b\>** \:blue\[x\]", "<p><strong>&lt;b&gt;</strong> :blue[x]</p>\n"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
        ("[x](http://a.b) ![y](z)", "<p>[x](http://a.b) ![y](z)</p>\n"),
        ("a ⸨b⸩ c", "<p>a  b  c</p>\n"),
    ],
)
def test_our_markdown_as_html(said: str, made: str) -> None:
    assert saved.to_html(said) == made


def test_the_file_holds_the_claim_the_sentences_and_stays_small(minilm: core.Model) -> None:
    page = saved.comparison(ASKED, FIRST, back=0, link="http://127.0.0.1/?v=1&l=3")
    assert "river <mark>bank</mark>." in page
    assert '<span class="a"><strong>−.17</strong></span>' in page
    assert "All layers and heads are in this file." in page
    assert "Look for: The word starts on the money side" in page
    assert "largest difference is <strong>" in page or "equal <strong>to the last bit" in page
    assert 'href="http://127.0.0.1/?v=1&amp;l=3"' in page
    assert len(re.findall(r"\* plotly\.js v", page)) == 1
    assert len(page.encode()) < 6_000_000


def test_long_texts_keep_the_file_small_and_the_file_says_what_it_leaves_out(
    minilm: core.Model,
) -> None:
    numbers = np.random.default_rng(7)
    texts = (" ".join(numbers.choice(["the", "bank", "of", "a", "river"], 600)) for _ in "AB")
    a, b = (Chosen(text, "bank", 0) for text in texts)
    page = saved.comparison(ASKED._replace(a=a, b=b), FIRST, back=0, link="")
    assert "Whole heads of these long texts are on the live page." in page
    assert page.count('<div data-polysee="heatmap"') == 2
    assert len(page.encode()) < 6_000_000


def test_longer_texts_keep_fewer_heads(minilm: core.Model) -> None:
    for words, said in ((50, "holds the heads of one layer"), (150, "holds one head")):
        a = Chosen("bank " + "the river " * (words // 2), "bank", 0)
        page = saved.comparison(ASKED._replace(a=a, b=a), FIRST, back=0, link="")
        assert said in page
        assert len(page.encode()) < 6_000_000


def test_markup_in_a_sentence_stays_text(minilm: core.Model) -> None:
    a = Chosen("<script>alert(1)</script> bank ' \" &amp;", "bank", 0)
    page = saved.comparison(ASKED._replace(a=a), FIRST, back=0, link="")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; <mark>bank</mark>" in page
    assert "<script>alert" not in page


def test_without_senses_there_is_no_part_between_them(minilm: core.Model) -> None:
    page = saved.comparison(ASKED._replace(groups=None), FIRST, back=0, link="")
    assert "Between two senses" not in page
    assert "By cosine" in page
