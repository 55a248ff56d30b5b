"""A record of patched runs: what comes back, and what it refuses to be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.records.patching import Patching


def patching(differences: Any, **more: Any) -> Patching:
    """Two prompts of three tokens, "The red cat" and "The blue cat"; A ends at +3 logits, B at −1."""
    fields: dict[str, Any] = {
        "by": "position",
        "tokens": (("The", "Ġred", "Ġcat"), ("The", "Ġblue", "Ġcat")),
        "offsets": (((0, 3), (4, 7), (8, 11)), ((0, 3), (4, 8), (9, 12))),
        "texts": ("The red cat", "The blue cat"),
        "answers": (" ran", " sat"),
        "ids": (5, 7),
        "a": 3.0,
        "b": -1.0,
        "words": np.array([-1.0, 3.0, -1.0]),
        "differences": np.asarray(differences, np.float32),
        "at": None,
        "model": "model",
    }
    return Patching(**(fields | more))


FLOWS: list[list[float]] = [[-1, 3, -1], [-1, 3.4, 0], [-1, -3, 3], [-1, -1, 3]]


def test_what_comes_back_is_the_share_of_the_difference() -> None:
    found = patching(FLOWS)
    shares: list[list[float]] = [[0, 1, 0], [0, 1.1, 0.25], [0, -0.5, 1], [0, 0, 1]]
    np.testing.assert_allclose(found.recovered, shares, rtol=1e-6)
    np.testing.assert_allclose(found.recovered_by_word, [0, 1, 0])
    assert found.differ == (1,)
    assert found.done == 1
    assert not found.differences.flags.writeable


def test_the_smaller_end_may_be_that_of_a() -> None:
    found = replace(patching(FLOWS), a=-1.0, b=3.0)
    np.testing.assert_allclose(found.recovered[0], [1, 0, 1])


def test_what_is_not_there_yet_stays_unknown() -> None:
    found = patching([[np.nan, 3, -1], [np.nan, 3, -1]])
    assert found.done == pytest.approx(2 / 3)
    assert np.isnan(found.recovered[:, 0]).all()


def test_the_table_names_both_tokens() -> None:
    frame = patching(FLOWS).to_frame()
    row = frame.iloc[4]
    assert (row.depth, row.position, row.token_a, row.token_b) == (1, 1, "Ġred", "Ġblue")
    assert (row.difference, row.recovered) == (pytest.approx(3.4), pytest.approx(1.1))
    heads = patching([[0, 1], [2, 3]], by="head", at=2).to_frame()
    assert heads.iloc[2].to_dict() == {"layer": 1, "head": 0, "difference": 2, "recovered": 0.75}


def test_each_token_as_it_stands_in_its_text() -> None:
    assert patching(FLOWS).pieces == (("The", " red", " cat"), ("The", " blue", " cat"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"a": -1.0},
        {"a": -0.995},
        {"b": float("nan")},
        {"words": [0.0]},
        {"differences": [[1.0, 2.0]]},
        {"differences": [1.0, 2.0, 3.0]},
        {"by": "layer"},
        {"by": "head", "at": 3},
        {"tokens": (("The",), ("The", "cat"))},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any]) -> None:
    more = {k: np.asarray(v) if k in ("words", "differences") else v for k, v in wrong.items()}
    with pytest.raises(ValueError, match=r"\w"):
        patching(more.pop("differences", FLOWS), **more)
