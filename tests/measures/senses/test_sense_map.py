from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses.sense_map import sense_map
from core.records.sense_axis import End, Frames, SenseAxis


def axis(midpoints: np.ndarray, halves: np.ndarray) -> SenseAxis:
    end = End(("x",), (), ())
    return SenseAxis("word", "model", Frames(end, end, (), ()), midpoints, halves)


def test_by_hand() -> None:
    """One layer of three numbers: the axis is the first, and the vectors differ along the second."""
    made = axis(np.array([[1.0, 0, 0]]), np.array([[2.0, 0, 0]]))
    vectors = np.array([[[3.0, -4, 0]], [[-1.0, 4, 0]], [[2.0, 2, 0]]])
    found = sense_map(made, vectors)
    np.testing.assert_allclose(found.along[:, 0], [1, -1, 0.5])
    np.testing.assert_allclose(
        found.across[:, 0], [-2, 2, 1]
    )  # in halves; the last is right of the first
    np.testing.assert_allclose(found.share, [1])


def test_along_is_the_axis_itself_and_distances_hold_in_the_plane_of_both() -> None:
    random = np.random.default_rng(7)
    made = axis(random.normal(size=(5, 11)), random.normal(size=(5, 11)))
    vectors = random.normal(size=(13, 5, 11))
    found = sense_map(made, vectors)
    for layer in range(5):
        np.testing.assert_allclose(
            found.along[:, layer], made.coordinate(vectors[:, layer], layer), atol=1e-5
        )
        assert 0 < found.share[layer] < 1
    for layer in range(1, 5):  # no side is changed at once
        assert found.across[:, layer] @ found.across[:, layer - 1] >= 0


def test_where_nothing_is_left_across_the_axis_all_stand_on_it() -> None:
    made = axis(np.zeros((1, 2)), np.array([[0.0, 3.0]]))
    found = sense_map(made, np.array([[[0.0, 3]], [[0.0, -3]]]))
    np.testing.assert_array_equal(found.across, 0)
    np.testing.assert_array_equal(found.share, 0)


def test_vectors_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        sense_map(axis(np.zeros((2, 3)), np.ones((2, 3))), np.zeros((4, 3, 3)))
