"""Reference translations, against the sentences that the grammar draws."""

from __future__ import annotations

import numpy as np
import pytest

from core.tasks.languages.grammar import Writer
from core.tasks.languages.references import LONGEST, references


def test_every_drawn_sentence_is_found_again() -> None:
    writer = Writer(np.random.default_rng(3))
    for _ in range(150):
        drawn = writer.sentence()
        assert len(drawn.english) <= LONGEST
        found = {(one.french, one.alignment, one.pairs) for one in references(drawn.english)}
        assert (drawn.french, drawn.alignment, drawn.pairs) in found
        assert len({french for french, *_ in found}) == 1  # nothing in the language is ambiguous


@pytest.mark.parametrize(
    ("english", "french", "looks"),
    [
        ("i am a student", "je suis étudiant", (0, 1, 3)),
        ("the black cat sleeps", "le chat noir dort", (0, 2, 1, 3)),
        ("do you have an expensive car ?", "est-ce que vous avez une voiture chère ?", None),
        ("she does not have a red car", "elle n' a pas de voiture rouge", (0, 2, 3, 2, 4, 6, 5)),
    ],
)
def test_by_hand(english: str, french: str, looks: tuple[int, ...] | None) -> None:
    (found,) = references(english.split())
    assert found.french == tuple(french.split())
    assert looks in (None, found.alignment)


@pytest.mark.parametrize(
    "english",
    [
        *("", "i", "a student i am", "i is a student", "he am tired", "an cat sleeps", "zebra"),
        *("i " * 40, "small good big cat dog horse sees likes has a my the"),
    ],
)
def test_what_is_no_sentence_of_it(english: str) -> None:
    assert references(english.split()) == ()
