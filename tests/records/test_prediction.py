"""Predictions as records: exact softmax at any temperature, and invalid values are refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import core
from core.records.prediction import likeliest
from core.settings import MOST_PREDICTIONS

# softmax gives 1/2, 1/4, 1/8, 1/8; the order of their ids is not that of their sizes.
LOGITS = np.log2(np.array([2.0, 8.0, 2.0, 4.0])) * np.log(2) + 3.0


def expectation(logits: Any = LOGITS, **changed: Any) -> core.Expectation:
    ids = likeliest(np.asarray(changed.get("of", logits), np.float32))
    changed.pop("of", None)
    fields: dict[str, Any] = {
        "position": 5,
        "kind": "masked",
        "logits": logits,
        "ids": ids,
        "tokens": tuple(f"#{i}" for i in ids),
        "texts": tuple(f" {i}" for i in ids),
    }
    return core.Expectation(**(fields | changed))


def test_the_likeliest_come_first_with_their_share_of_the_whole_vocabulary() -> None:
    found = expectation().top(2)
    assert (found.position, found.kind, found.temperature) == (5, "masked", 1.0)
    assert found.ids == (1, 3)
    assert found.tokens == ("#1", "#3")
    assert found.texts == (" 1", " 3")
    np.testing.assert_allclose(found.probabilities, [0.5, 0.25], rtol=1e-6)
    assert found.probabilities.dtype == np.float32
    assert found.rest == pytest.approx(0.25)
    assert found.entropy == pytest.approx(1.75)  # 1/2·1 + 1/4·2 + 2·1/8·3
    assert expectation().top(99).ids == (1, 3, 0, 2)
    assert expectation().top(99).rest == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("temperature", [0.1, 0.5, 2, 50])
def test_another_temperature_needs_no_model(temperature: float) -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=997).astype(np.float32) * 4
    found = expectation(logits).top(7, temperature)
    p = np.exp(logits.astype(np.float64) / temperature)
    p /= p.sum()
    assert found.ids == tuple(np.argsort(-p)[:7])
    np.testing.assert_allclose(found.probabilities, np.sort(p)[::-1][:7], rtol=1e-6)
    assert found.entropy == pytest.approx(-(p * np.log2(p)).sum())
    assert found.rest == pytest.approx(1 - found.probabilities.sum(), abs=1e-6)
    assert len(expectation(logits).ids) == MOST_PREDICTIONS


def test_the_ends_of_the_scale() -> None:
    cold = expectation().top(4, 1e-310)
    assert cold.probabilities.tolist() == [1, 0, 0, 0]
    assert cold.entropy == cold.rest == 0
    assert expectation().top(4, 1e6).entropy == pytest.approx(2)
    assert expectation(np.zeros(3)).top(3).ids == (0, 1, 2)  # of equal ones the first


@pytest.mark.parametrize("temperature", [0, -1, float("nan"), float("inf")])
def test_a_temperature_that_there_is_not(temperature: float) -> None:
    with pytest.raises(core.SettingError, match="temperature"):
        expectation().top(1, temperature)


@pytest.mark.parametrize("k", [0, -3, MOST_PREDICTIONS + 1, 2.0, True])
def test_a_number_of_tokens_that_there_is_not(k: Any) -> None:
    with pytest.raises(core.SettingError, match=f"from 1 to {MOST_PREDICTIONS}"):
        expectation().top(k)


@pytest.mark.parametrize(
    "wrong",
    [
        {"position": -1},
        {"kind": "last"},
        {"logits": LOGITS[None]},
        {"logits": [1.0, np.inf, 0, 2.0]},
        {"logits": [np.nan] * 4},
        {"logits": LOGITS[::-1]},
        {"ids": (1, 0, 3, 2)},
        {"ids": (1, 3)},
        {"ids": (1, 1, 3, 0)},
        {"tokens": ("a",)},
        {"texts": ()},
        {"ids": (), "tokens": (), "texts": ()},
    ],
)
def test_an_expectation_checks_itself(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        expectation(**{"of": LOGITS} | wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"position": -1},
        {"kind": ""},
        {"ids": (1,)},
        {"ids": (1, -3)},
        {"probabilities": [0.25, 0.5]},
        {"probabilities": [0.9, 0.5]},
        {"probabilities": [0.5, -0.1]},
        {"probabilities": [np.nan, 0.5]},
        {"probabilities": [0.5]},
        {"entropy": -1.0},
        {"entropy": float("nan")},
        {"temperature": 0.0},
    ],
)
def test_a_prediction_checks_itself(wrong: Any) -> None:
    fields: dict[str, Any] = {
        "position": 0,
        "kind": "next",
        "ids": (1, 3),
        "tokens": ("a", "b"),
        "texts": ("a", "b"),
        "probabilities": [0.5, 0.25],
        "entropy": 1.5,
        "temperature": 1.0,
    }
    core.Prediction(**fields)
    with pytest.raises(ValueError, match=r"\w"):
        core.Prediction(**(fields | wrong))


def test_nothing_changes_them() -> None:
    for record in (expectation(), expectation().top(2)):
        again = pickle.loads(pickle.dumps(record))
        for one in (record, again):
            array = one.logits if isinstance(one, core.Expectation) else one.probabilities
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
            assert one.nbytes == array.nbytes
