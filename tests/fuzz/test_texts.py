"""Long random runs, five seeds each: `make fuzz`."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.measures import agreement
from core.records import words
from ui import compressed_state, formats, text

pytestmark = pytest.mark.fuzz

SEEDS = range(5)
TEXTS = 400
# Ranges of code points that break programs: controls, marks, right-to-left, scripts without spaces,
# format characters, lone surrogates, emoji; and plain English more often than all of these.
RANGES = [
    (0x20, 0x7E), (0x61, 0x7A), (0x61, 0x7A), (0x00, 0x1F), (0x300, 0x36F), (0x590, 0x6FF),
    (0x900, 0x97F), (0xE00, 0xE7F), (0x2000, 0x206F), (0x4E00, 0x4EFF), (0x3040, 0x30FF),
    (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0x1F300, 0x1FAFF), (0xE0000, 0xE007F),
]  # fmt: skip
PIECES = [
    "bank",
    "river",
    "don't",
    "[SEP]",
    "[MASK]",
    "##ing",
    "<b>",
    "the bank's",
    "\r\n",
    "%s{0}",
    " ",
]


def random_text(rng: random.Random, most: int = 60) -> str:
    signs = []
    for _ in range(rng.randrange(most)):
        if rng.random() < 0.3:
            signs.append(rng.choice(PIECES))
        else:
            signs.append(chr(rng.randint(*rng.choice(RANGES))))
    return "".join(signs)


@pytest.mark.parametrize("seed", SEEDS)
def test_any_text_gives_one_trace_in_both_engines(
    seed: int, minilm: core.Model, minilm_hf: core.Model
) -> None:
    rng = random.Random(seed)
    texts = [random_text(rng) for _ in range(TEXTS)]
    together = minilm.trace_many(texts, keep="all")
    for typed, batched in zip(texts, together, strict=True):
        trace, other = minilm.trace(typed), minilm_hf.trace(typed)
        assert agreement(trace, other).worst <= 1e-5
        assert agreement(trace, batched).worst <= 1e-5
        n = len(words.split(trace.texts[0]))
        assert all(w is None or 0 <= w < n for w in trace.word_ids)
        assert len(trace.texts[0]) == len(typed)
        for word in trace.words():
            assert trace.find(word).size, (typed, word)
        for found in trace.occurrences():
            np.testing.assert_array_equal(found.tokens, trace.find(found.word, found.number))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_pair_is_read_alike(seed: int, minilm: core.Model, minilm_hf: core.Model) -> None:
    rng = random.Random(1000 + seed)
    for _ in range(TEXTS // 10):
        pair = random_text(rng, 700), random_text(rng, 700)
        trace = minilm.trace(*pair)
        assert len(trace.tokens) <= 512
        assert agreement(trace, minilm_hf.trace(*pair)).worst <= 1e-5


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["bert", "distilbert"])
def test_random_weights_agree(seed: int, kind: str, make_folder: Callable[..., Path]) -> None:
    folder = make_folder(kind, seed=seed)
    ours, theirs = core.load(folder), core.load(folder, engine="huggingface")
    rng = random.Random(2000 + seed)
    for _ in range(20):
        typed = random_text(rng, 200)
        assert agreement(ours.trace(typed), theirs.trace(typed)).worst <= 1e-5


@pytest.mark.parametrize("seed", SEEDS)
def test_any_text_stays_text_in_words_and_links(seed: int) -> None:
    rng = random.Random(3000 + seed)
    for _ in range(10 * TEXTS):
        typed = random_text(rng)
        for word in words.split(typed):
            assert typed[word.start : word.end] == word.text
            assert not all(unicodedata.category(c).startswith("Z") for c in word.text)
        group = text.group_of(typed)
        assert all(word == word.strip() and word for word in group.words)
        assert "\n" not in text.plain(typed)
        whole = typed.encode("utf-8", "replace").decode()
        assert compressed_state.unpack(compressed_state.pack({"a": typed})) == {"a": whole}
        assert isinstance(compressed_state.unpack(typed), dict)
        for parse in (formats.Whole(1, 9), formats.Switch()):
            try:
                parse(typed)
            except (ValueError, KeyError):
                continue


def test_any_vector_is_finite(minilm: core.Model) -> None:
    rng = random.Random(4000)
    texts = [f"{random_text(rng)} bank {random_text(rng)}" for _ in range(5 * TEXTS)]
    found = 0
    for learned, hidden in minilm.vectors(texts, "bank"):
        assert np.isfinite(learned).all()
        assert np.isfinite(hidden).all()
        found += 1
    assert found > TEXTS
