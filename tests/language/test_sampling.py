"""The next token is drawn as `transformers` would: the same tokens are left, with the same chances."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import core
from core.language import Sampling, draw, shaped, uniform
from core.language.sampling import choose

WAYS: list[dict[str, Any]] = [
    {},
    {"temperature": 0.7},
    {"temperature": 2.5, "top_k": 5},
    {"top_k": 1},
    {"top_k": 500},
    {"top_p": 0.9},
    {"top_p": 0.05},
    {"top_p": 1.0},
    {"min_p": 0.1},
    {"min_p": 1.0},
    {"min_p": 0.0},
    {"temperature": 1.3, "top_k": 40, "top_p": 0.8, "min_p": 0.05},
    {"temperature": 0.2, "top_p": 0.99, "min_p": 0.01},
]


def theirs(logits: np.ndarray, way: dict[str, Any]) -> np.ndarray:
    """(V,): the probabilities after the processors of `transformers`, in its order."""
    import torch
    from transformers import (
        LogitsProcessorList,
        MinPLogitsWarper,
        TemperatureLogitsWarper,
        TopKLogitsWarper,
        TopPLogitsWarper,
    )

    steps = LogitsProcessorList()
    for key, step in {
        "temperature": TemperatureLogitsWarper,
        "top_k": TopKLogitsWarper,
        "top_p": TopPLogitsWarper,
        "min_p": MinPLogitsWarper,
    }.items():
        if key in way:
            steps.append(step(way[key]))
    scores = torch.from_numpy(logits.astype(np.float64))[None]
    probabilities: np.ndarray = (
        steps(torch.zeros(1, 1, dtype=torch.long), scores)[0].softmax(-1).numpy()
    )
    return probabilities


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_equals_transformers(way: dict[str, Any], seed: int) -> None:
    logits = np.random.default_rng(seed).normal(0, 3, 211).astype(np.float32)
    got = shaped(logits, Sampling(**way))
    found = np.zeros(len(logits))
    found[got.ids[: got.kept]] = got.drawable
    want = theirs(logits, way)
    assert np.array_equal(found > 0, want > 0)
    np.testing.assert_allclose(found, want, atol=1e-12)


def test_by_hand() -> None:
    """Four tokens of .5, .25, .125, .125."""
    logits = np.log(np.array([0.125, 0.5, 0.125, 0.25]))
    plain = shaped(logits, Sampling())
    assert plain.ids.tolist() == [1, 3, 0, 2]  # of equal ones, the lower id first
    assert plain.probabilities == pytest.approx([0.5, 0.25, 0.125, 0.125])
    assert shaped(logits, Sampling(top_k=2)).drawable == pytest.approx([2 / 3, 1 / 3])
    assert shaped(logits, Sampling(top_p=0.6)).kept == 2  # .5 alone does not reach .6
    assert shaped(logits, Sampling(min_p=0.3)).kept == 2  # .125 is a quarter of .5
    # first two of four, of which the first is two thirds: over .6
    assert shaped(logits, Sampling(top_k=2, top_p=0.6)).kept == 1
    hot = shaped(logits, Sampling(temperature=2))
    assert hot.probabilities == pytest.approx(
        np.sqrt([0.5, 0.25, 0.125, 0.125]) / np.sqrt([0.5, 0.25, 0.125, 0.125]).sum()
    )
    assert [draw(plain, x).id for x in (0, 0.49, 0.5, 0.74, 0.75, 0.874, 0.876, 1 - 2**-53)] == [
        1, 1, 3, 3, 0, 0, 2, 2,
    ]  # fmt: skip
    drawn = draw(plain, 0.6)
    assert (drawn.rank, drawn.number) == (1, 0.6)
    assert drawn.probability == pytest.approx(0.25)


def test_the_likeliest_at_temperature_0_and_nothing_drawn() -> None:
    logits = np.array([1.0, 3.0, 3.0, 2.0])
    drawn = choose(logits, Sampling(temperature=0), seed=5, position=9)
    assert (drawn.id, drawn.rank, drawn.number) == (1, 0, None)
    assert shaped(logits, Sampling(temperature=0)).kept == 1
    assert drawn.probability == pytest.approx(1 / (2 + math.exp(-2) + math.exp(-1)))


@pytest.mark.parametrize(
    "way", [{}, {"temperature": 1e-9}, {"top_p": 1.0}, {"min_p": 0.0}, {"top_k": 9}]
)
def test_a_forbidden_token_is_never_drawn(way: dict[str, Any]) -> None:
    logits = np.array([-np.inf, 0.0, -np.inf, -1.0])
    distribution = shaped(logits, Sampling(**way))
    assert {draw(distribution, x).id for x in np.linspace(0, 1 - 1e-12, 50)} <= {1, 3}


@pytest.mark.check
def test_a_token_comes_as_often_as_it_is_likely() -> None:
    logits = np.log(np.array([0.1, 0.6, 0.3]))
    drawn = Counter(choose(logits, Sampling(), seed, 7).id for seed in range(20_000))
    for token, p in enumerate([0.1, 0.6, 0.3]):
        assert drawn[token] / 20_000 == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 20_000))


def test_numbers_are_even_and_follow_from_seed_and_position_alone() -> None:
    numbers = np.array([[uniform(seed, at) for at in range(200)] for seed in range(100)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert len(np.unique(numbers)) == numbers.size
    counts = np.histogram(numbers, bins=20, range=(0, 1))[0]
    assert (
        (counts - 1000) ** 2 / 1000
    ).sum() < 43.8  # χ² with 19 degrees of freedom, one in a thousand
    assert abs(np.corrcoef(numbers[:, :-1].ravel(), numbers[:, 1:].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(numbers[:-1].ravel(), numbers[1:].ravel())[0, 1]) < 0.03
    assert uniform(3, 4) == uniform(3, 4)
    assert 0 <= uniform(10**30, 0) < 1


def test_the_generator_is_the_published_one() -> None:
    """SplitMix64's first numbers for the state 1234567, which every port of it is checked against."""
    from core.language.sampling import _mixed

    state, found = 1234567, []
    for _ in range(5):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        found.append(_mixed(state))
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": -0.1},
        {"temperature": math.nan},
        {"temperature": math.inf},
        {"temperature": True},
        {"top_k": 0},
        {"top_k": True},
        {"top_k": 1.5},
        {"top_p": 0},
        {"top_p": 1.1},
        {"top_p": math.nan},
        {"min_p": -1},
        {"min_p": 1.01},
        {"min_p": "0.1"},
    ],
)
def test_values_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(core.SettingError):
        Sampling(**wrong)


@pytest.mark.few(10)
@pytest.mark.parametrize("seed", range(300))
def test_any_way_equals_transformers(seed: int) -> None:
    chance = np.random.default_rng(seed)
    logits = chance.normal(0, chance.uniform(0.1, 8), chance.integers(2, 400)).astype(np.float32)
    way: dict[str, Any] = {"temperature": chance.uniform(0.2, 3)}
    if chance.random() < 0.5:
        way["top_k"] = int(chance.integers(1, 50))
    if chance.random() < 0.5:
        way["top_p"] = chance.uniform(0.01, 1)
    if chance.random() < 0.5:
        way["min_p"] = chance.uniform(0, 1)
    got = shaped(logits, Sampling(**way))
    found = np.zeros(len(logits))
    found[got.ids[: got.kept]] = got.drawable
    np.testing.assert_allclose(found, theirs(logits, way), atol=1e-12)
