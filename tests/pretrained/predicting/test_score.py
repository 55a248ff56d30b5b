"""Bits a token: as `transformers` gives them, summed by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.pretrained import scoring
from core.records.score import Score, surprise
from tests.pretrained.word_models import DECODERS, PAIRED, logits, plain, untied
from tests.tiers import some

Made = Callable[..., Path]
TEXT = "On the river bank, the bank's riverbank"


@pytest.mark.check
@pytest.mark.parametrize("kind", some(DECODERS, 3))
def test_it_is_the_cross_entropy_of_transformers(
    made: Made, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made(kind, change=untied)
    oracle, model = plain(folder), core.load(folder, name="own")
    found = model.score(TEXT, top=5)
    ids = torch.tensor([found.ids])
    assert found.tokens == model.trace(TEXT).tokens
    log_p = logits(oracle.model, input_ids=ids).double().log_softmax(-1)
    want = -log_p[:-1].gather(1, ids[0, 1:, None])[:, 0] / math.log(2)
    assert math.isnan(found.bits[0])
    np.testing.assert_allclose(found.bits[1:], want, rtol=1e-5, atol=1e-5)
    entropy = -(log_p.exp() * log_p).sum(-1)[:-1] / math.log(2)
    np.testing.assert_allclose(found.entropy[1:], entropy, rtol=1e-5, atol=1e-5)
    assert found.ranks.tolist() == [
        -1,
        *((log_p[i] > log_p[i, ids[0, i + 1]]).sum().item() for i in range(len(ids[0]) - 1)),
    ]
    top = log_p[:-1].exp().topk(5).values
    np.testing.assert_allclose(found.probabilities[1:], top, rtol=1e-5, atol=1e-6)
    assert found.likeliest[0] == ()
    one = model.predict(TEXT[: found.offsets[-1][0]], top_k=1)[0]
    if model.trace(TEXT[: found.offsets[-1][0]]).tokens == found.tokens[:-1]:
        assert found.likeliest[-1][0] == one.texts[0]
    assert found.total == pytest.approx(float(want.sum()), rel=1e-5)
    assert found.per_token == pytest.approx(found.total / (len(ids[0]) - 1))
    assert found.perplexity == pytest.approx(2**found.per_token)
    # however many rows the head computes at once
    monkeypatch.setattr(scoring, "_NUMBERS", 1)
    again = model.score(TEXT, top=5)
    np.testing.assert_allclose(again.bits, found.bits, rtol=1e-5)
    assert again.likeliest == found.likeliest


@pytest.mark.check
def test_what_cannot_be_scored_is_said(made: Made, minilm: core.Model) -> None:
    with pytest.raises(core.NotSupported):
        minilm.score(TEXT)
    with pytest.raises(core.NotSupported, match="encoder–decoder"):
        core.load(made(PAIRED[0])).score(TEXT)
    model = core.load(made("gpt2"), name="own")
    with pytest.raises(core.SettingError):
        model.score(TEXT, top=0)
    single = model.score("a")
    assert (single.scored, single.total) == (0, 0.0)
    assert math.isnan(single.per_token)
    long = model.score("the bank " * 600)
    assert long.left_out is not None
    assert len(long.tokens) == model.max_tokens
    for strange in ("🎣", "בנק", "<b>bank</b>", "\ud800", "ﬁ"):
        assert model.score(strange).tokens == model.trace(strange).tokens


def test_surprise_by_hand() -> None:
    """Three tokens of 1/2, 1/4 and 1/4."""
    logits_2V = np.log(np.array([[2.0, 1.0, 1.0], [1.0, 2.0, 1.0]])).astype(np.float32)
    bits, entropy, ranks = surprise(logits_2V, np.array([0, 2]))
    assert bits == pytest.approx([1, 2], abs=1e-6)
    assert entropy == pytest.approx([1.5, 1.5], abs=1e-6)
    assert ranks.tolist() == [0, 1]
    sure = surprise(np.array([[1000.0, 0.0]], np.float32), np.array([1]))
    assert sure[0] == pytest.approx([1000 / math.log(2)])  # no infinity where p is below any float
    assert sure[1] == pytest.approx([0])


def small(**changes: Any) -> Score:
    given: dict[str, Any] = {
        "tokens": ("a", "b"),
        "ids": (0, 1),
        "offsets": ((0, 1), (1, 2)),
        "bits": np.array([np.nan, 3.0]),
        "entropy": np.array([np.nan, 2.0]),
        "ranks": np.array([-1, 4]),
        "likeliest": ((), ("c",)),
        "probabilities": np.array([[np.nan], [0.5]]),
        "model": "m",
        "text": "ab",
    }
    return Score(**given | changes)


def test_the_record_is_tidy_and_checks_itself() -> None:
    frame = small().to_frame()
    assert list(frame.columns) == [
        "token", "start", "end", "bits", "entropy", "rank", "likeliest", "probability",
    ]  # fmt: skip
    assert frame["rank"].isna().tolist() == [True, False]
    assert [frame["token"][1], frame["start"][1]] == ["b", 1]
    assert small().total == 3
    assert small().perplexity == 8
    for wrong in ({"ids": (0,)}, {"bits": np.array([np.nan, -1.0])}, {"bits": np.array([1.0, np.nan])}):
        with pytest.raises(ValueError, match=r"one number|finite"):
            small(**wrong)


def test_of_equal_words_the_lower_id_is_the_likelier() -> None:
    logits = np.array([[0, 2, 1, 1, 1, 1, 1], [3, 3, 3, 3, 3, 3, 3]], np.float32)
    ids, shares = scoring._likeliest(logits, 3)
    assert ids.tolist() == [[1, 2, 3], [0, 1, 2]]
    np.testing.assert_allclose(shares[1], 1 / 7)
