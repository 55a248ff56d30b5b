"""Obvious clusters are found; their agreement with labels is counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses.clusters import agreed, cluster, clusters, suggested
from core.measures.senses.occurrences import Occurrences

CENTRES = np.array([[9.0, 0, 0], [0, 9, 0], [0, 0, 9]])
OF = np.array([0, 1, 2, 2, 1, 2, 2, 0, 1, 2, 1])  # 2, 4 and 5


def made() -> Occurrences:
    """Three groups at the second layer; at the first, the first two form one group."""
    near = np.random.default_rng(3).normal(size=(11, 3)) * 0.1
    near[[0, 4, 3]] = 0  # the middle of each group
    near[7] = near[0]
    first = CENTRES[np.where(OF == 0, 1, OF)] + near
    return Occurrences(
        np.ones((11, 5)), np.stack([first, CENTRES[OF] + near], axis=1), tuple(range(11))
    )


@pytest.mark.check
def test_groups_are_found_and_called_the_same_at_every_depth() -> None:
    found = clusters(made(), 3)
    assert found.of.shape == (3, 11)
    assert found.of[0].tolist() == [found.of[0, 0]] * 11  # one learned vector
    largest_first = np.array([2, 1, 0])[OF]
    assert found.of[2].tolist() == largest_first.tolist()
    apart, others = found.of[1][OF == 2], found.of[1][OF != 2]
    assert not set(apart) & set(others)
    assert np.bincount(apart).argmax() == 0  # what overlaps most keeps its number
    assert sorted(found.typical[0].tolist())[:2] == [-1, -1]
    assert found.typical[2, 0] in np.flatnonzero(OF == 2)
    assert found.typical[2, 2] in (0, 7)


def test_a_typical_one_is_the_nearest_to_the_mean() -> None:
    hidden = np.array([[1.0, 0], [2, 0], [6, 0], [50, 0], [51, 0], [55, 0], [52, 0]])[:, None]
    found = clusters(Occurrences(np.ones((7, 2)), hidden, tuple(range(7))), 2)
    assert found.of[1].tolist() == [1, 1, 1, 0, 0, 0, 0]
    assert found.typical[1].tolist() == [6, 1]  # means of 52 and 3


def test_as_many_as_there_are() -> None:
    assert suggested(made().depths[2]) == 3
    assert suggested(made().depths[1]) == 2
    assert suggested(np.ones((7, 3))) == 2
    assert suggested(np.eye(3)[:2]) == 2


def test_the_adjusted_rand_index_by_hand() -> None:
    of, labels = np.array([0, 0, 0, 1, 1, 1]), ["a", "a", "a", "b", "b", "b"]
    assert agreed(of, labels, 2).index == pytest.approx(1)
    mixed = agreed(np.array([0, 0, 1, 1, 1, 1]), [*"aaabbb"], 2)
    # Pairs in the same group: by cluster 1 + 6 = 7, by label 3 + 3 = 6, by both 1 + 3 = 4; of 15.
    assert mixed.index == pytest.approx((4 - 7 * 6 / 15) / ((7 + 6) / 2 - 7 * 6 / 15))
    assert mixed.labels == ("a", "b")
    assert mixed.counts == ((2, 1), (0, 3))
    unlabelled = agreed(np.array([0, 1, 0]), ["", "b", ""], 2)
    assert (unlabelled.labels, unlabelled.counts) == (("b",), ((0, 1),))
    assert agreed(np.array([0, 1]), ["", ""], 2).index == 0


def test_distances_of_many_are_from_the_means_of_their_clusters() -> None:
    numbers = np.random.default_rng(0).normal(size=(3_000, 6)).astype(np.float32)
    numbers[::3] += 20
    of, distance = cluster(numbers, 2)
    assert of.tolist() == [int(row % 3 == 0) for row in range(3_000)]  # the largest first
    for number in range(2):
        members = numbers[of == number].astype(np.float64)
        expected = np.linalg.norm(members - members.mean(axis=0), axis=1)
        np.testing.assert_allclose(distance[of == number], expected, rtol=1e-5)
