"""The list of words that a class's screen hides: it has what it should, and no word of our texts."""

from __future__ import annotations

import json

import pytest

from core.dictionary.unshown import DIGITS, LIST, is_unshown, sum_of
from core.examples import labelled, words
from core.measures.function_words import FUNCTION_WORDS
from tools.unshown import listed

SLURS = ("bitch", "faggot", "spic", "whore", "slut")


@pytest.mark.parametrize("word", SLURS)
def test_a_slur_is_hidden_however_it_is_written(word: str) -> None:
    for one in (word, word.upper(), word.capitalize(), f" {word},", f"“{word}”", f"{word}s"):
        assert is_unshown(one), one


@pytest.mark.parametrize(
    "text", ["", " ", "…", "river", "analysis", "class", "Scunthorpe", "🎣", "банк"]
)
def test_nothing_else_is(text: str) -> None:
    assert not is_unshown(text)


def test_none_of_our_own_words_is_hidden() -> None:
    ours = {one for word in words() for s in labelled(word) for one in s.text.split()}
    assert not [one for one in (*ours, *words(), *FUNCTION_WORDS) if is_unshown(one)]


def test_the_list_holds_no_words() -> None:
    found = json.loads(LIST.read_text("ascii"))
    assert found == sorted({*found})
    assert all(len(one) == DIGITS and not set(one) - set("0123456789abcdef") for one in found)
    assert 200 < len(found) < 2000


def test_plurals_are_listed_too() -> None:
    assert {*listed(["Ox", "lady", "ash"])} >= {*map(sum_of, ("ox", "oxs", "ladies", "ashes"))}
