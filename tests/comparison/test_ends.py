"""The two ends of an axis: as typed, as in a link, and as the page finds them."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from core.comparison import Ends
from core.comparison.ends import MOST_NAME, TOY_SENTENCES, end_of, settle, typed_end
from core.examples import ANCHORS, known_ends, labelled, words
from core.tasks.languages.senses import labelled as grammar
from ui.contributions import state as why_state
from ui.models import session_models
from ui.sense_ends import ENDS, adopt, ends_for

STEEP = "The bank, by the river, was steep."


@pytest.mark.parametrize(
    ("typed", "name", "items"),
    [
        ("money, deposit, cash", "money", ("money", "deposit", "cash")),  # as in old links
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
    found = ends_for("minilm", "bank", ())
    assert found is not None
    assert typed_end("wild", (STEEP,), "bank") == f"wild:\n{STEEP}"
    assert typed_end("The bank, by the river…", (STEEP,), "bank") == STEEP
    assert typed_end("cash", ("cash", "loan"), "bank") == "cash, loan"
    assert typed_end("", (), "bank") == ""


def test_what_the_page_finds_for_a_word() -> None:
    found = ends_for("minilm", "Banks", ())
    assert found is not None
    assert found.names == ("money", "river")
    assert found.low[:6] == ANCHORS["bank"].low.words
    assert not found.proposed
    one = labelled("bank")[0].text
    less = ends_for("minilm", "bank", (one,))
    assert less is not None
    assert one in found.low
    assert one not in less.low
    assert ends_for("minilm", "lamp", ()) is None


def test_a_model_that_was_trained_here_has_the_sentences_of_its_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_models, "is_own", lambda name: True)
    found = ends_for("yours-1", "Bank", ())
    assert found is not None
    assert found.names == ("wild", "office")
    assert len(found.low) == len(found.high) == TOY_SENTENCES
    texts = {" ".join(one.words) for one in grammar("bank", TOY_SENTENCES)}
    assert {*found.low, *found.high} == texts
    here = ends_for("yours-1", "bank", (found.low[0].upper(),))
    assert here is not None
    assert here.low == found.low[1:]
    assert ends_for("yours-1", "lamp", ()) is None
    for name, items in zip(found.names, (found.low, found.high), strict=True):
        assert end_of(typed_end(name, items, "bank"), "bank") == (name, items)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    state: dict[str, Any] = {p.key: p.default for p in (*ENDS, *why_state.BETWEEN)}
    monkeypatch.setattr(st, "session_state", state)
    return state


def choose(word: str = "bank", proposed: Ends | None = None) -> Ends | None:
    return settle([one.get() for one in ENDS], word, ends_for("minilm", word, ()) or proposed)


def test_what_is_typed_takes_the_place_of_what_is_known(session: dict[str, Any]) -> None:
    known = ends_for("minilm", "bank", ())
    assert choose() == known
    assert known is not None
    session[ENDS.low.key] = "cash, loan"
    assert choose() == Ends(("cash", "river"), ("cash", "loan"), known.high)
    session[ENDS.high.key] = f"green: {STEEP}"  # the line holds the word: it is one sentence
    assert choose() == Ends(
        ("cash", "green: The bank, by the…"), ("cash", "loan"), (f"green: {STEEP}",)
    )
    session[ENDS.high.key] = f"green:\n{STEEP}"
    assert choose() == Ends(("cash", "green"), ("cash", "loan"), (STEEP,))
    session[ENDS.low.key] = " , "
    assert choose() is None


def test_an_unknown_word_needs_both_ends(session: dict[str, Any]) -> None:
    assert choose("lamp") is None
    session[ENDS.low.key] = "light"
    assert choose("lamp") is None
    session[ENDS.high.key] = "ship"
    assert choose("lamp") == Ends(("light", "ship"), ("light",), ("ship",))


def test_one_proposed_end_makes_both_a_proposal(session: dict[str, Any]) -> None:
    drawn = Ends(("ship", "blue"), ("ship",), ("blue",), proposed=True)
    assert choose("lamp", drawn) == drawn
    session[ENDS.low.key] = "harbour"
    assert choose("lamp", drawn) == Ends(("harbour", "blue"), ("harbour",), ("blue",), proposed=True)
    session[ENDS.high.key] = "colour"
    assert choose("lamp", drawn) == Ends(("harbour", "colour"), ("harbour",), ("colour",))
    known = ends_for("minilm", "bank", ())
    session.update({p.key: "" for p in ENDS})
    assert choose("bank", drawn) == known  # what we know comes first


LINES = "x | A tall bank of grass.\ny | The bank lends money.\nz | Bank on it.\nx | no such word"


@pytest.mark.parametrize(
    ("wanted", "low", "high"),
    [
        ({}, "x:\nA tall bank of grass.", "y:\nThe bank lends money."),
        ({"to": "z"}, "x:\nA tall bank of grass.", "z:\nBank on it."),
        ({"from": "y"}, "y:\nThe bank lends money.", "x:\nA tall bank of grass."),
        ({"from": "nobody", "to": "x"}, "y:\nThe bank lends money.", "x:\nA tall bank of grass."),
    ],
)
def test_an_old_link_with_labelled_sentences(
    session: dict[str, Any], wanted: dict[str, str], low: str, high: str
) -> None:
    session[why_state.AXIS.key] = "labels"
    session[why_state.LINES.key] = LINES
    session[why_state.FROM.key] = wanted.get("from", "")
    session[why_state.TO.key] = wanted.get("to", "")
    adopt(ENDS, "bank")
    assert (session[ENDS.low.key], session[ENDS.high.key]) == (low, high)
    found = choose()
    assert found is not None
    assert found.names == (low[0], high[0])
    # Only once: what a visitor types afterwards stays.
    assert [session[p.key] for p in why_state.BETWEEN] == [p.default for p in why_state.BETWEEN]
    session[ENDS.low.key] = "cash"
    adopt(ENDS, "bank")
    assert session[ENDS.low.key] == "cash"


def test_old_links_without_sentences_of_their_own_leave_the_ends(session: dict[str, Any]) -> None:
    for axis, lines in (("labels", ""), ("anchors", LINES)):
        session[why_state.AXIS.key], session[why_state.LINES.key] = axis, lines
        adopt(ENDS, "bank")
        assert choose() == ends_for("minilm", "bank", ())


def test_of_one_label_alone_the_other_end_is_our_own(session: dict[str, Any]) -> None:
    session[why_state.AXIS.key] = "labels"
    session[why_state.LINES.key] = "x | A tall bank of grass.\ny | no such word"
    adopt(ENDS, "bank")
    found = choose()
    assert found is not None
    assert found.names == ("x", "river")
