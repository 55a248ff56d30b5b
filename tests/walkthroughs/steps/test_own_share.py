"""A word's attention to itself without learned weights: by hand, on random vectors, and on MiniLM."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.examples.first_texts import POEM
from core.walkthroughs.steps.own_share import own_share
from core.walkthroughs.steps.unweighted import plain_steps


def test_by_hand() -> None:
    found = own_share(np.array([[1.0, 2, 2, 0], [3, 0, 0, 4], [0, 0, 0, 0]]), 0)
    assert found.products.tolist() == [9, 3, 0]
    np.testing.assert_allclose(found.cosines, [1, 0.2, 0])
    assert (found.squared_length, found.spread, found.width) == (9, 4.5, 4)
    powers = np.exp([4.5, 1.5, 0])
    np.testing.assert_allclose(found.weights, powers / powers.sum())
    assert found.others == (1, 2)
    assert found.times(1) == pytest.approx(np.exp(3.0))
    assert found.own == pytest.approx(found.weights[1] * found.times(1))


def test_of_equal_ones_the_earlier_comes_first() -> None:
    assert own_share(np.ones((4, 2)), 2).others == (0, 1, 3)
    with pytest.raises(IndexError):
        own_share(np.ones((4, 2)), 4)


@pytest.mark.parametrize("width", [7, 53, 389])
def test_the_spread_is_that_of_random_vectors(width: int) -> None:
    rng = np.random.default_rng(0)
    others = rng.normal(size=(20_000, width))
    x = rng.normal(size=(1, width))
    others *= np.linalg.norm(x) / np.linalg.norm(others, axis=1, keepdims=True)
    found = own_share(np.concatenate([x, others]), 0)
    products = found.products[1:]
    assert abs(products.mean()) < 0.05 * found.spread
    assert products.std() == pytest.approx(found.spread, rel=0.02)


@pytest.mark.parametrize("which", ["embedded", "learned"])
def test_the_weights_are_those_of_the_steps(minilm: core.Model, which: str) -> None:
    trace = minilm.trace(POEM)
    vectors = getattr(trace, which)
    for token in range(len(trace.tokens)):
        found = own_share(vectors, token)
        steps = {step.name: step.result.values[0] for step in plain_steps(vectors, trace.tokens, token)}
        np.testing.assert_allclose(found.products, steps["plain-scores"], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(found.weights, steps["plain-weights"], atol=1e-5)
