"""The verdict in words: each answer, each reason, and the evidence, with its numbers."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any, Literal

import pytest

from core.comparison import Chosen, Ends, Question, say
from core.comparison.judge import Between
from core.measures import SameSenseBaseline, Spread
from core.measures.senses.how_sure import HowSure, Standing
from core.measures.senses.verdict import UNMOVED, Answer, Bounds, OneSide, Side, Verdict
from core.records.sense_axis import Dropped, End, Frames
from core.records.trace import frozen

BOUNDS = Bounds(0.2, 0.15, 1.0, -1.0, 0.85, 0.901, 0.958, 0.97, 0.95, 0.004, 0.037, 0.19, 0.448, 56)
BANK = ("bank", "bank")
ANY: Any = ()  # what is not looked at
NAMES = ("money", "<b>")


def given(
    answer: Answer | None, a: float, b: float, sides: tuple[Side, Side], *reasons: str
) -> Verdict:
    return Verdict(answer, a, b, *sides, "both", BOUNDS, reasons)


def test_the_headline_names_the_side_of_each_sentence() -> None:
    two = say.headline(BANK, NAMES, given("two meanings", 0.9, -0.6, ("high", "low")))
    assert two == (
        r"**Two meanings:** *bank* sides with **\<b\>** in :blue[**A**] and with **money** in "
        ":orange[**B**]."
    )
    one = say.headline(("bank", "banks"), NAMES, given("one meaning", -0.9, -0.6, ("low", "low")))
    assert one.startswith("**One meaning:** *bank* / *banks* sides with **money** in ")
    assert "<b" not in one


def test_a_meaning_of_several_words_stands_in_quotation_marks() -> None:
    names = ("of little weight", "lamp")
    said = say.headline(("light", "light"), names, given("two meanings", 0.9, -0.6, ("high", "low")))
    assert "sides with **lamp** in :blue[**A**] and with **“of little weight”** in" in said


@pytest.mark.parametrize(
    ("a", "b", "starts"),
    [
        (
            0.9,
            0.1,
            "Even alone, *ran* stands past the limit of 0.35, at 0.86: for **fast**, it needs no",
        ),
        (
            0.06,
            -0.9,
            "Without a sentence, *ran* already stands past the limit of 0.35, at 0.86, on the",
        ),
        (-0.1, -0.9, "Without a sentence, *ran* already stands"),
    ],
)
def test_a_side_that_its_sentences_take_the_word_from_does_need_one(
    a: float, b: float, starts: str
) -> None:
    ends = Ends(("direct", "fast"), ("direct",), ("fast",))
    ran = Chosen("", "ran", 0)
    verdict = given("not clear", a, b, ("high", "high"))
    found = Between(Question("minilm", ran, ran, ends), ANY, ANY, verdict, None, (0.86, 0.86))
    assert say.leans(found, 0.35).startswith(starts)


@pytest.mark.parametrize(("answer", "starts"), [("not clear", "Not clear"), (None, "No verdict")])
def test_without_an_answer_the_positions_are_said(answer: Answer | None, starts: str) -> None:
    said = say.headline(BANK, NAMES, given(answer, 0.494, -0.166, ("high", "low")))
    assert said.startswith(f"**{starts}:** *bank* stands at 0.49 in :blue[**A**] and at −0.17 in ")
    assert r"; **\<b\>** is +1, **money** −1." in said
    assert "sides with" not in said


def test_reasons_are_text() -> None:
    found = given(None, 0, 0, ("low", "low"), "A stands *here*.", "B too.")
    assert say.reasons(found) == r"A stands \*here\*\. B too\."
    assert say.reasons(given("one meaning", 1, 1, ("high", "high"))) == ""


def test_words_of_the_ends_that_stand_in_a_sentence() -> None:
    assert say.stands_in(()) == ""
    four = [Standing(word, "high", i % 2) for i, word in enumerate(("river", "<i>", "sea", "pond"))]
    one = say.stands_in(four[:1])
    assert one.startswith("*river* also occurs in sentence A. ")
    assert "sentence B" not in one
    last = say.stands_in(four[1:2])
    assert last.startswith(r"*\<i\>* also occurs in sentence B. ")
    said = say.stands_in(four)
    assert said.startswith(r"*river* and *sea* also occur in sentence A, *\<i\>* in sentence B; 1 more")
    assert "pond" not in said
    assert "2 more do too" in say.stands_in([*four, four[0]])
    assert "more" not in say.stands_in(four[:3])


def test_beside_the_verdict_stand_the_words_of_the_ends_that_the_sentences_contain() -> None:
    found = [Standing("river", "high", 0), Standing("sea", "high", 0), Standing("pond", "low", 1)]
    said = say.shared(found)
    assert said == "Words here that also name the two meanings: *river*, *sea* in A; *pond* in B."
    assert say.shared([]) == ""
    many = [Standing(word, "high", 1) for word in ("river", "sea", "shore", "pond", "lake")]
    assert "2 more" in say.shared(many)
    assert "pond" not in say.shared(many)
    assert "in A" not in say.shared(many)


def test_how_often_such_verdicts_are_right() -> None:
    said = say.rate("both", BOUNDS)
    assert "six or more words and six or more sentences at each end" in said
    assert "given for 90 %" in said
    assert "**96 % of those verdicts are right**" in said
    assert "verdict in 0.4 %" in said
    assert "*two meanings* in 4 % of cases, and *one meaning* in 19 %" in said  # without a clue
    assert "A third meaning of the word is recognized in 45 %" in said
    assert "unrelated" not in say.rate("picked", BOUNDS)
    assert "meanings picked from the dictionary" in say.rate("picked", BOUNDS)
    assert "one or two words" in say.rate("word", BOUNDS)
    assert "not been measured yet" in say.rate("words", None)
    assert "%" not in say.rate(None, None)


@pytest.mark.parametrize(
    ("unrelated", "said"),
    [(0.0, "0 %"), (0.0001, "less than 0.1 %"), (0.003, "0.3 %"), (0.012, "1 %"), (0.096, "10 %")],
)
def test_a_small_share_does_not_read_as_never(unrelated: float, said: str) -> None:
    told = say.rate("both", dataclasses.replace(BOUNDS, unrelated=unrelated))
    assert f"get a verdict in {said} of cases." in told


def test_what_a_verdict_needs() -> None:
    said = say.thresholds(BOUNDS)
    assert "*Two meanings* needs both positions to be more than 0.15" in said
    assert re.search(r"\*one meaning\* needs both .*more than 0\.20", said)
    assert "related" not in say.thresholds(BOUNDS)  # which ask for none
    assert "nearer end is less than 0.85, neither meaning fits" in said
    assert "at least 0.23" in say.thresholds(dataclasses.replace(BOUNDS, near=0.23))
    never = Bounds(math.inf, 0.15, 1, -1, -1, 0.5, 1, 1, 1, 0, 0, 0, 0, 56)
    assert "*one meaning* is never given" in say.thresholds(never)
    assert say.thresholds(None) == ""


def sure(cosine: float, labelled: bool) -> HowSure:
    def spread(low: float, high: float) -> Spread:
        least, middle, most = (frozen([1.0, edge]) for edge in (low, (low + high) / 2, high))
        return Spread(least, least, middle, most, most, 56)

    found = SameSenseBaseline(spread(0.78, 0.91), spread(0.64, 0.87)) if labelled else None
    return HowSure("both", BOUNDS, (), cosine, found)


def test_the_cosine_seldom_decides() -> None:
    within = say.cosine(("<b>", "b"), sure(0.85, labelled=True), "two meanings")
    assert r"*\<b\>* is 0.85." in within
    assert "0.78 to 0.91" in within
    assert "does not decide" in within
    below = say.cosine(BANK, sure(0.7, labelled=True), "two meanings")
    assert "**two meanings** too" in below
    assert "does not decide" not in below
    alone = say.cosine(BANK, sure(0.85, labelled=False), "two meanings")
    assert "0.85" in alone
    assert "tells little" in alone
    assert "0.78" not in alone


@pytest.mark.parametrize(
    ("value", "says"),
    [(0.77, "two meanings"), (0.79, "not clear"), (0.9, "not clear"), (0.96, "one meaning")],
)
@pytest.mark.parametrize("answer", ["two meanings", "one meaning", "not clear", None])
def test_a_cosine_that_disagrees_with_the_verdict_is_explained(
    value: float, says: Answer, answer: Answer | None
) -> None:
    found = sure(value, labelled=True)
    assert found.cosine_says == says
    said = say.cosine(BANK, found, answer)
    decides = says != "not clear"
    assert (f"speaks for **{says}**" in said) == decides
    assert ("does not decide" in said) == (not decides)
    assert ("this is above" in said) == (says == "one meaning")
    assert ("this is below" in said) == (says == "two meanings")
    assert ("does not rest on it" in said) == (decides and answer not in (says, None))
    assert said.endswith(" too.") == (decides and answer == says)


def test_what_the_ends_were_made_of() -> None:
    frames = Frames(
        End(("cash", "<b>"), ("The bank lends.",), ()),
        End((), ("A bank.", "The bank."), ()),
        (Dropped("bank", "It is the word itself."),),
        (),
    )
    said = say.made_of(frames)
    assert r"−1: *cash*, *\<b\>* and 1 sentence; +1: 2 sentences." in said
    assert r"Left out: *bank* (It is the word itself\.)" in said
    assert "Left out" not in say.made_of(Frames(frames.low, frames.high, (), ()))


def test_a_word_in_one_sentence() -> None:
    low = OneSide("clear", "low", -0.25, "both", BOUNDS)
    said = say.of_one("<b>", "B", low, ("money", "river"))
    assert said == r"In B, *\<b\>* sides with **money**: it stands at −0.25."
    high = OneSide("clear", "high", 0.25, "both", BOUNDS)
    assert "**river**" in say.of_one("bank", "A", high, ("money", "river"))


@pytest.mark.parametrize(("answer", "starts"), [("not clear", "Not clear"), (None, "No verdict")])
def test_of_one_sentence_no_side_is_named_that_is_not_clear(
    answer: Literal["not clear"] | None, starts: str
) -> None:
    found = OneSide(answer, "low", -0.16, "both", BOUNDS, ("It stands too near the middle.",))
    said = say.of_one("bank", "B", found, NAMES)
    assert said.startswith(f"**{starts}:** in B, ")
    assert r"at −0.16; **\<b\>** is +1, **money** −1." in said
    assert "sides with" not in said
    assert say.reasons(found) == r"It stands too near the middle\."


def test_the_same_sentence_twice_is_said_to_be_one_vector() -> None:
    nothing = given(None, 0.9, 0.9, ("high", "high"), "The same.")
    clear = OneSide("clear", "high", 0.9, "both", BOUNDS)
    said = say.headline(BANK, ("money", "river"), nothing, clear)
    assert "same sentence twice" in said
    assert "same vector" in said
    assert "sides with **river**: it stands at 0.90." in said
    near = OneSide("not clear", "low", -0.16, "both", BOUNDS)
    said = say.headline(BANK, ("money", "river"), nothing, near)
    assert "same vector" in said
    assert "Not clear: it stands at −0.16" in said
    assert "sides with" not in said


def test_a_side_is_taken_only_by_a_word_that_moved() -> None:
    moved = -1.0, 0.0
    two = given("two meanings", -1.04, 0.9, ("low", "high"))
    assert "sides with" in say.headline(("m", "m"), ("x", "y"), two, None, (0.0, 0.0))
    assert "stays" not in say.headline(("m", "m"), ("x", "y"), two, None, (0.0, 0.0))
    assert "stays with **x**" in say.headline(("m", "m"), ("x", "y"), two, None, moved)
    assert say.unmoved(two, None, (0.0, 0.0)) == ""
    assert say.unmoved(two, None, None) == ""
    assert "In A, " in say.unmoved(two, None, moved)
    assert "−1.00" in say.unmoved(two, None, moved)
    assert "In A and B, " in say.unmoved(two, None, (-1.0, 0.9))
    one = given("one meaning", -1.04, -1.1, ("low", "low"))
    both = say.headline(("m", "m"), ("x", "y"), one, None, (-1.05, -1.05))
    assert "sides" not in both
    assert both.endswith("in :blue[**A**] and in :orange[**B**].")
    assert say.unmoved(given("not clear", -0.1, 0.1, ("low", "high")), None, (-0.1, 0.1)) == ""
    assert say.unmoved(two, None, (-1.04 + UNMOVED + 0.001, 0.0)) == ""


def test_one_sentence_that_hardly_moved_its_word() -> None:
    alone = OneSide("clear", "low", -1.04, "both", BOUNDS)
    assert "stays with **x**: it stands at −1.04" in say.of_one("m", "A", alone, ("x", "y"), -1.05)
    assert "sides with **x**" in say.of_one("m", "A", alone, ("x", "y"), 0.2)
    assert "−1.05" in say.unmoved(
        given("one meaning", -1.04, -1.04, ("low", "low")), alone, (-1.05, 7.0)
    )
