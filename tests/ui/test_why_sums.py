"""Sums that are written out: they add up as they are printed, or are said to be rounded."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.why_apart import apart
from tests.measures.test_why_apart import A, one
from ui import why_say, why_sums
from ui.why_sums import rounded

ENDS = ("mo*ney", "river")


@pytest.mark.parametrize(
    ("parts", "total", "said"),
    [
        ([0.31, 0.12], 0.43, ""),
        ([0.314, 0.124], 0.438, "; rounded"),  # .31 + .12 = .44
        ([-0.42, 0.08, 0.07, 0.03, 0.06], -0.167, "; rounded"),
        ([0.1, 0.2], 0.3, ""),
        ([-0.001], -0.001, ""),
    ],
)
def test_a_sum_that_misses_as_it_is_printed_says_so(
    parts: list[float], total: float, said: str
) -> None:
    assert rounded(parts, total, 2, "; ") == said


def test_the_sum_of_a_difference() -> None:
    found = apart(A, one("bank of the money", [3, 0.125, 1, -4], 0))
    told = why_sums.apart(found, found.strongest(4), ENDS[1])
    assert "words 3.500 + 2 other words 0.125 + biases 0.000 (the layer norms" in told
    assert "= 3.625. Measured: 3.625; apart by 0e+00." in told
    thirds = apart(A, one("bank of the money", [3, 0.1254, 1.0003, -4], 0))
    assert ", rounded. Measured" in why_sums.apart(thirds, thirds.strongest(4), ENDS[1])


def test_the_maps_say_what_colours_and_rows_mean() -> None:
    less = apart(A, one("a bank", [1, 2], 1))
    for found, colours in (
        (A, "Green adds towards *river*, purple towards *mo\\*ney*."),
        (less, "Green: more towards *river* in A than in B; purple: more towards *mo\\*ney*."),
    ):
        every = range(len(found.words))
        assert colours in why_sums.by_layer(found, every, ENDS, "bank")
        assert "with its biases. " in why_sums.by_layer(found, every, ENDS, "bank")
        told = why_sums.by_layer(found, (0,), ENDS, "bank")
        assert f"with its biases and the {len(found.words) - 1} words left out. " in told
        assert colours in why_sums.heads(found, ENDS)
    assert "Each row makes the place, 4.750 as measured; apart by" in why_sums.parts(A)
    assert "Each row makes how far A stands from B, 0.750 as measured" in why_sums.parts(less)
    assert np.allclose(less.parts.sum(axis=1), 0.75)


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (0.0004, "**bank** stands at the same place in A and in B."),
        (0.0006, "**bank** stands **0.001** nearer to *river* in A than in B."),
        (-0.25, "**bank** stands **0.250** nearer to *mo\\*ney* in A than in B."),
    ],
)
def test_a_difference_that_is_printed_as_none_has_no_direction(gap: float, said: str) -> None:
    assert why_say.apart(("bank", "bank"), ENDS, gap) == said
