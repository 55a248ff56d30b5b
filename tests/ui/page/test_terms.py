"""Terms in a page's words become links to the glossary, once each, and nothing else changes."""

from __future__ import annotations

import re

import pytest

from core import glossary
from tests.ui.page.test_prose import PAGES
from ui.page import prose, terms

LINK = re.compile(r'\[([^\]]+)\]\(glossary\?g=([a-z0-9-]+) "([^"]*)"\)')


def links(markdown: str) -> list[tuple[str, str]]:
    return [(text, anchor) for text, anchor, _ in LINK.findall(terms.linked(markdown))]


def test_a_term_becomes_a_link_with_its_meaning() -> None:
    made = terms.linked("Each token has an id.")
    ((text, anchor, meaning),) = LINK.findall(made)
    assert (text, anchor) == ("token", "token")
    one = glossary.find("token")
    assert one is not None
    assert meaning == one.meaning
    assert LINK.sub(r"\1", made) == "Each token has an id."


def test_the_longest_term_wins_and_each_is_linked_once() -> None:
    said = "Attention weights come from attention. Tokens have attention weights; a token has one row."
    assert links(said) == [
        ("Attention weights", "attention-weight"),
        ("attention", "attention"),
        ("Tokens", "token"),
    ]


@pytest.mark.parametrize(
    "apart",
    [
        "`token`",
        "$token$",
        "$$\ntoken\n$$",
        "[a token](?t=token)",
        "### Token",
        "see *Heads*",
        "**A token.**",
        "![token](token.png)",
        "tokenizer, sub-token, token-wise",
    ],
)
def test_what_is_no_running_text_stays(apart: str) -> None:
    assert terms.linked(apart) == apart


def test_a_word_with_a_plain_meaning_is_linked_where_it_is_marked() -> None:
    assert links("Press a key to keep their values.") == []
    by_hand = links("A query meets a [key](glossary); press a key.")
    assert by_hand == [("query", "query"), ("key", "key")]


def test_an_abbreviation_counts_as_it_is_written() -> None:
    assert links("PCA and pca") == [("PCA", "pca")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_words_of_a_page_stay_as_they_are(page: object) -> None:
    words = prose.read(str(page))
    for said in (
        words.point,
        words.computed,
        words.limitations,
        *(one.look_for for one in words.tries),
    ):
        assert LINK.sub(r"\1", terms.linked(said)) == re.sub(r"\[([^\]]+)\]\(glossary\)", r"\1", said)
