from __future__ import annotations

import pytest

from core.records.inflections import form_of, matches, same_word
from core.records.spelling import CASED, UNCASED, Spelling
from tests.records.languages.table import TABLE, uncased


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bank", "banks"),
        ("Bank", "bank"),
        ("match", "matches"),
        ("mouse", "mice"),
        ("body", "bodies"),
        ("bus", "buses"),
        ("glass", "glasses"),
        ("leaf", "leaves"),
        ("rock", "rock"),
    ],
)
def test_two_forms_of_one_word(one: str, other: str) -> None:
    assert same_word(one, other)
    assert same_word(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "as"),
        ("bank", "banker"),
        ("even", "evening"),
        ("bank", "riverbank"),
        ("bu", "bus"),
        ("glas", "glass"),
        ("thi", "this"),
        ("bat", "bath"),
        ("banks", "bat"),
    ],
)
def test_two_words(one: str, other: str) -> None:
    assert not same_word(one, other)
    assert not same_word(other, one)


def test_the_first_form_in_a_text() -> None:
    found = form_of("Two Banks and a bank", "bank")
    assert found is not None
    assert (found.text, found.start, found.end) == ("Banks", 4, 9)
    assert form_of("an embankment", "bank") is None


@pytest.mark.parametrize("spellings", TABLE["alike"], ids=str)
def test_what_the_model_reads_alike_is_one_word(spellings: list[str]) -> None:
    one, *others = spellings
    for other in others:
        assert same_word(one, other, uncased())
        assert matches([one], ["lamp", other], uncased()) == [1]
        found = form_of(f"lamp {other}", one, uncased())
        assert found is not None
        assert found.text == other


@pytest.mark.parametrize(
    ("one", "other", "spelling", "same"),
    [
        ("café", "cafe", UNCASED, False),  # a model that reads accents has two learned vectors
        ("café", "CAFÉS", UNCASED, True),
        ("Bank", "banks", CASED, True),  # case never makes two words, as before
        ("ﬁne", "fine", CASED, True),
        ("البَنْكِ", "بنك", CASED, True),
        ("ΛΌΓΟΣ", "λόγος", CASED, True),
    ],
)
def test_spelling_decides_before_forms(one: str, other: str, spelling: Spelling, same: bool) -> None:
    assert same_word(one, other, spelling) is same
    assert (form_of(other, one, spelling) is not None) is same
    assert matches([one], [other], spelling) == [0 if same else None]


def test_a_word_is_no_longer_for_its_points() -> None:
    found = form_of("بنك", "ب" + "ـ" * 40 + "نك", CASED)
    assert found is not None
