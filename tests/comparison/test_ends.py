"""The two ends of an axis: as typed, as known, and as drawn from the sentences."""

from __future__ import annotations

import pytest

from core.comparison import Ends
from core.comparison.ends import (
    MOST_NAME,
    TOY_SENTENCES,
    contexts,
    continues,
    end_of,
    given,
    known,
    nameless,
    names,
    sentences_alone,
    settle,
    typed_end,
)
from core.errors import NotSupported
from core.examples import ANCHORS, known_ends, labelled, words
from core.records.spelling import UNCASED
from core.tasks.languages.senses import labelled as grammar

STEEP = "The bank, by the river, was steep."


@pytest.mark.parametrize(
    ("typed", "name", "items"),
    [
        ("money, deposit, cash", "money", ("money", "deposit", "cash")),
        ("cash", "cash", ("cash",)),
        ("money: cash, loan", "money", ("cash", "loan")),
        ("river bank: water, shore", "river bank", ("water", "shore")),  # the name holds the word
        (" cash ,, cash , loan ,", "cash", ("cash", "loan")),
        ("at 10:30, noon", "at 10:30", ("at 10:30", "noon")),
        ("bank, river", "bank", ("bank", "river")),
        ("river bank, shore", "shore", ("river bank", "shore")),
        (STEEP, "The bank, by the river…", (STEEP,)),  # its commas are no list
        ("The  banks\twere high.", "The banks were high.", ("The banks were high.",)),
        ("Note: the bank is closed.", "Note: the bank is…", ("Note: the bank is closed.",)),
        (f"river: water\n{STEEP}\nshore", "river", ("water", STEEP, "shore")),
        (f"wild:\n{STEEP}", "wild", (STEEP,)),
        ("wild:", "wild", ()),
        ("", "", ()),
        (" , \n,", "", ()),
        ("<b>, *x*", "<b>", ("<b>", "*x*")),
    ],
)
def test_an_end_as_it_is_typed(typed: str, name: str, items: tuple[str, ...]) -> None:
    assert end_of(typed, "bank") == (name, items)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("I keep my savings in the bank.", "I keep my savings in the…"),
        ("The bank of the river was steep.", "The bank of the river…"),
        ("The bank, which was very, very old.", "The bank, which was…"),
        ("The bank is closed now.", "The bank is closed now."),
        (f"{'y' * 30} bank", f"{'y' * MOST_NAME}…"),  # no word of it is short enough
    ],
)
def test_a_sentence_names_its_end_by_whole_words(sentence: str, name: str) -> None:
    assert end_of(sentence, "bank") == (name, (sentence,))
    assert end_of(typed_end(name, (sentence,), "bank"), "bank") == (name, (sentence,))


@pytest.mark.parametrize("word", words())
def test_what_we_know_of_a_word_is_read_as_it_is_written(word: str) -> None:
    ends = known_ends(word)
    assert ends is not None
    for name, items in zip(ends.names, (ends.low, ends.high), strict=True):
        for part in (items, items[:1], items[6:], items[:6]):
            assert end_of(typed_end(name, part, word), word) == (name, part)


def test_sentences_alone_keep_the_name_of_their_end() -> None:
    found = known("bank", (), UNCASED)
    assert found is not None
    assert typed_end("wild", (STEEP,), "bank") == f"wild:\n{STEEP}"
    assert typed_end("The bank, by the river…", (STEEP,), "bank") == STEEP
    assert typed_end("cash", ("cash", "loan"), "bank") == "cash, loan"
    assert typed_end("", (), "bank") == ""


def test_what_the_page_finds_for_a_word() -> None:
    found = known("Banks", (), UNCASED)
    assert found is not None
    assert found.names == ("money", "river")
    assert found.low[:6] == ANCHORS["bank"].low.words
    assert not found.proposed
    one = labelled("bank")[0].text
    less = known("bank", (one,), UNCASED)
    assert less is not None
    assert one in found.low
    assert one not in less.low
    assert known("lamp", (), UNCASED) is None


def test_a_model_that_was_trained_here_has_the_sentences_of_its_language() -> None:
    found = known("Bank", (), UNCASED, toy=True)
    assert found is not None
    assert found.names == ("wild", "office")
    assert len(found.low) == len(found.high) == TOY_SENTENCES
    texts = {" ".join(one.words) for one in grammar("bank", TOY_SENTENCES)}
    assert {*found.low, *found.high} == texts
    here = known("bank", (found.low[0].upper(),), UNCASED, toy=True)
    assert here is not None
    assert here.low == found.low[1:]
    assert known("lamp", (), UNCASED, toy=True) is None
    for name, items in zip(found.names, (found.low, found.high), strict=True):
        assert end_of(typed_end(name, items, "bank"), "bank") == (name, items)


def choose(
    low: str = "", high: str = "", word: str = "bank", proposed: Ends | None = None
) -> Ends | None:
    return settle((low, high), word, known(word, (), UNCASED) or proposed)


def test_what_is_typed_takes_the_place_of_what_is_known() -> None:
    own = known("bank", (), UNCASED)
    assert choose() == own
    assert own is not None
    assert choose("cash, loan") == Ends(("cash", "river"), ("cash", "loan"), own.high)
    # the line holds the word: it is one sentence
    assert choose("cash, loan", f"green: {STEEP}") == Ends(
        ("cash", "green: The bank, by the…"), ("cash", "loan"), (f"green: {STEEP}",)
    )
    assert choose("cash, loan", f"green:\n{STEEP}") == Ends(
        ("cash", "green"), ("cash", "loan"), (STEEP,)
    )
    assert choose(",", f"green:\n{STEEP}") is None


def test_an_unknown_word_needs_both_ends() -> None:
    assert choose(word="lamp") is None
    assert choose("light", word="lamp") is None
    assert choose("light", "ship", word="lamp") == Ends(("light", "ship"), ("light",), ("ship",))


def test_one_proposed_end_makes_both_a_proposal() -> None:
    drawn = Ends(("ship", "blue"), ("ship",), ("blue",), proposed=True)
    assert choose(word="lamp", proposed=drawn) == drawn
    assert choose("harbour", word="lamp", proposed=drawn) == Ends(
        ("harbour", "blue"), ("harbour",), ("blue",), proposed=True
    )
    assert choose("harbour", "colour", word="lamp", proposed=drawn) == Ends(
        ("harbour", "colour"), ("harbour",), ("colour",)
    )
    assert choose(proposed=drawn) == known("bank", (), UNCASED)  # what we know comes first


def test_ends_that_are_given_as_lists_are_called_as_typed_ones() -> None:
    assert given(["cash", "loan"], [STEEP], "bank", UNCASED) == Ends(
        ("cash", "The bank, by the river…"), ("cash", "loan"), (STEEP,)
    )
    mixed = given([STEEP, "shore"], ["cash"], "bank", UNCASED)
    assert mixed.names == ("shore", "cash")
    for low, high in (([], ["cash"]), (["cash"], [])):
        with pytest.raises(NotSupported, match="Each of the two ends"):
            given(low, high, "bank", UNCASED)


def test_a_model_without_frames_keeps_the_sentences_alone() -> None:
    assert sentences_alone(f"river: water\n{STEEP}\nshore", "bank") == (
        f"river:\n{STEEP}",
        ("water", "shore"),
    )
    assert sentences_alone("water, shore", "bank") == ("", ("water", "shore"))
    assert sentences_alone(STEEP, "bank") == (STEEP, ())
    assert sentences_alone(" , ", "bank") == (" , ", ())


@pytest.mark.parametrize(
    ("low", "high", "shown", "contexts_"),
    [
        ("", "", ("ship", "blue"), ("ship", "blue")),
        ("cold: ice, snow", "", ("cold", "blue"), ("cold: ice, snow", "blue")),
        (",", "red", (",", "red"), (",", "red")),
    ],
)
def test_what_the_boxes_show(
    low: str, high: str, shown: tuple[str, str], contexts_: tuple[str, str]
) -> None:
    drawn = Ends(("ship", "blue"), ("ship",), ("blue",), proposed=True)
    assert names((low, high), "lamp", drawn) == shown
    assert names((low, high), "lamp", None) == (low and shown[0], high and shown[1])
    for i, typed in enumerate((low, high)):
        assert contexts(typed, i, "lamp", drawn) == contexts_[i]
        assert contexts(typed, i, "lamp", None) == (typed and contexts_[i])


def test_what_names_no_meaning_is_said_once() -> None:
    assert nameless((",", "cash")) == [","]
    assert nameless((",", ",")) == [","]
    assert nameless(("", "")) == []


def test_a_sentence_that_is_changed_is_still_the_same_and_another_is_not() -> None:
    before = "She hung her coat behind the door."
    assert continues(before, "Garment: She hung her coat behind the door.", "coat")
    assert continues(before, "She hung her warm coat behind a door.", "coat")
    assert continues(before, "Behind the door. She hung her coat.", "coat")
    assert not continues(before, "The wall needs a second coat of paint.", "coat")
    assert not continues(before, "", "coat")
    assert continues("coat", "A coat.", "coat")
