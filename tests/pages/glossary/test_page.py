"""The Glossary page without a browser: one term in full, a line for each other, searches, links."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from core import glossary
from tests import visits
from tests.pages.reading import text_box
from tests.visits import run
from ui import navigation
from ui.state import PageState

visit = partial(visits.visit, "glossary")
TERMS = glossary.terms()


def lines(app: AppTest) -> list[str]:
    """The terms that have a line, in order."""
    said = [str(one.key) for one in app.button]
    return [one.removeprefix("try-term ") for one in said if one.startswith("try-term ")]


def entry(app: AppTest) -> str:
    """The term that is shown in full."""
    (title,) = [one.value for one in app.markdown if one.value.startswith("### ")]
    return str(title.removeprefix("### "))


def of(subject: str) -> list[str]:
    return [one.anchor for one in TERMS if one.subject == subject]


def test_it_opens_with_its_first_term_and_a_line_for_each_of_the_subject() -> None:
    app = visit()
    assert entry(app) == TERMS[0].name
    assert lines(app) == of(TERMS[0].subject)
    first = next(one for one in app.button if one.key == "try-term token")
    assert first.label == f"**token** {TERMS[0].in_a_line}"
    assert len(app.button_group) >= 2  # the subjects, and every term from A to Z


def test_a_link_leads_to_one_term_with_its_subject_its_page_and_its_code() -> None:
    app = visit(g="residual-connection")
    term = glossary.find("residual-connection")
    assert term is not None
    assert entry(app) == term.name
    assert lines(app) == of("Layers")
    said = [one.value for one in app.markdown]
    assert term.in_a_line in said
    assert term.further in said
    assert f"$$\n{term.formula}\n$$" in said
    (below,) = [one.value for one in app.caption if one.value.startswith("Paper: ")]
    assert below == f"Paper: {term.paper} · Code: `{term.code}` · Also: {', '.join(term.also)}"
    assert any(one.startswith("[See it on Step by step](step-by-step?") for one in said)


def test_a_line_opens_its_term() -> None:
    app = visit()
    next(one for one in app.button if one.key == "try-term vocabulary").click()
    run(app)
    assert entry(app) == "vocabulary"
    assert app.query_params["g"] == "vocabulary"


def test_a_subject_opens_its_first_term() -> None:
    app = visit(g="layer-normalization")
    (subjects,) = [one for one in app.button_group if "glossary subject" in str(one.key)]
    subjects.set_value(2)
    run(app)
    assert entry(app) == "attention"
    assert lines(app) == of("Attention")


def test_what_is_typed_narrows_the_list_and_stays_in_the_link() -> None:
    app = visit(g="softmax")
    text_box(app, "glossary typed control").set_value("mask")
    run(app)
    assert entry(app) == "causal mask"  # the best match, where the one before is not among them
    assert lines(app) == [one.anchor for one in glossary.matching("mask")]
    assert app.query_params["f"] == "mask"
    text_box(app, "glossary typed control").set_value("<b>\u2603 no such")
    run(app)
    assert lines(app) == []
    (told,) = app.info
    assert "no such" in told.value


def test_a_meaning_leads_to_the_terms_in_it_but_never_to_itself() -> None:
    app = visit(g="causal-mask")
    (within,) = [one for one in app.button_group if "glossary within" in str(one.key)]
    assert within.options == ["token", "softmax", "decoder"]
    within.set_value("softmax")
    run(app)
    assert entry(app) == "softmax"


@pytest.mark.parametrize("term", ["../etc", "attention weight", "\U0001f600", "x" * 5_000])
def test_a_link_by_a_stranger_opens_the_first_term(term: str) -> None:
    assert entry(visit(g=term)) == TERMS[0].name


@pytest.mark.parametrize("one", TERMS, ids=lambda one: one.anchor)
def test_each_term_leads_to_a_page_that_reads_its_link(one: glossary.Term) -> None:
    address, _, query = one.see.partition("?")
    known = {page.path: page for page in navigation.pages().values()}
    page = known[address.removeprefix("./")]
    states = vars(import_module(f"pages.{page.folder}.state")).values()
    (own,) = {
        one
        for one in states
        if isinstance(one, type) and issubclass(one, PageState) and one is not PageState
    }
    fields = {field.url: field for field in own.link()}
    for key, value in parse_qsl(query):
        if key != "v":
            fields[key].parse(value)
