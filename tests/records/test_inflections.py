from __future__ import annotations

import pytest

from core.records.inflections import form_of, same_word


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
