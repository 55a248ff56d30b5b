"""Attention by distance: means of diagonals, by hand."""

from __future__ import annotations

import numpy as np

from core.measures.attention.by_distance import by_distance

WEIGHTS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.125, 0.375]])


def test_means_of_diagonals() -> None:
    np.testing.assert_allclose(by_distance(WEIGHTS), [(1 + 0.75 + 0.375) / 3, (0.25 + 0.125) / 2, 0.5])


def test_without_the_first_token_and_missing_rows() -> None:
    np.testing.assert_allclose(by_distance(WEIGHTS, first=False), [(0.75 + 0.375) / 2, 0.125, np.nan])
    gone = WEIGHTS.copy()
    gone[1] = np.nan
    np.testing.assert_allclose(by_distance(gone), [(1 + 0.375) / 2, 0.125, 0.5])
    assert np.isnan(by_distance(WEIGHTS[:1], first=False)).all()
