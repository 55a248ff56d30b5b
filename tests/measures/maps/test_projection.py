from __future__ import annotations

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures import WordPath, pca


def path(*vectors: tuple[float, ...]) -> WordPath:
    return WordPath(tuple(np.array(v, np.float32) for v in vectors), 1)


def test_by_hand_the_longest_way_comes_first() -> None:
    # Around their mean (3, 1): two points along x at ±3, two along y at ±1.
    one, other = path((0, 1), (6, 1)), path((3, 0), (3, 2))
    found = pca([one, other], components=3)
    np.testing.assert_allclose(found.shares, [0.9, 0.1, 0], atol=1e-6)
    np.testing.assert_allclose(found.coordinates[0, :, 0], [-3, 3], atol=1e-5)
    np.testing.assert_allclose(found.coordinates[1, :, 0], [0, 0], atol=1e-5)
    np.testing.assert_allclose(np.abs(found.coordinates[1, :, 1]), [1, 1], atol=1e-5)
    np.testing.assert_allclose(found.coordinates[:, :, 2], 0, atol=1e-5)


def test_the_first_path_ends_on_the_positive_side() -> None:
    one, other = path((6, 1), (0, 1)), path((3, 0), (3, 2))
    np.testing.assert_allclose(pca([one, other]).coordinates[0, :, 0], [-3, 3], atol=1e-5)


def test_all_components_keep_every_distance_and_the_shares_add_up() -> None:
    numbers = np.random.default_rng(7).normal(size=(2, 3, 5))
    found = pca([path(*map(tuple, depths)) for depths in numbers], components=5)
    assert found.shares.sum() == pytest.approx(1)
    assert (np.diff(found.shares) <= 0).all()
    points, shown = numbers.reshape(-1, 5), found.coordinates.reshape(-1, 5)
    for i in range(6):
        np.testing.assert_allclose(
            np.linalg.norm(shown - shown[i], axis=1),
            np.linalg.norm(points - points[i], axis=1),
            rtol=1e-4,
        )


def test_another_width_of_the_learned_vector_has_no_place() -> None:
    found = pca([path((1, 2), (0, 0, 0), (1, 0, 0)), path((1, 2), (0, 0, 0), (0, 2, 0))])
    assert np.isnan(found.coordinates[:, 0]).all()
    assert np.isfinite(found.coordinates[:, 1:]).all()


def test_equal_points_are_said() -> None:
    with pytest.raises(NotSupported, match="identical"):
        pca([path((1, 1), (1, 1))])
