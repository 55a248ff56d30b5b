"""Repeated words: seeded, one token each, the same twice."""

from __future__ import annotations

import pytest

from core.errors import NotSupported, SettingError
from core.language.repetition import FEWEST, FIRST, MOST, WORDS, repeated, repeated_tokens


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


PIECES = ["<s>", "\ufffd", "\n", "ab", *"abcdefghij", *(f" {one}" for one in "abcdefghij")]


def merging(text: str) -> list[int]:
    """Longest piece first: "a" and "b" are one token where they meet."""
    ids, at = [0], 0
    while at < len(text):
        piece = max((one for one in PIECES[3:] if text.startswith(one, at)), key=len)
        ids.append(PIECES.index(piece))
        at += len(piece)
    return ids


def spelled(ids: object) -> list[str | None]:
    return [None if i == 0 else PIECES[i] for i in ids]  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(20))
def test_tokens_that_are_read_back_where_they_stand(seed: int) -> None:
    text = repeated_tokens(merging, spelled, len(PIECES), 7, seed)
    _, first, *ids = merging(text)
    assert ids[:7] == ids[7:]
    assert len({first, *ids}) == 8
    assert "\ufffd" not in text
    assert "\n" not in text


def test_every_token_comes_up() -> None:
    texts = [repeated_tokens(merging, spelled, len(PIECES), 7, seed) for seed in range(40)]
    assert {i for text in texts for i in merging(text)} == {0, *range(3, len(PIECES))}


def test_a_vocabulary_that_is_too_small() -> None:
    with pytest.raises(NotSupported, match="Too few"):
        repeated_tokens(merging, spelled, 5, 5, 1)
    with pytest.raises(NotSupported, match="Too few"):
        repeated_tokens(merging, lambda ids: [None] * len(list(ids)), 5, 5, 1)
    with pytest.raises(SettingError):
        repeated_tokens(merging, spelled, len(PIECES), 10_000, 1)
