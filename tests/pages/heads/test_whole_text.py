"""The heads on a text that is too long for a trace: what is drawn, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Some
from typing import Any

import numpy as np
import pytest

from core.records.long_attention import LongAttention
from pages.heads import whole_text

N, BLOCK = 50, 7


@pytest.fixture
def found() -> LongAttention:
    draw = np.random.default_rng(2)
    query, key = draw.normal(size=(2, 2, 4, N, 3)).astype(np.float32)
    scores = query @ key[:, ::2].repeat(2, 1).swapaxes(2, 3)
    scores[..., np.triu(np.ones((N, N), bool), 1)] = -np.inf
    log_sums = np.log(np.exp(scores).sum(-1))
    weights = np.exp(scores - log_sums[..., None])
    cells = -(-N // BLOCK)
    largest = np.zeros((2, 4, cells, cells), np.float32)
    for i in range(cells):
        for j in range(cells):
            block = weights[..., BLOCK * i : BLOCK * (i + 1), BLOCK * j : BLOCK * (j + 1)]
            largest[:, :, i, j] = block.max((2, 3))
    tokens = tuple(f"t{i}" for i in range(N))
    key = np.ascontiguousarray(key[:, ::2])
    sizes = (1.0, 1.0), (0, 0), 0.0
    return LongAttention(tokens, query, key, log_sums, *sizes, largest, BLOCK, "minilm")


def test_a_tile_is_that_of_the_softmax(found: LongAttention) -> None:
    whole = found.attention(1, 3).weights[0, 0]
    np.testing.assert_allclose(whole.sum(-1), 1, atol=1e-5)
    np.testing.assert_array_equal(found.tile(1, 3, slice(9, 20), slice(30)), whole[9:20, :30])
    assert whole[7:14, :7].max() == pytest.approx(found.largest[1, 3, 1, 0], abs=1e-6)


def test_the_picture_says_how_large_its_blocks_are(found: LongAttention) -> None:
    picture = whole_text.picture(found)
    assert picture.header["block"] == (BLOCK, BLOCK)
    assert picture.header["maps"] == found.largest.shape[2:]
    assert "7 × 7" in picture.header["sentence"]
    assert picture.header["heads"] == 4


def test_it_is_said_what_is_pooled_and_what_is_cut(found: LongAttention) -> None:
    said = whole_text.said(found, 13)
    assert "first 13 tokens" in said
    assert "7 × 7 weights, the largest" in said
    assert "goes on" not in said
    assert "goes on" in whole_text.said(replace(found, left_out=(3, 9)), 13)


@pytest.mark.parametrize(("positions", "asked"), [("rotary", 1), ("linear bias", 0)])
def test_a_bias_for_positions_has_no_section(
    positions: str, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = Some(model="m", text="t", second=None, causal=False, masked=(), more=())
    model = Some(scratch_decoder=Some(config=Some(positions=positions)))
    seen: Any = Some(left_out=(1, 2), tokens=("t",))
    said = list[str]()
    monkeypatch.setattr("ui.models.model_cache.model", lambda _: model)
    monkeypatch.setattr("ui.models.model_cache.ends_early", lambda _: True)
    monkeypatch.setattr("ui.models.answers.answer", lambda _: seen)
    monkeypatch.setattr(whole_text, "first_of", lambda one: one)
    monkeypatch.setattr(whole_text, "attempt", lambda *_: said.append("asked"))
    monkeypatch.setattr("streamlit.subheader", lambda *_, **__: None)
    panel: Any = Some(text_query=query)
    whole_text.show([panel])
    assert len(said) == asked
