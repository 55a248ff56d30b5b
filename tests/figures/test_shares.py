"""Shares as bytes: each with its interval, NaN where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.figures import groups_of, share_dots
from core.measures.senses.shares import Share, wilson
from tests.browser.pictures.concordance_pictures import shares_picture


def test_numbers() -> None:
    picture = shares_picture()
    values = np.frombuffer(picture.payload, "<f4").reshape(2, 2, 3)
    expected = [[(c / n, *wilson(c, n)) for c in counts] for counts, n in (((3, 1), 4), ((0, 2), 2))]
    np.testing.assert_allclose(values, expected, rtol=1e-6)
    assert [list(row) for row in picture.header["counts"]] == [[3, 1], [0, 2]]
    assert [row["total"] for row in picture.header["rows"]] == [4, 2]


def test_a_value_without_a_group_is_a_gap() -> None:
    one = [Share("a", 1, 2, 2, 0.3, 1.0)]
    more: dict[str, Any] = {"axis": "x", "sentence": "s", "name": "n"}
    picture = share_dots(one, groups_of(["p", "q"]), names=["a"], **more)
    values = np.frombuffer(picture.payload, "<f4").reshape(2, 3)
    assert np.isnan(values[0]).all()
    assert values[1].tolist() == pytest.approx([1.0, 0.3, 1.0])
    with pytest.raises(ValueError, match="groups"):
        share_dots(one, groups_of(["p"]), names=["a"], **more)
    with pytest.raises(ValueError, match="names"):
        share_dots(one, groups_of(["p", "q"]), names=[], **more)
