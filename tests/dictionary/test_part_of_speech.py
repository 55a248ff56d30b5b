"""Which parts of speech a word may have where it stands."""

from __future__ import annotations

import pytest

from core.dictionary import ANY, possible_parts
from core.records.words import split


def parts(text: str, word: str) -> str:
    words = [one.text for one in split(text)]
    return "".join(sorted(possible_parts(words, words.index(word))))


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("I cannot bear the noise.", "bear", "v"),
        ("I want to book a table.", "book", "v"),
        ("They light the fire.", "light", "v"),
        ("She runs every morning.", "runs", "v"),
        ("He ran to the bus stop.", "ran", "v"),
        ("Water the plant every day.", "Water", "v"),
        ("We saw a bear.", "bear", "n"),
        ("The bear in the woods", "bear", "n"),
        ("two runs", "runs", "n"),
        ("A bear came out.", "bear", "an"),  # or "a light bag", to rules that know no other word
        ("My current job is boring.", "current", "an"),
        ("a coat of paint", "paint", "an"),
        ("The bag is light.", "light", "an"),
        ("This bag is very light.", "light", "a"),
        ("She wore a warm coat.", "coat", "an"),
        ("The river runs here.", "runs", "nv"),
        ("The river ran dry.", "ran", "anv"),  # a form between words that settle nothing
        ("It’s the king’s crown.", "crown", "anv"),
        ("bank", "bank", "anv"),
        ("Ring, ring!", "ring", "anv"),
    ],
)
def test_the_words_beside_it_exclude_parts_of_speech(text: str, word: str, expected: str) -> None:
    assert parts(text, word) == expected


def test_any_word_of_anything_typed_has_a_part_of_speech() -> None:
    for text in ("", "🎣 🎣", "the the the", "to to to", "' . ’", "ВЫ не банк", "a" * 10_000):
        words = [one.text for one in split(text)]
        for at in range(len(words)):
            assert 0 < len(possible_parts(words, at)) <= len(ANY)
