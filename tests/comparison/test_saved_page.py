from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

import core
from core.comparison import Chosen, Ends, Question
from core.comparison.heads import Look
from core.comparison.saved_page import page
from core.examples import known_ends
from core.examples.first_texts import OPENING
from core.figures.web import bundle
from ui.comparison import Cached

KNOWN = known_ends("bank")
assert KNOWN is not None
ASKED = Question(
    "minilm",
    Chosen(OPENING.text_a, "bank", 0),
    Chosen(OPENING.text_b, "bank", 0),
    Ends(KNOWN.names, KNOWN.low, KNOWN.high),
)
FIRST = Look(0, 0, special=False)


def saved(question: Question, look: Look, **more: Any) -> str:
    """The page as the app saves it."""
    return page(question, look, Cached(question.model), **more)


@pytest.mark.check
def test_the_file_holds_the_claim_the_sentences_and_stays_small(minilm: core.Model) -> None:
    page = saved(ASKED, FIRST, back=0, link="http://127.0.0.1/?v=1&l=3")
    assert "river <mark>bank</mark>." in page
    assert (
        "<strong>Two meanings:</strong> <em>bank</em> sides with <strong>river</strong> in "
        '<span class="a"><strong>A</strong></span> and with <strong>money</strong> in '
        '<span class="b"><strong>B</strong></span>.'
    ) in page
    assert "of those verdicts are right</strong>" in page
    assert page.count('<div data-polysee="trajectory"') == 1
    assert "all layers and heads" in page
    assert "largest difference is <strong>" in page or "equal <strong>to the last bit" in page
    assert 'href="http://127.0.0.1/?v=1&amp;l=3"' in page
    assert "plotly" not in page
    assert len(page.encode()) < 2_000_000
    solid = saved(ASKED, FIRST, back=0, link="", solid=True)
    assert solid.count(bundle.packed("plotly")) == 1
    assert solid.count('<div data-polysee="space"') == 1
    assert len(solid.encode()) < 4_000_000


@pytest.mark.fuzz
def test_long_texts_keep_the_file_small_and_the_file_says_what_it_leaves_out(
    minilm: core.Model,
) -> None:
    numbers = np.random.default_rng(7)
    texts = (" ".join(numbers.choice(["the", "bank", "of", "a", "river"], 600)) for _ in "AB")
    a, b = (Chosen(text, "bank", 0) for text in texts)
    page = saved(ASKED._replace(a=a, b=b), FIRST, back=0, link="")
    assert "too long for whole heads" in page
    assert page.count('<div data-polysee="heatmap"') == 2
    assert len(page.encode()) < 2_000_000


@pytest.mark.check
def test_longer_texts_keep_fewer_heads(minilm: core.Model) -> None:
    for words, said in ((50, "holds the heads of one layer"), (150, "holds one head")):
        a = Chosen("bank " + "the river " * (words // 2), "bank", 0)
        page = saved(ASKED._replace(a=a, b=a), FIRST, back=0, link="")
        assert said in page
        assert len(page.encode()) < 2_000_000


@pytest.mark.check
def test_markup_in_a_sentence_stays_text(minilm: core.Model) -> None:
    a = Chosen("<script>alert(1)</script> bank ' \" &amp;", "bank", 0)
    page = saved(ASKED._replace(a=a), FIRST, back=0, link="")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; <mark>bank</mark>" in page
    assert "<script>alert" not in page


@pytest.mark.check
def test_without_senses_there_is_no_part_between_them(minilm: core.Model) -> None:
    page = saved(ASKED._replace(ends=None), FIRST, back=0, link="")
    assert "From one dot to two" not in page
    assert '<div data-polysee="trajectory"' not in page
    assert "wo meanings" not in page
    assert "cosine similarity and principal components" in page


def test_two_words_have_no_part_between_senses(minilm: core.Model) -> None:
    b = Chosen(OPENING.text_b, "money", 0)
    page = saved(ASKED._replace(b=b), FIRST, back=0, link="")
    assert '<div data-polysee="trajectory"' not in page
    assert "“bank” and “money” in two sentences" in page


def test_the_saved_picture_has_what_each_word_adds_and_stands_still(minilm: core.Model) -> None:
    page = saved(ASKED, FIRST, back=2, link="")
    (sent,) = re.findall(r'<div data-polysee="trajectory"[^>]* data-bytes="([^"]*)"', page)
    raw = base64.b64decode(sent)
    header = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])
    assert (header["state"], header["autoplay"]) == ({"depth": 4}, False)
    assert header["awaitsContributions"] is False
    assert [[*map(len, side["adds"]["parts"])] for side in header["sides"]] == [
        [len(side["parts"])] * 6 for side in header["sides"]
    ]


def test_words_in_a_row_are_marked_together(minilm: core.Model) -> None:
    a, b = (
        Chosen(f"On the {kind} river bank we sat by the river.", "river bank", 0)
        for kind in ("old", "new")
    )
    ends = Ends(("cold", "warm"), ("cold",), ("warm",))
    page = saved(Question("minilm", a, b, ends), FIRST, back=0, link="")
    assert "On the old <mark>river bank</mark> we sat by the river." in page
