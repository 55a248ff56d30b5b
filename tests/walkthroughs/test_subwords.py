"""Byte pairs by hand and against `tokenizers`; the longest match by hand and against MiniLM's own."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import core
from core.walkthroughs.subwords import (
    Match,
    Pair,
    byte_pairs,
    encoded,
    longest_match,
    merge,
    seen,
    words_of,
)

SENNRICH = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3


def test_the_words_of_a_text() -> None:
    assert words_of("The café's snake_case, twice!") == (
        *("the", "cafe", "'", "s", "snake", "_", "case", ",", "twice", "!"),
    )
    assert words_of(" \n") == ()


def test_joiners_stay_in_their_word_and_are_no_words() -> None:
    family = "\U0001f469\u200d\U0001f467"
    assert words_of(f"a{family}b {family}") == (f"a{family}b", family)
    assert words_of("a \u200d b\x00\u202ec") == ("a", "bc")
    assert seen(f"a{family}") == "a\U0001f469\U0001f467"
    assert byte_pairs([family], 9).states[0] == (("\U0001f469", "\u200d", "\U0001f467"),)


def test_merges_by_hand() -> None:
    # "es" occurs in newest (6) and widest (3), "st" equally often: e comes before s.
    learned = byte_pairs(words_of(SENNRICH), 4)
    assert learned.merges == (
        Pair("e", "s", 9),
        Pair("es", "t", 9),
        Pair("l", "o", 7),
        Pair("lo", "w", 7),
    )
    assert learned.letters == tuple("deilnorstw")
    first, last = learned.states[0], learned.states[-1]
    assert (first[0], last[0]) == (("l", "o", "w"), ("low",))
    assert (first[7], last[7]) == (tuple("newest"), ("n", "e", "w", "est"))
    assert learned.lengths[0] == 5 * 3 + 2 * 5 + 6 * 6 + 3 * 6
    assert learned.lengths[1] == learned.lengths[0] - 9
    assert learned.lengths[4] == learned.lengths[0] - 9 - 9 - 7 - 7
    assert [one[0] for one in learned.candidates[:4]] == [*learned.merges]


def test_a_word_that_was_not_in_the_text() -> None:
    learned = byte_pairs(words_of(SENNRICH), 4)
    assert encoded("lowest", learned.merges) == ("low", "est")
    assert encoded("slow", learned.merges) == ("s", "low")
    assert encoded("xyz", learned.merges) == ("x", "y", "z")


def test_a_pair_is_merged_from_left_to_right() -> None:
    assert merge(tuple("aaa"), Pair("a", "a", 2)) == ("aa", "a")
    assert merge(tuple("aaaa"), Pair("a", "a", 3)) == ("aa", "aa")
    assert merge((), Pair("a", "a", 3)) == ()


def test_it_ends_where_no_pair_is_left() -> None:
    learned = byte_pairs(("ab", "a"), 9)
    assert learned.merges == (Pair("a", "b", 1),)
    assert learned.states[-1] == (("ab",), ("a",))
    assert learned.candidates[-1] == ()
    assert byte_pairs((), 3).merges == ()


def of_tokenizers(words: tuple[str, ...], most: int) -> tuple[list[tuple[str, str]], Tokenizer]:
    """The merges that the library `tokenizers` learns from the same words, and its tokenizer."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    letters = len({letter for word in words for letter in word})
    trainer = trainers.BpeTrainer(
        vocab_size=letters + most, min_frequency=0, show_progress=False, special_tokens=[]
    )
    tokenizer.train_from_iterator([" ".join(words)], trainer)
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [(left, right) for left, right in merges], tokenizer


@given(st.lists(st.text("abcde", min_size=1, max_size=9), min_size=1, max_size=12), st.integers(0, 20))
def test_the_same_merges_as_tokenizers(words: list[str], most: int) -> None:
    learned = byte_pairs(words, most)
    theirs, tokenizer = of_tokenizers(tuple(words), most)
    assert [pair[:2] for pair in learned.merges] == theirs
    for word, tokens in zip(words, learned.states[-1], strict=True):
        assert tuple(tokenizer.encode(word).tokens) == tokens == encoded(word, learned.merges)


@pytest.mark.parametrize("text", [SENNRICH, "The thinner the thread, the thicker the cloth."])
def test_the_same_merges_as_tokenizers_on_sentences(text: str) -> None:
    words = words_of(text)
    assert [pair[:2] for pair in byte_pairs(words, 30).merges] == of_tokenizers(words, 30)[0]


VOCABULARY = {"un", "##able", "##a", "##ff", "##aff", "una", "u", "##n", "a"}


def test_the_longest_match_by_hand() -> None:
    assert longest_match("unaffable", VOCABULARY) == (
        Match("una", ("unaffable", "unaffabl", "unaffab", "unaffa", "unaff", "unaf")),
        Match("##ff", ("##ffable", "##ffabl", "##ffab", "##ffa")),
        Match("##able", ()),
    )


def test_a_word_with_an_unknown_rest_is_unknown_as_a_whole() -> None:
    assert longest_match("unx", VOCABULARY) == (Match("[UNK]", ("##x",)),)
    assert longest_match("", VOCABULARY) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The thinner the thread, the thicker the cloth.",
        "LLM Karyashala: Your Gateway to dive into LLM's.",
        "How quickly daft jumping zebras vex! Unbelievable antidisestablishmentarianism.",
        "Ein Café in Zürich 😀 costs 3.50_EUR",
        "5€ or 5 $, thread😀, (x ≤ y) «no» 日本語 ca\u200dt a\x01b \u200d 👩\u200d👧 naïve\u00ad",
    ],
)
def test_the_longest_match_is_minilms_own(minilm: core.Model, text: str) -> None:
    words, vocabulary = words_of(text), minilm.word_pieces()
    pieces = [one.piece for word in words for one in longest_match(seen(word), vocabulary)]
    assert pieces == [*minilm.trace(text).tokens[1:-1]]


@pytest.mark.check
@given(word=st.text("abcdefghijklmnopqrstuvwxyzéß0123456789", min_size=1, max_size=20))
def test_the_longest_match_of_any_word_is_minilms_own(minilm: core.Model, word: str) -> None:
    (plain,) = words_of(word)
    own = [one.piece for one in longest_match(plain, minilm.word_pieces())]
    assert own == [*minilm.read(word).tokens[1:-1]]


def test_special_tokens_are_no_pieces(minilm: core.Model) -> None:
    assert "##s" in minilm.word_pieces()
    assert "[CLS]" not in minilm.word_pieces()
