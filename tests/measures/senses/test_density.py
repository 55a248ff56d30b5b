"""Dense clusters on clouds whose answer is known, and their stability."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses import density
from core.measures.senses.density import NONE, dense

WIDTH = 31


def clouds(*sizes: int, apart: float = 2.0, seed: int = 1) -> np.ndarray:
    """Clouds of vectors, one a size, each around a corner of its own."""
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=(n, WIDTH)) + apart * np.eye(WIDTH)[i] * 5 for i, n in enumerate(sizes)]
    return np.concatenate(parts).astype(np.float32)


def test_as_many_clusters_as_there_are_clouds_the_largest_first_and_each_time_again() -> None:
    found = dense(clouds(23, 61, 37))
    assert found.count == 3
    truth = np.repeat([2, 0, 1], [23, 61, 37])
    inside = found.of != NONE
    assert inside.mean() > 0.8
    assert (found.of[inside] == truth[inside]).all()
    assert found.stability is not None
    assert found.stability > 0.8
    assert set(found.counts) == {3}


def test_one_cloud_has_no_clusters_and_what_lies_between_belongs_to_none() -> None:
    one = dense(clouds(97))
    assert (one.count, one.stability, one.counts) == (0, None, ())
    assert (one.of == NONE).all()
    stray = np.full((1, WIDTH), 40, np.float32)
    found = dense(np.concatenate([clouds(41, 43), stray]))
    assert found.count == 2
    assert found.of[-1] == NONE
    # its distance is from the mean of those in no cluster
    assert np.isclose(found.distance[-1], 0) == ((found.of == NONE).sum() == 1)


def test_few_vectors_have_none() -> None:
    assert dense(clouds(4, 5)).count == 0
    assert dense(np.zeros((3, WIDTH), np.float32)).count == 0


def test_of_many_vectors_the_rest_joins_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    x = clouds(113, 127)
    monkeypatch.setattr(density, "MOST_FITTED", 101)
    found = dense(x)
    truth = np.repeat([1, 0], [113, 127])
    inside = found.of != NONE
    assert found.count == 2
    assert inside.sum() > 101
    assert (found.of[inside] == truth[inside]).all()
