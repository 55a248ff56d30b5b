"""Written-out sums: the printed numbers add up."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.measures.contributions.contribution_difference import apart
from tests.measures.contributions.test_contribution_difference import A, one
from ui.contributions import captions, sums

ENDS = ("mo*ney", "river")


@pytest.mark.parametrize(
    ("exact", "printed", "says"),
    [(0.314, 0.31, False), (0.314, 0.32, True), (-0.001, 0.0, False), (-0.006, 0.0, True)],
)
def test_a_part_that_is_not_plainly_rounded_says_so(exact: float, printed: float, says: bool) -> None:
    said = sums.left_by_rounding("others", exact, printed, "; ")
    assert bool(said) == says
    assert ("others" in said) == says


def test_the_sum_of_a_difference() -> None:
    found = apart(A, one("bank of the money", [3, 0.125, 1, -4], 0))
    told = sums.apart(found, found.strongest(4), ENDS[1])
    assert "words 3.50 + 2 other words 0.12 + biases 0.00 (the layer norms" in told
    assert re.search(r"= 3\.62\. Measured: 3\.62, .* 0\.", told)
    thirds = apart(A, one("bank of the money", [3, 0.1254, 1.013, -4.004], 0))
    told = sums.apart(thirds, thirds.strongest(4), ENDS[1])
    *parts, total = (
        float(n.replace("−", "-"))
        for n in re.findall(r"[−]?\d+\.\d\d\b", told.partition(" Measured")[0])
    )
    assert round(sum(parts) - total, 6) == 0


def test_two_words_begin_where_each_stands_alone() -> None:
    same = apart(A, one("a bank", [1, 2], 1))
    two = apart(A, one("a loan", [1, 2], 1, alone=-0.5))
    assert "alone" not in sums.apart(same, (0,), ENDS[1])
    assert "alone, A minus B, 0.75" in sums.apart(two, (0,), ENDS[1])


def test_the_maps_say_what_colours_and_rows_mean() -> None:
    less = apart(A, one("a bank", [1, 2], 1))
    for found, colours in (
        (A, "Green adds towards *river*, purple towards *mo\\*ney*."),
        (less, "Green: more towards *river* in A than in B; purple: more towards *mo\\*ney*."),
    ):
        every = range(len(found.words))
        assert colours in sums.by_layer(found, every, ENDS, "bank")
        assert "left out" not in sums.by_layer(found, every, ENDS, "bank")
        told = sums.by_layer(found, (0,), ENDS, "bank")
        assert f"the {len(found.words) - 1} words left out" in told
        assert colours in sums.heads(found, ENDS)
    assert "from where the word stands alone, 4.75 as measured" in sums.parts(A)
    assert "distance from A to B, 0.75 as measured" in sums.parts(less)
    assert np.allclose(less.parts.sum(axis=1), 0.75)


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (0.004, "**bank** stands at the same position in A and in B."),
        (0.006, "**bank** stands **0.01** nearer to *river* in A than in B."),
        (-0.25, "**bank** stands **0.25** nearer to *mo\\*ney* in A than in B."),
    ],
)
def test_a_difference_that_is_printed_as_none_has_no_direction(gap: float, said: str) -> None:
    assert captions.apart(("bank", "bank"), ENDS, gap) == said
