"""Whether clusters separate: two clouds do, one that k-means cuts does not."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses.clusters import cluster, suggested
from core.measures.senses.separation import Separation, _agreeing, separation


def clouds(apart: float, count: int = 60, width: int = 7) -> np.ndarray:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(count, width)).astype(np.float32)
    x[: count // 3, 0] += apart
    return x


def test_two_clouds_far_apart_are_clear_and_each_half_finds_them() -> None:
    x = clouds(30.0)
    found = separation(x, cluster(x, 2)[0])
    assert found is not None
    assert found.silhouette > 0.8
    assert found.agreement == 1
    assert found.level == "clear"


def test_one_cloud_is_cut_but_does_not_separate() -> None:
    x = clouds(0.0)
    found = separation(x, cluster(x, 3)[0])
    assert found is not None
    assert found.silhouette < 0.25
    assert found.agreement < 0.9
    assert found.level == "none"


def test_the_silhouette_is_the_one_of_the_definition() -> None:
    """By hand: 0, 1 and 10, 12 on a line."""
    x = np.array([[0.0], [1.0], [10.0], [12.0]], np.float32)
    found = separation(x, np.array([0, 0, 1, 1]))
    assert found is not None
    pairs = ((1, 11), (1, 10), (2, 9.5), (2, 11.5))  # own, next
    assert found.silhouette == pytest.approx(np.mean([(b - a) / b for a, b in pairs]), abs=1e-6)


@pytest.mark.parametrize(
    ("silhouette", "agreement", "level"),
    [
        (0.6, 1.0, "clear"),
        (0.5, 1.0, "weak"),
        (0.26, 0.9, "weak"),
        (0.25, 1.0, "none"),
        (0.9, 0.89, "none"),
    ],
)
def test_both_numbers_decide(silhouette: float, agreement: float, level: str) -> None:
    assert Separation(silhouette, agreement).level == level


def test_numbers_of_clusters_are_matched_as_well_as_possible() -> None:
    """By hand: 6 of 9 agree, if 0 is 1, 1 is 0 and 2 is 2; the largest overlap first would give 5."""
    one = np.array([0, 0, 0, 0, 0, 1, 1, 2, 2])
    other = np.array([0, 0, 0, 1, 1, 0, 0, 2, 2])
    assert _agreeing(one, other, 3) == pytest.approx(6 / 9)
    assert _agreeing(one, (one + 1) % 3, 3) == 1


def test_a_single_cluster_or_a_cluster_a_line_has_no_separation() -> None:
    x = clouds(3.0)
    assert separation(x, np.zeros(len(x), np.int64)) is None
    assert separation(x[:3], np.arange(3)) is None


def test_no_more_clusters_are_suggested_than_are_asked_for() -> None:
    x = np.repeat(np.eye(5, dtype=np.float32) * 50, 6, axis=0)
    x += np.random.default_rng(0).normal(size=x.shape).astype(np.float32)
    assert suggested(x) == 5
    assert suggested(x, 3) <= 3
    assert suggested(x[:4], 1) == 2
