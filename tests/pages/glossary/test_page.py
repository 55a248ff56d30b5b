"""The Glossary page without a browser: all terms, one term, searches, and foreign links."""

from __future__ import annotations

import re
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from core import glossary
from pages.glossary.page import _middle
from tests import visits
from tests.pages.reading import text_box
from tests.visits import run
from ui import navigation

visit = partial(visits.visit, "glossary")


def named(app: AppTest) -> list[str]:
    """The shown terms, in order; a requested one is named twice."""
    said = [one.value.partition("  \n")[0] for one in app.markdown]
    titles = {f"**{one.name}**": one.name for one in glossary.terms()}
    return [titles[one] for one in said if one in titles]


def test_it_opens_with_every_term() -> None:
    app = visit()
    assert named(app) == [one.name for one in glossary.terms()]
    subjects = [one for one in app.expander if one.label.startswith("**")]
    assert [one.label.partition("**")[2].partition("**")[0] for one in subjects] == list(
        dict.fromkeys(one.subject for one in glossary.terms())
    )
    assert all(name in subjects[0].label for name in ("token", "vocabulary"))  # its terms are its name
    # One subject explains its terms at once.
    assert [one.proto.expanded for one in subjects] == [True, *[False] * (len(subjects) - 1)]


def test_a_link_leads_to_one_term_above_the_others() -> None:
    app = visit(g="layer-normalization")
    first = next(one.value for one in app.markdown if one.value.startswith("####"))
    assert first.startswith("#### layer normalization (layer norm, layer norms)")
    assert len(named(app)) == len(glossary.terms())


def test_what_is_typed_narrows_the_list_and_stays_in_the_link() -> None:
    app = visit()
    text_box(app, "glossary typed control").set_value("mask")
    run(app)
    assert named(app)[0] == "causal mask"
    assert set(named(app)) == {one.name for one in glossary.matching("mask")}
    assert app.query_params["f"] == "mask"
    text_box(app, "glossary typed control").set_value("<b>\u2603 no such")
    run(app)
    assert named(app) == []
    (told,) = app.info
    assert "no such" in told.value


def test_a_meaning_leads_to_the_terms_in_it_but_never_to_itself() -> None:
    app = visit()
    meanings = {one.value.partition("  \n")[0]: one.value for one in app.markdown}
    assert "(glossary?g=decoder " in meanings["**causal mask**"]
    assert "(glossary?g=softmax " in meanings["**causal mask**"]
    for term in glossary.terms():
        assert f"(glossary?g={term.anchor} " not in meanings[f"**{term.name}**"]


@pytest.mark.parametrize(
    ("lines", "left"),
    [([1], 1), ([5, 1, 1, 1], 1), ([1, 1, 1, 1], 2), ([1, 1, 1, 5], 3), ([2, 2, 2], 2)],
)
def test_two_columns_end_alike(lines: list[int], left: int) -> None:
    assert _middle(lines) == left


def test_a_link_by_a_stranger_opens_the_list() -> None:
    for term in ("../etc", "attention weight", "\U0001f600", "x" * 5_000):
        assert len(named(visit(g=term))) == len(glossary.terms())


def test_each_example_leads_to_a_page_that_is_there() -> None:
    addresses = {page.path for page in navigation.pages().values()} | {"./"}
    found = [re.search(r"\]\(([^?)]*)", one.example) for one in glossary.terms()]
    led = [one[1] for one in found if one is not None]
    assert len(led) > 20
    assert {*led} <= addresses


def test_an_example_stands_in_each_entry_and_code_only_in_one_opened_on_its_own() -> None:
    app = visit()
    shown = [one.value for one in app.markdown if one.value.startswith("*For example:*")]
    assert len(shown) == len(glossary.terms())
    assert not [one for one in app.caption if "Code: " in one.value]
    app = visit(g="softmax")
    (own,) = [one.value for one in app.caption if "Code: " in one.value]
    assert "softmax" in own or "core." in own
