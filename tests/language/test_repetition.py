"""Repeated words: seeded, one token each, the same twice."""

from __future__ import annotations

import pytest

from core.errors import NotSupported, SettingError
from core.language.repetition import FEWEST, FIRST, MOST, WORDS, repeated


def read(text: str) -> list[int]:
    """A begin token, then one token a word; words with "oo" are two."""
    known = {word: i for i, word in enumerate((FIRST, *WORDS), 1)}
    return [0, *(part for word in text.split() for part in [known[word]] * (2 if "oo" in word else 1))]


@pytest.mark.parametrize("length", [FEWEST, 25, MOST])
def test_the_same_words_twice(length: int) -> None:
    first, *words = repeated(read, length, 3).split()
    assert first == FIRST
    assert words[:length] == words[length:]
    assert len({*words}) == length
    assert not any("oo" in word for word in words)
    assert repeated(read, length, 3).split()[1:] == words != repeated(read, length, 4).split()[1:]


@pytest.mark.parametrize("length", [FEWEST - 1, MOST + 1])
def test_a_length_out_of_range(length: int) -> None:
    with pytest.raises(SettingError):
        repeated(read, length, 1)


def test_a_vocabulary_without_our_words() -> None:
    with pytest.raises(NotSupported, match="only 0 of our words"):
        repeated(lambda text: list(text.encode()), 5, 1)


def test_a_tokenizer_that_reads_a_word_by_its_place() -> None:
    with pytest.raises(NotSupported, match="same token"):
        repeated(lambda text: range(len(text.split())), 5, 1)
