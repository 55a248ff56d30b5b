from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import core
from core.measures import PATTERNS, PatternScores, head_similarity, mean_patterns, patterns
from core.records.trace import Attention, Trace

TOKENS = ("[CLS]", "a", "b", "a", "[SEP]")


def score(trace: Trace, name: str) -> float:
    return float(patterns(trace).values[1, 2, PATTERNS.index(name)])


def one_head(make_trace: Callable[..., Trace], head: np.ndarray) -> Trace:
    weights = np.full((2, 3, 5, 5), 0.2)
    weights[1, 2] = head
    return make_trace(TOKENS, weights=weights)


@pytest.mark.parametrize(
    ("name", "columns", "expected"),
    [
        ("previous", [0, 0, 1, 2, 3], 1.0),
        ("next", [1, 2, 3, 4, 4], 1.0),
        ("itself", [0, 1, 2, 3, 4], 1.0),
        ("first", [0, 0, 0, 0, 0], 1.0),
        ("separators", [4, 4, 4, 4, 4], 1.0),
        ("same", [0, 3, 0, 1, 0], 1.0),
        ("broad", [0, 0, 0, 0, 0], 0.0),
    ],
)
def test_a_head_that_does_one_thing_only(
    make_trace: Callable[..., Trace], name: str, columns: list[int], expected: float
) -> None:
    assert score(one_head(make_trace, np.eye(5)[columns]), name) == pytest.approx(expected)


def test_an_even_head_by_hand(make_trace: Callable[..., Trace]) -> None:
    trace = one_head(make_trace, np.full((5, 5), 0.2))
    found = dict(zip(PATTERNS, patterns(trace).values[1, 2], strict=True))
    assert found["broad"] == pytest.approx(1)
    # One position in each row that has one: a fifth each; special tokens: only [SEP], since [CLS] is
    # first.
    for name in PATTERNS[:-1]:
        assert found[name] == pytest.approx(0.2), name


def test_a_causal_head_is_broad_over_what_it_may_see(make_trace: Callable[..., Trace]) -> None:
    head = np.tril(np.ones((5, 5)))
    trace = one_head(make_trace, head / head.sum(axis=1, keepdims=True))
    assert score(trace, "broad") == pytest.approx(1)


def test_no_occasion_is_no_number(make_trace: Callable[..., Trace]) -> None:
    trace = make_trace(("[CLS]", "a", "b", "[SEP]"))
    values = patterns(trace).values
    assert np.isnan(values[..., PATTERNS.index("same")]).all()
    assert np.isfinite(np.delete(values, PATTERNS.index("same"), axis=-1)).all()


def test_mean_counts_each_text_once_and_skips_what_it_does_not_know() -> None:
    one = np.full((1, 1, 7), 0.25)
    other = np.full((1, 1, 7), 0.75)
    other[..., 5] = np.nan
    mean = mean_patterns([PatternScores(one), PatternScores(other)]).values[0, 0]
    np.testing.assert_allclose(mean, [0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.5])


def test_strongest_is_furthest_above_its_own_threshold() -> None:
    values = np.zeros((1, 3, 7))
    values[0, 0, :2] = [0.6, 0.5]  # thresholds .5 and .2: .2 and .375 of the room above
    values[0, 1, 0] = 0.49
    values[0, 2] = np.nan
    names = PatternScores(values).strongest([0.5, 0.2, 0.5, 0.5, 0.5, 0.5, 0.5])
    assert names == (("next", None, None),)


def test_head_similarity_is_the_cosine_of_the_maps(make_trace: Callable[..., Trace]) -> None:
    trace = make_trace(TOKENS)
    assert trace.attention is not None
    maps = trace.attention.weights.reshape(6, -1).astype(np.float64)
    assert head_similarity(trace, 1).shape == (3, 2, 3)
    for head, found in enumerate(head_similarity(trace, 1)):
        own = maps[3 + head]
        expected = maps @ own / np.linalg.norm(maps, axis=1) / np.linalg.norm(own)
        np.testing.assert_allclose(found.ravel(), expected, rtol=1e-5)


def test_on_minilm_every_score_is_a_share(minilm: core.Model) -> None:
    values = patterns(minilm.trace("The cat saw the dog and the dog saw the cat.")).values
    assert values.shape == (6, 12, 7)
    assert np.isfinite(values).all()
    assert ((values >= 0) & (values <= 1)).all()


def test_a_head_that_is_missing_has_no_score_and_leaves_those_of_others(
    make_trace: Callable[..., Trace],
) -> None:
    weights = np.random.default_rng(3).dirichlet(np.ones(5), (2, 3, 5))
    whole = make_trace(TOKENS, weights=weights)
    gone = weights.copy()
    gone[0], gone[1, 2] = np.nan, np.nan
    trace = make_trace(TOKENS, weights=gone)
    expected = patterns(whole).values.copy()
    expected[0], expected[1, 2] = np.nan, np.nan
    np.testing.assert_array_equal(patterns(trace).values, expected)
    cosines = head_similarity(whole, 1)
    cosines[2], cosines[:, 0], cosines[:, 1, 2] = np.nan, np.nan, np.nan
    np.testing.assert_allclose(head_similarity(trace, 1), cosines, rtol=1e-6)


def test_a_sink_is_one_more_place_to_look_at(make_trace: Callable[..., Trace]) -> None:
    weights, sink = np.full((2, 3, 5, 5), 1 / 6), np.full((2, 3, 5), 1 / 6)
    weights[1, 2], sink[1, 2] = 0.01 / 5, 0.99
    trace = make_trace(TOKENS, attention=Attention(TOKENS, TOKENS, weights, sink))
    broad = patterns(trace).values[..., PATTERNS.index("broad")]
    np.testing.assert_allclose(broad[0], 1, atol=1e-6)
    entropy = -0.01 * np.log(0.002) - 0.99 * np.log(0.99)
    assert broad[1, 2] == pytest.approx(entropy / np.log(6), rel=1e-4)
