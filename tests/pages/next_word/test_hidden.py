"""What a class's screen hides of what the model says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import core
from core.records.prediction import Prediction
from pages.next_word import captions, hidden
from tests.dictionary.test_unshown import SLURS
from tests.pages.next_word.test_captions import top
from tests.pages.next_word.test_page import shown, visit

WORD = SLURS[0]


@pytest.fixture
def before_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden, "in_class", lambda: True)


def test_nothing_is_hidden_from_one_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden, "in_class", lambda: False)
    assert hidden.text(f"a {WORD}") == f"a {WORD}"
    assert hidden.shown("a", [f" {WORD}"]) == [f" {WORD}"]
    assert hidden.pieces(["a", f" {WORD}"]) == ["a", f" {WORD}"]


def test_a_word_is_hidden_and_the_text_around_it_is_not(before_a_class: None) -> None:
    assert hidden.text(f"The {WORD.upper()}, it said.") == "The hidden word, it said."
    assert hidden.text(f"a{WORD}b {WORD}") == f"a{WORD}b hidden word"
    assert hidden.text("") == ""


def test_a_token_that_completes_a_word_is_hidden(before_a_class: None) -> None:
    first, last = WORD[:2], WORD[2:]
    assert hidden.shown(f"the {first}", [last, "x", f" {WORD}", " river"]) == [
        " hidden word",
        "x",
        " hidden word",
        " river",
    ]
    # What stands before it already is no matter of this token.
    assert hidden.shown(f"the {WORD}", [" river", "."]) == [" river", "."]
    assert hidden.shown("x" * 10_000 + f" {first}", [last]) == [" hidden word"]


def test_pieces_keep_their_number(before_a_class: None) -> None:
    found = hidden.pieces(["The", f" {WORD[:2]}", WORD[2:], " sat", f" {WORD}", "."])
    assert found == ["The", " hidden word", "…", " sat", " hidden word", "."]
    assert hidden.pieces([]) == []


def test_the_headline_hides_it_and_keeps_its_probability(before_a_class: None) -> None:
    found: Prediction = top(0.9, 0.05, names=(f" {WORD}", " the"))
    assert captions.headline(found, ends=frozenset()) == "It gives **hidden word** 90 %."


def test_the_screen_of_a_class_hides_it_everywhere(
    made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made("llama")
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    model = core.load(str(folder))
    found = model.next_token(f"the {WORD}")
    bad = found.top(1).texts[0].strip()
    monkeypatch.setattr(hidden, "is_unshown", lambda word: word in (WORD, bad, f"{WORD}{bad}".strip()))
    plain, class_ = (visit(m=folder.name, t=f"the {WORD}", **more) for more in ({}, {"j": "1"}))
    for app, hides in ((plain, False), (class_, True)):
        labels = shown(app, "next-word")[0]["labels"]
        pieces = shown(app, "surprise")[0]["pieces"]
        assert ("hidden word" in "".join(pieces)) == hides
        assert (WORD in "".join(pieces)) != hides
        assert len(labels) == len(found.ids[:200])
