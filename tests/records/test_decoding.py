"""The record of a decoded text refuses what does not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.records.decoding import Decoding
from core.tasks import shipped


@pytest.fixture(scope="module")
def made() -> Decoding:
    return shipped().decode("I am a student")


def test_it_knows_its_words_and_the_likeliest(made: Decoding) -> None:
    assert made.ended
    assert made.words == made.tokens[:-1]
    assert [made.likeliest(i) for i in range(len(made.tokens))] == list(made.tokens)
    assert made.likeliest_id(0) == made.ids[0]
    other = replace(made, own=tuple((7, "x") for _ in made.tokens), ended=False)
    assert (other.likeliest(1), other.likeliest_id(1), other.words) == ("x", 7, made.tokens)


def test_what_does_not_fit_is_refused(made: Decoding) -> None:
    for wrong in ({"tokens": made.tokens[:-1]}, {"ids": ()}, {"own": ((1, "a"),)}):
        with pytest.raises(ValueError, match="fit"):
            replace(made, **wrong)
