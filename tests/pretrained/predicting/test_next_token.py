"""What comes next and what surprised, in one run; and the same out of what generate returned."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from torch import nn

import core
from core.records.cache_cost import CacheCost
from core.records.next_token import NextToken
from core.records.prediction import probabilities
from core.records.score import Score

Made = Callable[..., Path]
TEXT = "On the river bank"
KINDS = ("llama", "gpt2")


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_expects_and_score(made: Made, kind: str) -> None:
    model = core.load(str(made(kind)))
    more = tuple(one.id for one in model.generate(TEXT, 3, seed=2))
    found = model.next_token(TEXT, more=more)
    (expected,), score = model.expects(TEXT, more=more), model.score(TEXT, more=more)
    np.testing.assert_allclose(found.logits, expected.logits, rtol=1e-5, atol=1e-6)
    assert (found.ids, found.texts) == (expected.ids, expected.texts)
    assert found.expectation.position == expected.position
    np.testing.assert_array_equal(given(found).bits, score.bits)
    assert found.forbidden.size == 0
    frame = found.to_frame()
    assert frame["token"].tolist() == [*expected.texts]
    np.testing.assert_allclose(
        frame["probability"].sum(), found.top(256).probabilities.sum(), rtol=1e-6
    )


def given(found: NextToken) -> Score:
    assert found.score is not None
    return found.score


@pytest.mark.parametrize("kind", KINDS)
def test_what_generate_returned_gives_the_same_without_a_run(
    made: Made, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = core.load(str(made(kind)))
    start = tuple(one.id for one in model.generate(TEXT, 2, seed=1))
    before = model.next_token(TEXT, more=start)
    *written, then = model.generate(TEXT, 6, more=start, seed=9)
    want = model.next_token(TEXT, more=(*start, *(one.id for one in written)))
    monkeypatch.setattr(model._runner, "last", None)  # whatever ran the model would fail
    monkeypatch.setattr(model._runner, "following", None)
    found = model.next_token_after(before, TEXT, written, then.expectation, more=start)
    np.testing.assert_allclose(given(found).bits, given(want).bits, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(given(found).entropy, given(want).entropy, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(given(found).probabilities, given(want).probabilities, atol=1e-5)
    assert given(found).ranks.tolist() == given(want).ranks.tolist()
    for name in ("tokens", "ids", "offsets", "text", "likeliest"):
        assert getattr(given(found), name) == getattr(given(want), name), name
    np.testing.assert_allclose(found.logits, want.logits, rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="not the numbers"):
        model.next_token_after(before, TEXT, written[1:], then.expectation, more=start)


def test_what_the_settings_forbid_is_neither_expected_nor_drawn(made: Made, tmp_path: Path) -> None:
    free = core.load(str(made("gpt2"))).next_token(TEXT)
    shutil.copytree(made("gpt2"), tmp_path / "settled")
    file = tmp_path / "settled" / "generation_config.json"
    said = {"suppress_tokens": [free.ids[0]], "begin_suppress_tokens": [free.ids[1]]}
    file.write_text(json.dumps(json.loads(file.read_text()) | said))
    model = core.load(str(tmp_path / "settled"))
    found = model.next_token(TEXT)
    assert sorted(found.forbidden.tolist()) == sorted(free.ids[:2])
    assert found.ids[0] == free.ids[2]
    assert found.texts[0] == free.texts[2]
    (drawn,) = model.generate(TEXT, 1, temperature=0)
    assert drawn.id == found.ids[0]
    assert drawn.probability == pytest.approx(found.top().probabilities[0], rel=1e-5)
    p = probabilities(np.delete(free.logits, free.ids[:2]), 1.0)
    np.testing.assert_allclose(found.top(3).probabilities, np.sort(p)[::-1][:3], rtol=1e-5)
    # begin_suppress_tokens is about the first place alone
    assert model.next_token(TEXT, more=(drawn.id,)).forbidden.tolist() == [free.ids[0]]


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_cache_the_tokens_are_the_same(made: Made, kind: str) -> None:
    model = core.load(str(made(kind)))
    kept, anew = ([one.id for one in model.generate(TEXT, 8, seed=4, cache=c)] for c in (True, False))
    assert kept == anew


@pytest.mark.parametrize("kind", KINDS)
def test_the_counts_are_those_of_the_models_own_matrices(made: Made, kind: str) -> None:
    model = core.load(str(made(kind)))
    cost = model.cache_cost()
    decoder = model.scratch_decoder
    assert decoder is not None
    matrices = [one for one in decoder.stack.modules() if isinstance(one, nn.Linear)]
    assert cost.matrices == sum(one.weight.numel() for one in matrices)
    trace = model.trace(TEXT)
    assert trace.key is not None
    n_layers, n_heads, _, d_head = trace.key.shape  # a key for each head: shared ones are repeated
    assert cost.kept == 2 * n_layers * d_head * cost.n_kv_heads
    assert n_heads % cost.n_kv_heads == 0


def test_smollm2_by_hand() -> None:
    cost = CacheCost(30, 9, 3, 64, 576, 1536, True, 49_152)
    assert cost.kept == 30 * 3 * 2 * 64 == 11_520
    assert cost.matrices == 30 * (2 * 576 * 576 + 2 * 576 * 192 + 3 * 576 * 1536) == 106_168_320
    assert cost.head == 28_311_552
    assert cost.attention(10) == 30 * 10 * 2 * 576
    assert cost.with_cache(10) == 106_168_320 + 345_600 + 28_311_552
    assert cost.without_cache(2) == 2 * 106_168_320 + 30 * 2 * 576 * (1 + 2) + 28_311_552
    windowed = CacheCost(2, 1, 1, 3, 5, 7, False, 11, windows=(0, 4))
    assert windowed.attention(10) == 2 * 3 * (10 + 4)
    frame = cost.to_frame(range(1, 3))
    assert frame["bytes_kept"].tolist() == [46_080, 92_160]


def test_a_longer_text_than_its_trace_may_have_is_read_whole(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_TRACE_MB", "1")
    model = core.load(str(made("llama")))
    model._trace_bytes = 20_000
    short = model.fitted()
    assert short.max_tokens < model.max_tokens
    assert short.fitted().untraced is short.untraced
    assert short.untraced.max_tokens == model.max_tokens


def test_a_model_that_does_not_go_on_says_so(minilm: core.Model) -> None:
    with pytest.raises(core.NotSupported):
        minilm.next_token(TEXT)
    with pytest.raises(core.NotSupported, match="no decoder"):
        minilm.cache_cost()
