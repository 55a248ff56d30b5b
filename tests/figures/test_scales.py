"""The rule by which weights are coloured, which every picture of weights follows."""

from __future__ import annotations

import numpy as np
import pytest

from core import figures
from core.figures import scales, style
from core.measures import HeadMap


@pytest.mark.parametrize(
    ("counts", "root"),
    [((1,), False), ((32, 32), False), ((33, 5), True), ((5, 33), True), ((512,), True)],
)
def test_weights_are_coloured_by_their_square_root_above_32_tokens(
    counts: tuple[int, ...], root: bool
) -> None:
    assert scales.square_root(*counts) is root
    assert scales.weight_scale(*counts) == {
        "kind": "weights",
        "root": root,
        "hue": style.WEIGHT_HUE,
        "title": "weight, square-root colours" if root else "weight",
    }
    assert scales.weight_scale(*counts, root=not root)["root"] is not root


@pytest.mark.parametrize(("queries", "keys"), [(5, 32), (5, 33), (33, 5)])
def test_heatmaps_and_the_overview_of_one_block_have_one_scale(queries: int, keys: int) -> None:
    weights = np.full((queries, keys), 1 / keys)
    looks, tokens = ([f"{side}{i}" for i in range(n)] for side, n in (("q", queries), ("k", keys)))
    head = HeadMap((*looks,), (*tokens,), weights, False, np.zeros(queries), np.arange(keys))
    pictures = (
        figures.heatmap(head, sentence="One.", name="one"),
        figures.overview(
            figures.AllHeads(weights[None, None], tokens=tokens, query_tokens=looks),
            sentence="All.",
            name="all",
        ),
    )
    assert {picture.header["scale"]["root"] for picture in pictures} == {max(queries, keys) > 32}


@pytest.mark.parametrize(
    ("values", "bound"),
    [([0.1, -0.04], 0.1), ([-0.11, np.nan], 0.2), ([0.5], 0.5), ([-0.7], 1.0), ([np.nan], 0.1)],
)
def test_the_colours_of_a_difference_end_at_the_first_bound_that_holds_it(
    values: list[float], bound: float
) -> None:
    assert scales.difference_bound(np.array(values)) == bound
