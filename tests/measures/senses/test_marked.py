"""Groups and axes against a person's marks, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses.marked import axis_against, clusters_against, on_the_other_side


def test_clusters_against_marks() -> None:
    marks = ["river", "river", "money", "", "money", "money"]
    found = clusters_against(marks, np.array([0, 0, 1, 1, 1, 0]), 3)
    assert found is not None
    assert found.labels == ("money", "river")
    assert found.counts == ((1, 2, 0), (2, 0, 0))
    assert found.purity == pytest.approx(4 / 5)
    assert found.commonest == pytest.approx(3 / 5)
    # of 10 pairs: together in both 2 (river-river, money-money), in marks 4, in groups 4
    assert found.index == pytest.approx((2 - 1.6) / (4 - 1.6))
    assert clusters_against(["a", "a", ""], np.zeros(3, np.int64), 1) is None  # nothing to tell apart


def test_an_axis_against_the_two_commonest_marks() -> None:
    marks = ["b", "b", "b", "a", "a", "c", ""]
    coordinate = np.array([0.5, -0.1, 0.9, -0.7, 0.5, 9.0, -9.0])
    found = axis_against(marks, coordinate)
    assert found is not None
    assert on_the_other_side(marks, coordinate, found).tolist() == [4, 1]
    assert (found.low, found.high, found.counts) == ("a", "b", (2, 3))
    # pairs a < b: −.7 below all three; .5 ties .5, is below .9, above −.1
    assert found.area == pytest.approx((3 + 0.5 + 1) / 6)
    assert found.right == pytest.approx((1 + 2) / 5)
    assert axis_against(["a", "a", ""], np.zeros(3)) is None
