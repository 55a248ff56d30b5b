"""A model of one's own text: it learns, writes, is measured, saved, loaded and opened."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from core import own_text
from core.errors import ModelBroken, SettingError
from core.own_text import Copied, Learned, TextRecipe, files, repeated
from core.own_text.learning import TextTraining
from core.own_text.writing import start_of

SMALL = TextRecipe(layers=2, heads=2, width=20, window=16, batch=4, steps=12)
TEXT = own_text.ready()["animals"].text[:1200]


@cache
def learned() -> Learned:
    torch.set_num_threads(1)
    return own_text.learn(TEXT, SMALL)


def test_a_five_gram_by_hand() -> None:
    # "a" and "b" in turn: behind "a" came "b" once, behind nothing both came twice.
    # Order 1: (2 + 2 · ½) / (4 + 2) = ½, so that one bit is left.
    assert own_text.bits_per_letter("abab", "a", order=1) == pytest.approx(1.0)
    # Order 2, "a" behind "b", which came once: (1 + 1 · ½) / (1 + 1).
    assert own_text.bits_per_letter("abab", "a", order=2) == pytest.approx(-math.log2(0.75))
    with pytest.raises(SettingError, match="letters"):
        own_text.bits_per_letter("", "a")
    with pytest.raises(SettingError, match="5,000,000 letters"):
        own_text.bits_per_letter("a" * 5_000_000, "a")


def test_noise_has_a_sign_and_keeps_its_places() -> None:
    assert own_text.readable("a\n\tb\r\ncé–😀·", "") == "a\n\tb\r\ncé–😀·"
    assert own_text.readable("a\x00\ufffd\x7f\x9fb", "") == "a····b"
    assert own_text.readable("zé–😀~\r\t", "né") == "zé··~··"


def test_it_starts_behind_what_its_text_has_often() -> None:
    assert start_of("A.\nB.\nC.\nD.") == "\n"
    assert start_of("One. Two. Three. Four.\nFive") == ". "
    assert start_of("Who? Me? All of us here.") == " "  # "? " stands there twice
    assert start_of("") == start_of("one") == "\n"


def test_the_longest_copies_from_left_to_right() -> None:
    text = "the cat sat on the mat. the dog ran."
    written = "a cat sat on the dog ran."
    assert own_text.copied(written, text, 8) == (Copied(1, 17, 3), Copied(17, 25, 28))
    assert written[1:17] == " cat sat on the "
    assert own_text.copied("nothing of it", text, 8) == ()
    with pytest.raises(ValueError, match="at least one"):
        own_text.copied(written, text, 0)


@pytest.mark.check
def test_it_learns_and_writes_at_each_pause() -> None:
    pauses = learned().pauses
    assert [one.step for one in pauses] == [*range(13)]
    assert pauses[-1].bits < pauses[0].bits - 0.3
    assert all(math.isfinite(one.held) and one.sample for one in pauses)
    last = pauses[-1]
    assert last.attention.shape == (2, 2, len(last.tokens), len(last.tokens))
    np.testing.assert_allclose(last.attention.sum(-1), 1, atol=1e-5)
    assert not np.triu(last.attention, 1).any()


def test_the_same_recipe_gives_the_same_numbers() -> None:
    again = own_text.learn(TEXT, SMALL)
    for name, one in learned().weights.items():
        np.testing.assert_array_equal(one, again.weights[name])
    assert again.pauses[-1].sample == learned().pauses[-1].sample


def test_the_end_of_the_text_is_never_learned_from() -> None:
    training = TextTraining(TEXT, SMALL)
    assert training.learned_text + training.held_text == TEXT
    assert len(training.held_text) == 120
    other = TextTraining(training.learned_text + "x" * 120, SMALL)
    training.learn(3)
    other.learn(3)
    for one, same in zip(training.model.parameters(), other.model.parameters(), strict=True):
        assert torch.equal(one, same)


def test_byte_pairs_are_longer_than_letters() -> None:
    pairs = TextTraining(TEXT, replace(SMALL, kind="pairs", pairs=40))
    letters = TextTraining(TEXT, SMALL)
    text = "The fox said: “é”"
    for one in (pairs, letters):
        assert one.tokenizer.decode(one.tokenizer.encode(text).ids) == text
    assert len(pairs.tokenizer.encode(TEXT).ids) < len(letters.tokenizer.encode(TEXT).ids) * 0.8
    assert pairs.tokenizer.get_vocab_size() == letters.tokenizer.get_vocab_size() + 40


def test_a_file_is_the_model_without_its_text() -> None:
    data = own_text.dump(learned())
    assert TEXT[:30].encode() not in data
    read = own_text.load(data)
    assert (read.recipe, read.steps, read.text) == (SMALL, 12, "")
    for name, one in learned().weights.items():
        np.testing.assert_array_equal(one, read.weights[name])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"format\\": 1', b'"format\\": 2'),
        (b'"width\\": 20', b'"width\\": 40'),
        (b'"layers\\": 2', b'"layers\\": 9'),
        (b'"steps\\": 12, \\"tokens', b'"steps\\": 99, \\"tokens'),
    ],
)
def test_a_changed_file_is_refused(old: bytes, new: bytes) -> None:
    data = own_text.dump(learned())
    assert old.replace(b"\\", b"\\\\").replace(b"\\\\", b"\\") in data
    with pytest.raises(ModelBroken, match="no model of a text"):
        own_text.load(data.replace(old, new, 1))
    for broken in (b"", b"x" * 99, data[:-4]):
        with pytest.raises(ModelBroken):
            own_text.load(broken)


def test_a_long_row_of_one_sign_is_no_token_that_a_file_cannot_have() -> None:
    text = ("=" * 300 + "\n" + "The cat sat. " * 8) * 8
    training = TextTraining(text, replace(SMALL, kind="pairs", pairs=100, heads=1, width=16))
    own_text.load(own_text.dump(training.result()))


def test_the_largest_recipe_fits_into_a_file() -> None:
    largest = TextRecipe(kind="pairs", pairs=2000, layers=4, heads=8, width=256)
    numbers = sum(math.prod(shape) for shape, _ in files._shapes(largest, 256 + 1 + 2000).values())
    assert 4 * numbers + 1_000_000 < files.MOST_BYTES  # and the lists of tokens and merges


def test_tokens_without_an_end_or_twice_are_refused() -> None:
    # A token that stands twice leaves an id without a row in the table.
    for old, new in ((b'<|end|>\\", \\"!', b'<|mid|>\\", \\"!'), (b'\\"!\\", ', b'\\"#\\", ')):
        data = own_text.dump(learned())
        assert old in data
        with pytest.raises(ModelBroken, match="as they were learned"):
            own_text.load(data.replace(old, new, 1))


def test_numbers_of_a_type_that_numpy_does_not_have_are_refused() -> None:
    header = json.dumps(
        {
            "__metadata__": {files._KEY: json.dumps({"format": 1})},
            "a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]},
        }
    ).encode()
    with pytest.raises(ModelBroken, match="cannot be read"):
        own_text.load(len(header).to_bytes(8, "little") + header + b"\0\0")


@pytest.mark.check
def test_it_opens_as_any_model_and_says_the_same() -> None:
    training = TextTraining(TEXT, SMALL)
    training.learn(12)
    model = own_text.opened(training.result())
    prompt = "The fox said"
    ids = training.tokenizer.encode(prompt).ids
    own = training.model(torch.tensor([ids])).logits_BLV[0, -1].detach().numpy()
    (expected,) = model.expects(prompt)
    np.testing.assert_allclose(expected.logits, own, atol=1e-4)
    attention = model.trace(prompt).attention
    assert attention is not None
    assert attention.weights.shape[:2] == (2, 2)
    assert "".join(one.text for one in model.generate(prompt, 3, temperature=0))


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"kind": "words"}, "letters or pairs"), ({"layers": 5}, "layers is 5"), ({"heads": 3}, "share")],
)
def test_a_recipe_that_no_model_has_is_refused(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingError, match=named):
        replace(SMALL, **changes)


def test_too_short_a_text_is_refused() -> None:
    with pytest.raises(SettingError, match="400"):
        TextTraining("short", SMALL)


def test_the_ready_texts_are_long_enough_and_ours() -> None:
    assert len(own_text.ready()) == 10
    for one in own_text.ready().values():
        assert one.title
        assert 2_200 < len(one.text) < 20_000


def test_what_of_an_end_stands_before_it_counts_each_letter_once() -> None:
    read = "The cat sat on the mat and looked at the rain for an hour. Then it slept."
    assert repeated(read[:29], read) == 0  # a phrase
    assert repeated(read[:30], read) == 1
    assert repeated(read[3:40] + "?" * 37, read) == 0.5
    assert repeated(read[:40] + read[10:50], read) == 1  # two stretches
    assert repeated("", read) == repeated(read, "") == 0
