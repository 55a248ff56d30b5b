"""The captions of the maps of trajectories."""

from __future__ import annotations

import numpy as np

from core.measures import Projection
from pages.embeddings.trajectories import captions as say


def test_what_each_direction_tells_apart_is_measured() -> None:
    # Along the first component only the words differ, along the second only the depths.
    places = np.array([[[-3, 1], [-3, -1]], [[3, 1], [3, -1]]], np.float32)
    found = Projection(places, np.array([0.9, 0.1], np.float32))
    said = say.of_map("pca", found, 4, 2)
    assert "(first: 100 % and 0 %; second: 0 % and 100 %)" in said
    one = Projection(places[:1], np.array([0.9, 0.1], np.float32))
    assert "between words" not in say.of_map("pca", one, 2, 2)


def test_places_that_are_not_there_and_directions_without_spread_count_for_nothing() -> None:
    places = np.array([[[np.nan] * 2, [-1, 0], [-2, 0]], [[np.nan] * 2, [2, 0], [1, 0]]], np.float32)
    found = Projection(places, np.array([1, 0], np.float32))
    # Means of the words ±1.5, of the depths ±.5, of all 2.5.
    assert "(first: 90 % and 10 %; second: 0 % and 0 %)" in say.of_map("pca", found, 6, 2)
