"""The senses in a table of word vectors: by hand, on vectors in a plane."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.senses.tables import knows_both, neighbours, same_topic

WORDS = ("bank", "river", "shore", "money", "loan")
# Angles: bank lies between both, nearer to money.
TABLE = np.array(
    [
        [length * np.cos(a), length * np.sin(a)]
        for length, a in zip((2, 1, 3, 1, 5), np.deg2rad([40.0, 100, 110, 10, 0]), strict=True)
    ]
)
SENSES = {"bank": {"water": ("river", "shore"), "cash": ("money", "loan")}}


def test_neighbours_by_angle() -> None:
    found = neighbours(TABLE, WORDS, "bank", k=3)
    assert [one.word for one in found] == ["money", "loan", "river"]
    assert [one.cosine for one in found] == pytest.approx(np.cos(np.deg2rad([30, 40, 60])))
    with pytest.raises(ValueError, match="sea"):
        neighbours(TABLE, WORDS, "sea", k=1)


def test_both_senses_are_near_only_if_enough_neighbours_count() -> None:
    assert knows_both(TABLE, WORDS, SENSES, k=2) == ()
    assert knows_both(TABLE, WORDS, SENSES, k=3) == ("bank",)


def test_the_nearest_of_the_same_topic() -> None:
    assert same_topic(TABLE, WORDS, {"water": ("river", "shore"), "cash": ("money", "loan")}) == 1
    assert same_topic(TABLE, WORDS, {"a": ("river", "money"), "b": ("shore", "loan")}) == 0
    # The river's nearest is the shore (another topic), and so on; the bank's nearest is money.
    mixed = {"a": ("bank", "money"), "b": ("river", "shore"), "c": ("loan",)}
    assert same_topic(TABLE, WORDS, mixed) == pytest.approx(3 / 5)
