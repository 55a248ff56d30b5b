"""Texts that would take minutes are refused at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import core
from core.pretrained.tokenizer.backends.limits import MOST_LETTERS
from core.pretrained.tokenizer.reader import TextReader
from tests.pretrained.tokenizer.against_transformers import (
    MANY,
    changed,
    refused,
)


def with_words_of(letters: int) -> Any:
    """BERT's tokenizer with another limit for words: a longer word is unknown."""
    return changed(lambda held: held["model"].update(max_input_chars_per_word=letters))


@pytest.mark.parametrize("most", [100, 10**9])
def test_a_long_word_is_answered_at_once(most: int) -> None:
    read_by = TextReader(with_words_of(most), 4096, MANY, "x")
    if most == 100:  # as BERT has it: longer than that is unknown
        assert read_by.read("a" * 20_000).tokens == ("[CLS]", "[UNK]", "[SEP]")
        return
    refused(lambda: read_by.read("a" * 20_000), core.TooLarge)
    refused(lambda: read_by.read("on a", "bank " + "É" * 20_000), core.TooLarge)
    # Up to our own limit, a word is split, and unknown letters make it unknown.
    assert len(read_by.read("a" * MOST_LETTERS)) == MOST_LETTERS + 2
    assert read_by.read("🎣" * 999).tokens == ("[CLS]", "[UNK]", "[SEP]")


def test_the_bound_of_a_long_word_is_that_of_the_model_where_it_is_lower() -> None:
    for most in (100, 300, MOST_LETTERS):
        tokenizer = with_words_of(most)
        read_by = TextReader(tokenizer, 4096, MANY, "x")
        for n in (most - 1, most, most + 1):
            assert list(read_by.read("b" * n).ids) == tokenizer("b" * n)["input_ids"]


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ["GPT-2", "XLM-R", "OpenAI GPT", "Qwen", "ByT5", "Marian", "ESM"])
def test_a_hundred_thousand_letters_are_read(kind: str, reader: Callable[..., TextReader]) -> None:
    start = time.perf_counter()
    assert len(reader(kind).read("ban" * 33_333)) <= 4096
    assert time.perf_counter() - start < 5


def test_pairs_in_python_are_bounded(reader: Callable[..., TextReader]) -> None:
    refused(lambda: reader("CTRL").read("ab" * 10_000), core.TooLarge)


def test_rules_that_blow_up_a_text_are_bounded() -> None:
    def grown(times: int) -> dict[str, Any]:
        return {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * times}

    read_by = TextReader(changed(lambda held: held.update(normalizer=grown(20))), 64, MANY, "x")
    assert len(read_by.read("a" * 4)) == 64
    refused(lambda: read_by.read("a" * 600_000), core.TooLarge)
    rules = {"type": "Sequence", "normalizers": [grown(2), grown(3)]}
    read_by = TextReader(changed(lambda held: held.update(normalizer=rules)), 64, MANY, "x")
    assert len(read_by.read("a" * 600_000)) == 3  # one word that is unknown: no rule of ours
