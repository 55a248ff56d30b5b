"""The captions of the Positions page."""

from __future__ import annotations

import pytest

from core.walkthroughs import positions
from pages.positions import captions as say
from tests.sentences import numbers


@pytest.mark.parametrize(
    ("shape", "here"),
    [
        ((5, 3), [15, -0.990, 1.000]),
        ((1, 1), [0.000]),
    ],
)
def test_what_is_measured_and_what_holds_for_any_length(
    shape: tuple[int, int], here: list[float]
) -> None:
    said = say.bounded(positions.waves(*shape, 10_000.0))
    assert numbers(said)[: len(here) + 2] == [*here, -1, 1]
    assert "any length" in said


def test_a_picture_says_which_distances_it_leaves_out() -> None:
    assert numbers(say.drawn(511, 200)) == [200, 511]
    assert "CSV" in say.drawn(511, 200)
    assert say.drawn(200, 200) == ""


def test_one_position_has_nothing_to_be_compared_with() -> None:
    for width in (1, 4):
        table = positions.waves(1, width, 10_000.0)
        said = say.products(table, positions.distances(table.table))
        assert said.endswith("there is nothing to compare.")
