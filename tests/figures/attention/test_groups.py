"""Heads that share keys and values are groups in the picture of all heads and in that of a layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.figures import heads_of, layer_of
from core.figures.attention.overview import MOST_BYTES, AllHeads, overview


def test_of_a_model_with_and_without_groups(made: Callable[..., Path], minilm: Any) -> None:
    for trace, group in ((core.load(str(made("llama"))).trace("the bank"), 3), (minilm.trace("a"), 1)):
        assert heads_of(trace).header["group"] == group
        assert layer_of(trace, 1).header.get("group", 1) == group
        # Pictures leave a first token out that is the sink, and special tokens.
        part = core.measures.without_special(core.measures.as_block(trace))
        assert heads_of(part).header["group"] == group
        mean = core.measures.mean_of_all(core.measures.as_block(trace))
        assert "group" not in layer_of(mean, 0, averaged=True).header


def test_groups_divide_the_heads() -> None:
    with pytest.raises(ValueError, match="groups of 2"):
        AllHeads([[[[1.0]]] * 3], group=2)


@pytest.mark.check
def test_all_heads_of_thirty_layers_stay_within_the_bound_of_bytes() -> None:
    """9 heads, 128 and 512 tokens."""
    for count in (128, 512):
        weights = np.full((30, 9, count, count), 1 / count, np.float32)
        shown = AllHeads(weights, tokens=["a"] * count, group=3)
        picture = overview(shown, sentence="", name="")
        assert len(picture.payload) <= MOST_BYTES
