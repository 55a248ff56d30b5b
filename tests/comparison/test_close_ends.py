"""Layers whose ends hardly differ are told by their distance against the length of the vectors."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from core.comparison.close_ends import apart, close_layers
from core.records.sense_axis import SenseAxis


class _Axis:
    """Three layers: the ends are 1, 6 and 40 apart, the vectors 10, 20 and 100 long."""

    distance = np.array([1.0, 6.0, 40.0])
    vectors = np.array([[[10.0, 0.0], [0.0, 20.0], [60.0, 80.0]]] * 2)


def test_a_layer_is_close_whose_ends_are_a_third_as_far_apart_as_where_the_verdict_is() -> None:
    axis = cast("SenseAxis", _Axis())
    assert apart(axis) == pytest.approx([0.1, 0.3, 0.4])
    assert close_layers(axis, 3) == (1,)  # 3 · 0.1 < 0.4, and 3 · 0.3 is not
    assert close_layers(axis, 2) == ()  # 3 · 0.1 is not less than 0.3
    assert close_layers(axis, 1) == ()
