"""Terms in a page's words become links to the glossary, once each, and nothing else changes."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from core import glossary
from core.localization import spoken
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


def captions() -> None:
    """A page with its own words and some captions, and a part that runs alone."""
    import streamlit as st

    from ui.page import terms

    terms.begin("The dot product of two vectors.")

    @st.fragment
    def part() -> None:
        st.button("again", key="again")
        terms.caption("An entropy, and “an entropy” of a *logit*.", "part")

    part()
    terms.caption("Head 3 of layer 2: the softmax of a dot product, in “my softmax, my UMAP”.", "first")
    terms.caption("The softmax, the entropy and UMAP.", "second")
    terms.caption("The softmax, the entropy and UMAP.", "third")


def test_captions_link_a_term_once_on_a_page() -> None:
    app = AppTest.from_function(captions).run()
    assert not app.exception
    linked = [[anchor for _, anchor, _ in LINK.findall(one.value)] for one in app.caption]
    # Neither the dot product, which the page's own words link, nor a head and its number, nor a
    # quotation.
    assert linked == [["entropy"], ["softmax"], ["umap"], []]
    assert "“my softmax, my UMAP”" in app.caption[1].value
    assert LINK.sub(r"\1", app.caption[2].value) == "The softmax, the entropy and UMAP."
    before = [one.value for one in app.caption]
    app.button[0].click().run()  # once more, in whole or the part alone
    assert [one.value for one in app.caption] == before
    assert len(app.caption) == 4


def test_a_caption_that_comes_again_keeps_its_links_and_gives_up_the_others() -> None:
    def drawn() -> None:
        from ui.page import terms

        terms.begin()
        terms.caption("A softmax.", "first")
        terms.caption("A gradient.", "first")  # as a part that runs alone says it another time
        terms.caption("A softmax.", "second")
        terms.caption("A gradient.", "third")

    app = AppTest.from_function(drawn).run()
    assert [bool(LINK.search(one.value)) for one in app.caption] == [True, True, True, False]


def test_emphasised_terms_come_first() -> None:
    found = [one.name for one in terms.named_in("A softmax. *Query* and *{word}*, *key*, *never*.")]
    assert found == ["query", "key", "softmax"]


def test_the_terms_of_another_language_are_named_in_it() -> None:
    with spoken("de"):
        found = [one.name for one in terms.named_in("Ein Softmax. Den *gelernten Vektor*, *Query*.")]
    assert found == ["gelernter Vektor", "Query", "Softmax"]


def test_a_language_with_a_glossary_links_its_own_forms() -> None:
    with spoken("de"):
        linked = terms.linked("Ein gelernter Vektor, und *Kopf* 3 mit seinen Querys; das Wort allein.")
        assert 'Ein [gelernter Vektor](glossary?g=learned-vector "' in linked
        assert "*Kopf*" in linked  # emphasised
        assert '[Querys](glossary?g=query "' in linked
        assert linked.endswith("; das Wort allein.")
        assert terms.linked("Ein [unbekanntes](glossary) Wort") == "Ein unbekanntes Wort"
    assert "glossary?" not in terms.linked("Ein gelernter Vektor")
