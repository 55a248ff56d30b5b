"""Neighbour maps: two clusters that no map may mix, equal positions for equal vectors, a fixed seed."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from core.errors import NotSupported
from core.measures import NeighbourMap, WordPath, tsne, umap
from core.measures.maps.neighbour_map import FEWEST
from tests.tiers import some

MAPS = pytest.mark.parametrize("make", [tsne, umap])
WIDTH, DEPTHS = 13, 5
Make = Callable[..., NeighbourMap]


def paths(count: int, seed: int = 3) -> list[WordPath]:
    """Paths in two distant clusters, the first `count // 2` in one; all begin with the same vector."""
    numbers = np.random.default_rng(seed)
    first = numbers.normal(size=WIDTH)
    found = []
    for i in range(count):
        middle = np.zeros(WIDTH)
        middle[0] = -20 if i < count // 2 else 20
        found.append(
            WordPath((first, *(middle + numbers.normal(size=WIDTH) for _ in range(DEPTHS - 1))), 1)
        )
    return found


@pytest.mark.few(1)
@pytest.mark.check
@MAPS
@pytest.mark.parametrize("components", some([2, 3], 1))
def test_neighbours_stay_neighbours_and_one_vector_is_one_place(make: Make, components: int) -> None:
    found = make(paths(6), components)
    assert found.coordinates.shape == (6, DEPTHS, components)
    assert np.isfinite(found.coordinates).all()
    np.testing.assert_array_equal(found.coordinates[:, 0], np.tile(found.coordinates[0, 0], (6, 1)))
    np.testing.assert_allclose(found.coordinates.reshape(-1, components).mean(axis=0), 0, atol=1e-3)
    points = found.coordinates[:, 1:].reshape(2, -1, components)  # bundle, point
    for own, other in (points, points[::-1]):
        for i, point in enumerate(own):
            near = np.delete(np.linalg.norm(own - point, axis=1), i).min()
            assert near < np.linalg.norm(other - point, axis=1).min()


@pytest.mark.few(1)
@pytest.mark.check
@MAPS
def test_the_seed_makes_it_the_same_again(make: Make) -> None:
    found = make(paths(4)).coordinates
    np.testing.assert_array_equal(make(paths(4)).coordinates, found)
    assert np.abs(make(paths(4, seed=5)).coordinates - found).max() > 1e-3


@pytest.mark.check
@MAPS
def test_too_few_different_points_are_said(make: Make) -> None:
    one = np.ones(WIDTH)
    same = [WordPath((one,) * 20, 1)]
    with pytest.raises(NotSupported, match="have 1"):
        make(same)
    few = np.random.default_rng(0).normal(size=(FEWEST, WIDTH))
    with pytest.raises(NotSupported, match=f"at least {FEWEST} different points"):
        make([WordPath(tuple(few[1:]), 1)])
    for components in (2, 3):
        assert np.isfinite(make([WordPath(tuple(few), 1)], components).coordinates).all()


@pytest.mark.check
@MAPS
def test_another_width_of_the_learned_vector_has_no_place(make: Make) -> None:
    short = [WordPath((np.ones(3), *path.vectors[1:]), 1) for path in paths(4)]
    found = make(short)
    assert np.isnan(found.coordinates[:, 0]).all()
    assert np.isfinite(found.coordinates[:, 1:]).all()


@pytest.mark.fuzz
@pytest.mark.check
def test_how_many_neighbours_is_told() -> None:
    assert tsne(paths(4)).near == 5  # 17 different points
    assert tsne(paths(10)).near == pytest.approx(40 / 6)
    assert umap(paths(4)).near == 15
    assert umap([WordPath(tuple(np.eye(9)), 1)]).near == 8


def test_without_its_library_umap_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(NotSupported, match="PCA or t-SNE"):
        umap(paths(4))
