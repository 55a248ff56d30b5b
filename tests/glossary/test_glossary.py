"""The terms of the field: complete, unique, and consistent with the code."""

from __future__ import annotations

import importlib
from functools import reduce

import pytest

from core import glossary
from core.glossary import Term

TERMS = glossary.terms()


def test_a_term_is_read_whole() -> None:
    one = glossary.find("attention-weight")
    assert one == Term(
        name="attention weight",
        subject="Attention",
        also=("attention weights",),
        meaning="The share of its attention that a query gives to a key. The weights of one query lie "
        "between 0 and 1 and add up to 1.",
        formula=r"a_{ij} = \frac{e^{s_{ij}}}{\sum_{j'} e^{s_{ij'}}}",
        paper="Vaswani et al. 2017, §3.2.1",
        code="core.records.attention.Attention",
    )
    assert one.forms == ("attention weight", "attention weights")
    assert glossary.find("no-such-term") is None


@pytest.mark.parametrize(
    "name", ["attention weight", "residual connection", "logit", "ablation", "PCA"]
)
def test_what_was_asked_for_is_there(name: str) -> None:
    assert name in {one.name for one in TERMS}


@pytest.mark.parametrize("one", TERMS, ids=lambda one: one.anchor)
def test_an_entry_is_whole(one: Term) -> None:
    assert one.subject
    assert one.paper
    assert one.meaning.endswith((".", "##."))
    assert len(one.meaning) <= 240, "two lines"
    assert one.formula.count("{") == one.formula.count("}")
    # A meaning is between quotes in a link, and must be plain text.
    assert not set('"$*`<>\\') & set(one.meaning)


@pytest.mark.parametrize("one", TERMS, ids=lambda one: one.anchor)
def test_its_code_is_there(one: Term) -> None:
    parts = one.code.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        assert reduce(getattr, parts[length:], module) is not None
        return
    pytest.fail(f"{one.code} cannot be imported")


def test_no_form_means_two_terms() -> None:
    forms = [form.casefold() for one in TERMS for form in one.forms]
    assert len(forms) == len(set(forms))
    assert len({one.anchor for one in TERMS}) == len(TERMS) > 40


def test_what_is_typed_finds_forms_before_meanings() -> None:
    found = [one.name for one in glossary.matching("  Causal   MASK ")]
    assert found == ["causal mask", "padding mask"]
    assert glossary.matching("") == TERMS
    assert glossary.matching("word2vec")[0].name == "skip-gram"
    assert glossary.matching("\u2603") == ()
