"""The picture of the next word: what it sends, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.figures import next_word

LOGITS = np.array([5.0, 4.0, 4.0, -1.0, -np.inf])
WORDS: dict[str, Any] = {"sentence": "Five tokens.", "name": "next"}


def test_it_sends_every_logit_and_the_first_names() -> None:
    picture = next_word(LOGITS, [" Mary", "\n"], number=0.25, **WORDS)
    np.testing.assert_array_equal(np.frombuffer(picture.payload, "<f4"), LOGITS.astype("f4"))
    assert picture.header["labels"] == ("␣Mary", "↵")
    assert (picture.header["shown"], picture.header["number"]) == (2, 0.25)
    assert picture.state == {"temperature": 1, "topK": 0, "topP": 1, "minP": 0}


def test_a_state_from_anywhere_is_made_whole() -> None:
    picture = next_word(LOGITS, ["a"], **WORDS)
    for wanted, expected in (
        ({"temperature": 0.5, "topK": 3}, {"temperature": 0.5, "topK": 3, "topP": 1, "minP": 0}),
        ({"temperature": 99, "topP": 0, "x": 1}, {"temperature": 1, "topK": 0, "topP": 1, "minP": 0}),
        ({"minP": "1", "topK": -1}, {"temperature": 1, "topK": 0, "topP": 1, "minP": 0}),
    ):
        assert picture.choosing(wanted).state == expected


@pytest.mark.parametrize(
    ("logits", "labels", "number"),
    [
        ([], ["a"], None),
        ([1.0], [], None),
        ([1.0], ["a", "b"], None),
        ([1.0, 2.0], ["a"], None),
        ([np.nan, 1.0], ["a"], None),
        ([np.inf, 1.0], ["a"], None),
        ([-np.inf], ["a"], None),
        ([[1.0]], ["a"], None),
        ([1.0], ["a"], 1.0),
        ([1.0], ["a"], -0.1),
        ([1.0], ["a"], float("nan")),
    ],
)
def test_what_is_no_distribution_is_refused(
    logits: list[float], labels: list[str], number: float | None
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        next_word(logits, labels, number=number, **WORDS)
