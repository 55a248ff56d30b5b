"""Ends out of a dictionary: what is offered, what a model guesses, what a visitor picks."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import core
from core.comparison import Chosen, Ends, Question, dictionary
from core.comparison.ends import end_of, settle, typed_end
from core.comparison.judge import between
from core.comparison.say import fits_in_numbers, how_unsure, said
from core.comparison.source import Direct
from core.comparison.word_and_ends import ask
from core.dictionary import meanings_of

BATON = "The conductor raised his baton before the orchestra."
COPPER = "Copper is a good conductor of electricity."


@pytest.fixture(scope="module")
def source(minilm: core.Model) -> Direct:
    return Direct(minilm)


def sides(a: str, b: str, word: str) -> tuple[Chosen, Chosen]:
    return Chosen(a, word, 0), Chosen(b, word, 0)


def test_a_new_word_gets_a_verdict_between_what_the_model_guesses(source: Direct) -> None:
    question = ask(source, (BATON, COPPER), ("conductor", "conductor"))
    assert question.ends is not None
    assert question.ends.guessed
    assert "electricity" in question.ends.low  # the nearest of B
    assert "musical" in question.ends.high  # the nearest of A
    found = between(question, source)
    assert found is not None
    assert (found.verdict.answer, found.verdict.ends) == ("two meanings", "guessed")


def test_the_same_meanings_picked_by_a_person_are_judged_as_such(source: Direct) -> None:
    guessed = dictionary.guessed(source, sides(BATON, COPPER, "conductor"))
    assert guessed is not None
    typed = guessed._replace(guessed=False)
    assert dictionary.kind_of(typed, "conductor") == "picked"
    found = between(Question("minilm", *sides(BATON, COPPER, "conductor"), typed), source)
    assert found is not None
    assert found.verdict.ends == "picked"
    by_hand = "The two meanings were chosen, not found"
    assert by_hand in " ".join(said(found, source))
    surely = between(Question("minilm", *sides(BATON, COPPER, "conductor"), guessed), source)
    assert surely is not None
    assert by_hand not in " ".join(said(surely, source))


def test_ends_of_ones_own_are_chosen_as_well_whatever_the_word_is(source: Direct) -> None:
    """A made-up word has no meaning: that it sides with *food* is no find."""
    by_hand = "The two meanings were chosen, not found"
    ends = Ends(("animal", "food"), ("animal",), ("food",))
    texts = "He cooked a {} for dinner.", "She ate the {} with rice."
    for word in ("blorf", "fish"):
        a, b = (text.format(word) for text in texts)
        found = between(ask(source, (a, b), (word, word), lambda _: ends), source)
        assert found is not None
        assert found.verdict.is_clear
        assert by_hand in " ".join(said(found, source))
    known = between(ask(source, ("A river bank.", "A bank lends money."), ("bank", "bank")), source)
    assert known is not None
    assert known.verdict.is_clear
    assert by_hand not in " ".join(said(known, source))


def test_no_meaning_of_another_part_of_speech_is_proposed(source: Direct) -> None:
    """Some meanings are listed for a noun and its verb, and their definition is of one of them."""
    texts = "I read a good book on the train.", "Please book a table for two."
    noun, verb = sides(*texts, "book")
    every = dictionary.offered(source, (noun, verb))
    of_noun, of_verb = (
        [one.name for one in dictionary.plausible(source, side, every)] for side in (noun, verb)
    )
    assert of_noun[0] == "written work or composition"
    assert not {"engage for a performance", "arrange for and reserve in advance"} & {*of_noun}
    assert "compilation of the known facts" not in of_verb
    assert "arrange for and reserve in advance" in of_verb
    ring = sides("The band played.", "She wore a gold band on her finger.", "band")
    every = dictionary.offered(source, ring)
    named = [one.name for one in dictionary.plausible(source, ring[1], every)]
    assert "jewelry consisting of a circlet" in named  # listed for the noun and its verb


def test_how_unsure_names_the_sides_that_fail_with_a_decimal_near_the_limit(
    source: Direct, monkeypatch: pytest.MonkeyPatch
) -> None:
    light = ask(source, ("The light was bright.", "The bag was light."), ("light", "light"))
    found = between(light, source)
    assert found is not None
    for sureness, there, gone in (
        ((0.796, 0.154), ("79.6 % in A", "15 % in B", "80 % needed"), ()),
        ((0.952, 0.11), ("11 % in B",), ("in A", "95")),
        ((0.7999, 0.9), ("79.9 % in A",), ("in B",)),
    ):
        monkeypatch.setattr(dictionary, "sureness", lambda *_, now=sureness: now)
        told = how_unsure(found, source)
        assert all(one in told for one in there)
        assert not any(one in told for one in gone)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (("electricity",), ("music",)),  # one word of each
        (("electricity", "substance", "heat"), ("river", "water", "shore")),
        (("electricity", "music", "fares"), ("director", "leads", "musical")),  # of several meanings
    ],
)
def test_words_of_ones_own_are_not_a_meaning_of_the_dictionary(
    low: tuple[str, ...], high: tuple[str, ...]
) -> None:
    assert dictionary.kind_of(Ends(("a", "b"), low, high), "conductor") is None


@pytest.mark.parametrize(
    ("a", "b", "word"),
    [
        ("Das Gift wirkt schnell und ist tödlich.", "Er hat das Gift in den Wein getan.", "Gift"),
        ("A lantern.", "The lantern!", "lantern"),
        ("🎣 fish", "🎣 sea", "🎣"),
    ],
)
def test_nothing_is_offered_in_other_languages_or_for_words_that_are_not_there(
    source: Direct, a: str, b: str, word: str
) -> None:
    assert dictionary.offered(source, sides(a, b, word)) == ()
    assert dictionary.guessed(source, sides(a, b, word)) is None


def test_two_words_have_no_meanings_in_common(source: Direct) -> None:
    two = [Chosen(BATON, "baton", 0), Chosen(COPPER, "conductor", 0)]
    assert dictionary.offered(source, two) == ()


def test_one_sentence_has_its_meaning_and_the_next(source: Direct) -> None:
    found = dictionary.guessed(source, sides(BATON, COPPER, "conductor")[:1])
    assert found is not None
    assert "musical" in found.high


def test_known_senses_come_first_and_stand_once(source: Direct) -> None:
    texts = ("We ordered spring rolls and fried rice.", "A broken spring poked through the mattress.")
    every = dictionary.offered(source, sides(*texts, "spring"))
    offered = dictionary.choices("spring", every)
    assert [*offered][:2] == ["season", "coil"]
    assert offered["season"] == ()
    assert not any("season" in words or "metal" in words for words in offered.values())
    assert len(offered) == len(meanings_of("spring"))


def test_a_chosen_meaning_keeps_its_side() -> None:
    offered = {"money": (), "river": (), "ridge": ("ridge", "pile"), "tip": ("tip", "pilot")}
    shown = ("money", "river")
    assert dictionary.sides(("river", "ridge"), offered, shown) == ("ridge", "river")
    assert dictionary.sides(("ridge", "money"), offered, shown) == ("money", "ridge")
    assert dictionary.sides(("tip", "ridge"), offered, ("tip", "river")) == ("tip", "ridge")
    assert dictionary.sides(("tip", "ridge"), offered, ("money", "ridge")) == ("tip", "ridge")
    assert dictionary.sides(("tip", "ridge"), offered, ()) == ("tip", "ridge")


def test_a_meaning_can_be_typed() -> None:
    words = ("garment", "sleeves", "covers")
    assert end_of(typed_end("garment, sleeves, covers", words, "coat"), "coat") == (
        "garment, sleeves, covers",
        words,
    )


@pytest.mark.parametrize(
    ("a", "b", "word", "answer"),
    [
        ("I saw a bat.", "He bought a bat.", "bat", "not clear"),
        ("He had to crane his neck.", "Do not crane your neck so much.", "crane", "neither"),
        (
            "I went to the bank to get money.",
            "We sat on the bank of the river.",
            "bank",
            "two meanings",
        ),
    ],
)
def test_no_side_is_named_without_a_cue_or_for_a_third_meaning(
    source: Direct, a: str, b: str, word: str, answer: str
) -> None:
    found = between(ask(source, (a, b), (word, word)), source)
    assert found is not None
    assert found.verdict.answer == answer


def test_the_reason_names_the_sentence_that_neither_meaning_fits(source: Direct) -> None:
    texts = ("We ordered spring rolls and fried rice.", "A broken spring poked through the mattress.")
    found = between(ask(source, texts, ("spring", "spring")), source)
    assert found is not None
    assert found.verdict.answer == "not clear"
    trace, bounds = source.trace(texts[0]), found.verdict.bounds
    assert bounds is not None
    fit = found.axes[0].fit(trace, trace.find("spring"))
    assert fit < bounds.fits
    told = found.verdict.reasons[0]
    assert told == "To the model, neither meaning fits well in A."
    numbers = fits_in_numbers(found, source)
    # With two decimals, both would be 0.83: one more says that the limit is not reached.
    assert re.findall(r"\d\.\d+", numbers) == [f"{fit:.3f}", f"{bounds.fits:.3f}"]
    near = replace(bounds, fits=fit + 1e-4)  # two decimals would say that it is reached
    close = replace(found, verdict=replace(found.verdict, bounds=near))
    low, high = map(float, re.findall(r"\d\.\d+", fits_in_numbers(close, source))[:2])
    assert low < high


def test_one_typed_end_is_no_guess_any_more(source: Direct) -> None:
    own = dictionary.guessed(source, sides(BATON, COPPER, "conductor"))
    assert own is not None
    found = settle(("banana", ""), "conductor", own)
    assert found is not None
    assert (found.low, found.high) == (("banana",), own.high)
    assert dictionary.kind_of(found, "conductor") is None
