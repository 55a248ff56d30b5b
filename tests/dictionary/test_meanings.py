"""The meanings of words, out of the table that comes with Polysee."""

from __future__ import annotations

import gzip

import pytest

from core.dictionary import TABLE, lemma, meanings_of, parts_of
from core.dictionary.meanings import MOST
from core.errors import NotSupported
from core.examples import words
from core.examples.picked import PICKED
from core.examples.third import THIRD


def names(word: str) -> list[str]:
    return [named[0] for named in meanings_of(word)]


@pytest.mark.parametrize("form", ["call", "calls", "Calling", "CALLED"])
def test_the_forms_of_a_word_have_one_lemma(form: str) -> None:
    assert lemma(form) == "call"


@pytest.mark.parametrize("word", ["", "call*", "Straße", "은행", "a" * 10_000])
def test_what_no_dictionary_has_is_its_own_lemma(word: str) -> None:
    assert lemma(word) == word.casefold()


@pytest.mark.parametrize(
    ("form", "word"),
    [("ran", "run"), ("runs", "run"), ("apples", "apple"), ("Coats", "coat"), ("mice", "mouse")],
)
def test_a_form_has_the_meanings_of_its_word(form: str, word: str) -> None:
    assert meanings_of(form)[:3] == meanings_of(word)[:3] != ()


@pytest.mark.parametrize(
    ("word", "two"),
    [
        ("coat", ("garment", "paint")),
        ("book", ("written", "reserve")),
        ("sentence", ("words", "prison")),
        ("conductor", ("music", "electricity")),
        ("band", ("musical", "strip")),
        ("right", ("direction", "correct")),  # adjectives too
        ("light", ("weight", "lamp")),
        ("seal", ("stamp", "marine")),
    ],
)
def test_both_meanings_that_one_looks_for_are_there(word: str, two: tuple[str, str]) -> None:
    for one in two:
        assert any(one in named for named in meanings_of(word)), one


def test_meanings_of_mostly_the_same_words_are_one_and_others_stay() -> None:
    assert sum("bells" in one for one in meanings_of("ring")) == 1  # sound, bells; bells, sound
    assert any("jewelry" in one for one in meanings_of("ring"))  # it shares two words with a hoop


@pytest.mark.parametrize(
    "text", ["", "xylophone", "the bank", "банк", "🎣", "bank1", "x" * 10_000, "<b>"]
)
def test_what_the_dictionary_does_not_have(text: str) -> None:
    assert meanings_of(text) == ()


def test_the_table_holds_a_few_words_for_each_meaning_and_nothing_else() -> None:
    for line in gzip.decompress(TABLE.read_bytes()).decode().splitlines():
        word, *every = line.split("\t")
        assert 2 <= len(every) <= MOST, word
        for named in every:
            parts, *one = named.split(" ")
            assert parts in {"n", "v", "a", "nv", "an", "av", "anv"}
            assert 2 <= len(one) <= 5
            assert all(part.isascii() and part.isalpha() and part.islower() for part in one), line
            assert word not in one


@pytest.mark.parametrize(
    ("word", "name", "parts"),
    [
        ("jam", "fruit", "n"),
        ("jam", "push", "v"),
        ("ring", "bells", "nv"),  # two meanings with much the same words are one
        ("bear", "mammals", "n"),
        ("light", "weight", "a"),
        ("ran", "fast", "nv"),  # as "run"
    ],
)
def test_a_meaning_has_the_parts_of_speech_of_all_that_are_shown_as_it(
    word: str, name: str, parts: str
) -> None:
    (found,) = {
        of for of, names in zip(parts_of(word), meanings_of(word), strict=True) if name in names
    }
    assert found == {*parts}


def test_no_form_of_a_word_names_one_of_its_meanings() -> None:
    for word in ("jam", "run", "arm", "bear", "become", "bite"):
        assert word not in {lemma(name) for names in meanings_of(word) for name in names}


@pytest.mark.parametrize("word", ["bitch", "faggot", "spic", "whore", "slut"])
def test_no_slur_is_offered(word: str) -> None:
    assert meanings_of(word) == ()


def test_every_labelled_word_has_what_a_reader_would_pick() -> None:
    assert {*PICKED} == {*words()} == {*THIRD}
    for word, picked in PICKED.items():
        low, high = ([i for i, of in enumerate(meanings_of(word)) if one in of] for one in picked)
        assert low, word
        assert high, word
        assert low[0] != high[0]


def test_other_languages_have_their_own_dictionaries() -> None:
    assert [lemma(one, "de") for one in ("Gingen", "Häuser", "xyz1")] == ["gehen", "haus", "xyz1"]
    assert lemma("mange", "fr") == "manger"
    with pytest.raises(NotSupported, match="dictionary of lemmas"):
        lemma("going", "xx")
