"""The induction experiment: its draws, its runs, and what it refuses; on small random models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core
from core.errors import NotSupported, SettingError
from core.measures import Copying, copies, copying_heads, copying_runs, random_text
from core.measures.attention.copying import BEST, control_heads
from core.records.score import Score
from tests import left_to_right

Made = Callable[..., Path]
SCORES = copying_heads(np.random.default_rng(0).random((4, 6, 21, 21)), 10)


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_any_causal_model_repeats_tokens_of_its_own_vocabulary(made: Made, kind: str) -> None:
    model = core.load(made(kind))
    text = random_text(model, 5, 3, vocabulary=True)
    ids = model.read(text).ids
    assert ids[-10:-5] == ids[-5:]
    assert len({*ids[-5:]}) == 5
    assert len(ids) >= 11
    assert (
        text == random_text(model, 5, 3, vocabulary=True) != random_text(model, 5, 4, vocabulary=True)
    )


def test_the_runs_are_those_of_the_model_without_these_heads(made: Made) -> None:
    model = core.load(made("llama"))
    found = copies(model, length=5, seed=2, vocabulary=True, ablate=1, draws=2)
    text = found.score.text
    np.testing.assert_array_equal(found.score.bits, model.score(text).bits)
    assert found.heads is not None
    assert found.ablated == tuple(found.heads.ranked()[:1])
    assert found.without is not None
    expected = model.score_changed(text, *(core.Ablate(*one) for one in found.ablated)).bits
    np.testing.assert_array_equal(found.without.bits, expected)
    first, second = found.halves()
    assert first == pytest.approx(found.score.bits[-10:-5].mean(), rel=1e-5)
    assert second == pytest.approx(found.score.bits[-5:].mean(), rel=1e-5)
    for heads, run in zip(found.controls, found.random, strict=True):
        expected = model.score_changed(text, *(core.Ablate(*one) for one in heads)).bits
        np.testing.assert_array_equal(run.bits, expected)
    frame = found.to_frame()
    assert len(frame) == 10
    assert frame["half"].tolist() == [1] * 5 + [2] * 5
    assert frame["without induction"].to_numpy() == pytest.approx(found.without.bits[-10:])


def test_random_heads_are_seeded_and_never_among_the_best() -> None:
    drawn = control_heads(SCORES, 3, 5, 7)
    assert drawn == control_heads(SCORES, 3, 5, 7) != control_heads(SCORES, 3, 5, 8)
    assert len(drawn) == 5
    assert len({*drawn}) > 1
    best = {*SCORES.ranked()[:BEST]}
    assert all(len({*one}) == 3 and not best & {*one} for one in drawn)
    few = copying_heads(np.random.default_rng(0).random((1, BEST, 21, 21)), 10)
    assert control_heads(few, 3, 5, 7) == []  # no head is left


def flat(bits: float) -> Score:
    return Score(
        tuple("abab") * 6, (1, 2, 1, 2) * 6, ((0, 0),) * 24, np.full(24, bits), np.zeros(24),
        np.zeros(24, int), ((),) * 24, np.zeros((24, 0)), "made", "",
    )  # fmt: skip


def test_the_control_is_the_mean_and_the_range_of_the_draws() -> None:
    bits = iter([1.0, 9.0, 2.0, 3.0, 7.0])  # all heads, without the best, three draws
    shares: list[float] = []
    found = copying_runs(
        lambda heads: flat(next(bits)), 10, SCORES, ablate=2, draws=3, seed=0, on_run=shares.append
    )
    assert found.control() == pytest.approx((4.0, 2.0, 7.0))
    assert found.halves(found.without) == (9, 9)
    assert shares == [0.25, 0.5, 0.75, 1.0]
    none = copying_runs(lambda heads: flat(1.0), 10, SCORES, ablate=0, draws=3, seed=0)
    assert none.without is None
    assert none.control() is None
    with pytest.raises(ValueError, match="one run"):
        replace(found, random=())
    with pytest.raises(ValueError, match="one text"):
        Copying(12, flat(1.0), None)


@pytest.mark.parametrize("wrong", [{"length": 1}, {"length": 10_000}, {"ablate": -1}, {"draws": 101}])
def test_what_is_out_of_range(tmp_path: Path, wrong: dict[str, int]) -> None:
    with pytest.raises(SettingError):
        copies(left_to_right.decoder(tmp_path), **{"vocabulary": True, **wrong})  # type: ignore[arg-type]


def test_a_model_that_reads_less_than_both_halves(made: Made) -> None:
    model = core.load(made("gpt2"))
    most = model.max_tokens
    if most > 201:
        pytest.skip("it reads all that is asked")
    with pytest.raises(NotSupported, match=r"longer than|Too few"):
        random_text(model, most // 2 + 1, 1, vocabulary=True)
