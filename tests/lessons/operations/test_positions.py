"""Positions by formula and by the model’s table, and the effect of word order."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.errors import NotSupported
from core.lessons import BadExpression
from tests.lessons.small_records import Small, value


def test_positions_by_formula() -> None:
    made = value({"sinusoid": [3, 3]})
    # The published table, row 4: .14 −.99 .01
    assert isinstance(made, tuple)
    assert [round(one, 2) for one in made if isinstance(one, float)] == [0.14, -0.99, 0.01]
    turned = value({"rotate": [{"list": [1, 0]}, math.pi / 2]})
    assert isinstance(turned, tuple)
    assert np.allclose(np.array(turned, float), [0, 1])


@pytest.mark.parametrize(
    ("tree", "named"),
    [
        ({"sinusoid": [3, 0]}, "4,096"),
        ({"sinusoid": [3, 2, 0]}, "above 0"),
        ({"rotate": [{"list": [1, 2, 3]}, 1]}, "even"),
        ({"rotate": [{"list": []}, 1]}, "even"),
    ],
    ids=str,
)
def test_what_cannot_be_computed_is_refused(tree: object, named: str) -> None:
    with pytest.raises(BadExpression, match=named):
        value(tree)


class _WithPositions(Small):
    def position_table(self) -> Any:
        return np.array([[1, 2], [3, 4]])

    def orders(self, text: str, other: str, layer: int) -> Any:
        assert (text, other, layer) == ("a b", "b a", 1)
        return SimpleNamespace(with_positions=np.array([0.25, 0.5]), without=np.array([0.0, 0.125]))


def test_the_table_of_a_model() -> None:
    assert value({"position row": 1}, _WithPositions()) == (3.0, 4.0)
    for place in (-1, 2):
        with pytest.raises(NotSupported, match="2 positions"):
            value({"position row": place}, _WithPositions())


@pytest.mark.parametrize(("positions", "difference"), [(True, 0.5), (False, 0.125)])
def test_the_effect_of_word_order(positions: bool, difference: float) -> None:
    assert value({"order": ["a b", "b a", 2, positions]}, _WithPositions()) == difference
