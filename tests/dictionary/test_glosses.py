"""The beginnings of definitions that stand beside the names of meanings."""

from __future__ import annotations

import pytest

from core.dictionary import MOST_GLOSS, every_meaning, glosses_of, meanings_of
from tools.dictionary import LEFT_OUT
from tools.glosses import short


@pytest.mark.parametrize(
    ("word", "name", "gloss"),
    [
        ("band", "circle", "unofficial association of people or groups"),
        ("Coats", "thin", "thin layer covering something"),  # a form has those of its word
        ("conductor", "music", "person who leads a musical group"),
    ],
)
def test_a_meaning_is_said_in_words_that_belong_together(word: str, name: str, gloss: str) -> None:
    assert glosses_of(word)[name] == gloss


def test_hardly_any_breaks_off_inside_a_meaning() -> None:
    every = [gloss for word in [*every_meaning()][::40] for gloss in glosses_of(word).values()]
    assert sum(gloss.endswith("…") for gloss in every) <= 0.03 * len(every)


def test_meanings_have_one_and_it_is_short_and_fit_for_a_class() -> None:
    some = [*every_meaning()][::200]
    for word in some:
        glosses = glosses_of(word)
        for names in meanings_of(word):
            gloss = glosses[names[0]]
            assert 0 < len(gloss) <= MOST_GLOSS + 2
            assert not LEFT_OUT.search(gloss)
            assert not {*"\t\n"} & {*gloss}


@pytest.mark.parametrize("word", ["", "straße", "은행", "a" * 10_000, "x\ty", "notaword"])
def test_what_no_dictionary_has_has_none(word: str) -> None:
    assert not glosses_of(word)


def test_a_long_definition_ends_before_a_word_that_waits_for_another() -> None:
    long = "a thin flat strip of flexible material that is worn around the body; a sash"
    assert short(long) == "thin flat strip of flexible material"
    assert (
        short("outer garment that has sleeves and covers the body from the shoulder") == "outer garment"
    )
    assert (
        short("a bodily position adopted in some sports or dances at the beginning")
        == "bodily position adopted in some sports"
    )
    assert short("a " + "very " * 12 + "long way") == "very " * 8 + "very …"  # no place to end
    assert short("(music) the speed at which a piece is played") == "speed at which a piece is played"
