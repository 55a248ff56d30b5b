"""Drift of a mean: by hand in the plane, and what chance makes of it."""

from __future__ import annotations

import numpy as np

from core.measures.senses.drift import LEAST, drift


def test_the_distance_is_that_of_the_means_and_needs_no_resampling_where_lines_are_alike() -> None:
    x = np.array([[1.0, 0]] * 5 + [[0, 2.0]] * 7 + [[3.0, 3.0]] * 6)
    found = drift(x, [1990] * 5 + [2000] * 7 + [1995] * 6)
    assert [(one.value, one.count) for one in found] == [(1995, 6), (2000, 7)]  # in order of time
    assert np.allclose([one.distance for one in found], [1 - 0.5**0.5, 1])
    assert np.allclose([(one.low, one.high) for one in found], [(1 - 0.5**0.5,) * 2, (1, 1)])
    assert all(one.chance < one.distance for one in found)


def test_without_a_change_the_distance_is_within_chance_and_with_one_it_is_not() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(180, 19)) + 1.0
    years = [*range(3)] * 60
    same = drift(x, years)
    assert len(same) == 2
    assert all(one.low < one.high for one in same)
    assert all(one.distance < 2 * one.chance for one in same)
    x[np.array(years) == 2] += np.eye(19)[0] * 3
    _, moved = drift(x, years)
    assert moved.distance > moved.chance
    assert moved.low <= moved.distance <= moved.high


def test_values_with_few_occurrences_and_none_are_left_out() -> None:
    x = np.ones((13, 3))
    values = ["a"] * LEAST + [None] * 2 + ["b"] * (LEAST - 1) + ["c"] * 2
    assert drift(x, values) == ()
    assert [one.value for one in drift(x, ["a"] * 6 + [None] + ["b"] * 6)] == ["b"]
    assert drift(np.zeros((0, 3)), []) == ()


def test_genres_are_compared_with_a_named_one() -> None:
    x = np.array([[1.0, 0]] * 5 + [[0, 2.0]] * 7 + [[3.0, 3.0]] * 6)
    genres = ["news"] * 5 + ["talk"] * 7 + ["prose"] * 6
    found = drift(x, genres, start="talk")
    assert [one.value for one in found] == ["news", "prose"]
    assert np.allclose([one.distance for one in found], [1, 1 - 0.5**0.5])
    assert drift(x, genres, start="poems") == ()
