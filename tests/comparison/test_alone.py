"""A word by itself: the text that holds nothing else, and the zero from which its sentence moves it."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.comparison import Chosen
from core.comparison.alone import by_itself, position_alone
from core.comparison.source import Direct
from core.settings import BEGINNING
from tests.comparison.asking import known

TEXTS = [
    ("The Bank lends.", "bank", 0, "Bank"),
    ("Two banks.", "banks", 0, "banks"),
    ("By the riverbank.", "*bank", 0, "riverbank"),
    ("At the river bank now.", "river bank", 0, "river bank"),
    ("bank, bank and BANK", "bank", 2, "BANK"),
    ("a café", "cafe", 0, "café"),
    ("Don't embank it!", "don't", 0, "Don't"),
    ("🎣bank!", "bank", 0, "bank"),
    ("لديه حساب في البنك.", "بنك", 0, "البنك"),
]


@pytest.mark.parametrize(("text", "word", "number", "alone"), TEXTS)
def test_it_is_the_word_as_it_is_spelled_there(
    minilm: core.Model, text: str, word: str, number: int, alone: str
) -> None:
    found = by_itself(minilm.trace(text), Chosen(text, word, number))
    assert found == Chosen(alone, alone, 0)
    there = minilm.trace(found.text)
    own = there.find(found.word, found.number).tolist()
    assert [there.tokens[i] for i in range(len(there.tokens)) if i not in own] == ["[CLS]", "[SEP]"]


def test_a_model_that_reads_from_left_to_right_gets_a_beginning(minilm: core.Model) -> None:
    for word, number in (("bank", 0), ("the", 1)):
        text = f"He saw {word}."
        found = by_itself(minilm.causal_trace(text), Chosen(text, word, 0))
        assert found == Chosen(BEGINNING.format(word=word), word, number)
        there = minilm.trace(found.text)
        assert there.find(found.word, found.number).tolist() == [2]


def test_it_stands_where_the_model_reads_it_alone(minilm: core.Model) -> None:
    ends = known("bank", "He sat on the bank.")
    axis = minilm.sense_axis("bank", ends.low, ends.high)
    side = Chosen("He sat on the bank of the river.", "bank", 0)
    alone = minilm.trace("bank")
    expected = axis.coordinates(alone, alone.find("bank"))
    # It was read in a batch with the contexts of the ends: equal up to the rounding of float32.
    np.testing.assert_allclose(position_alone(side, Direct(minilm), axis), expected, rtol=0, atol=1e-5)
    # Whatever else is said, one word has one such position.
    other = Chosen("The bank lent me money.", "bank", 0)
    np.testing.assert_array_equal(
        position_alone(other, Direct(minilm), axis), position_alone(side, Direct(minilm), axis)
    )


def test_a_word_in_another_spelling_is_read_as_its_sentence_has_it(minilm: core.Model) -> None:
    ends = known("bank", "He sat on the bank.")
    axis = minilm.sense_axis("bank", ends.low, ends.high)
    source = Direct(minilm)
    found = position_alone(Chosen("Two banks lent money.", "banks", 0), source, axis)
    alone = minilm.trace("banks")
    expected = axis.coordinates(alone, alone.find("banks"))
    np.testing.assert_array_equal(found, expected)
    assert abs(found - axis.coordinates_alone).max() > 0.01
