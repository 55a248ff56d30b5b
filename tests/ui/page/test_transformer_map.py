"""The drawing of the transformer: the page and the state to which each part leads."""

from __future__ import annotations

from typing import Any

import pytest

from ui.page.transformer_map import target

HERE = {"sentence": "The old bank", "word": ("bank", 1), "layer": 2, "head": 7}


@pytest.mark.parametrize(
    ("part", "number", "layer", "here", "page", "query"),
    [
        ("tokens", 0, 0, HERE, "step_by_step", {"p": "tokens", "bt": "The old bank"}),
        ("embedding", 0, 0, HERE, "embeddings", {"p": "words", "t": "The old bank"}),
        ("position", 0, 0, {}, "positions", {}),
        ("layer", 4, 2, HERE, "heads", {"r": "lines", "t": "The old bank", "l": "4"}),
        ("head", 5, 3, HERE, "heads", {"r": "head", "t": "The old bank", "l": "3", "h": "5"}),
        ("head", 5, 0, {}, "heads", {"r": "head", "l": "1", "h": "5"}),
        (
            "score",
            0,
            0,
            HERE,
            "step_by_step",
            {"p": "layer", "st": "scores", "ti": "0", "t": "The old bank", "l": "2", "h": "7"},
        ),
        ("vector", 0, 3, HERE, "compare", {"a": "The old bank"}),
    ],
)
def test_each_part_opens_its_page_with_the_sentence_that_is_shown(
    part: str, number: int, layer: int, here: dict[str, Any], page: str, query: dict[str, str]
) -> None:
    assert target(part, number, layer, here) == (page, query)
