"""What can be done about a verdict that is not clear: it works, and no verdict decides what it is."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import pytest

import core
from core.comparison import Ends, Question, say
from core.comparison.judge import Between, between
from core.comparison.next_step import MOST_TRIED, NextStep, Try, next_step, unnamed
from core.comparison.source import Direct
from core.comparison.word_and_ends import ask
from core.dictionary import meanings_of
from core.markdown import plain


class Asked(NamedTuple):
    question: Question
    found: Between
    step: NextStep | None


@pytest.fixture(scope="module")
def source(minilm: core.Model) -> Direct:
    return Direct(minilm)


def asked(source: Direct, word: str, a: str, b: str, ends: Ends | None = None) -> Asked:
    question = ask(source, (a, b), (word, word), lambda _: ends)
    found = between(question, source)
    assert found is not None
    return Asked(question, found, next_step(found, source))


def answered(question: Question, ends: Ends, source: Direct) -> Between:
    """What a click on these ends leads to: a verdict, or why there is none and what to do next."""
    again = between(question._replace(ends=ends), source)
    assert again is not None
    assert again.verdict.ends == "picked"
    step = next_step(again, source)
    if again.verdict.is_clear:
        assert step is None
        return again
    assert again.verdict.answer in ("not clear", "neither")
    assert step is not None
    assert step.confirmed is None  # the visitor has chosen
    headline, beside = say.said(again, source, "", step)
    assert headline.startswith("**N")  # not clear, or neither
    assert all(reason in beside for reason in map(plain, again.verdict.reasons))
    assert say.what_settles(step, question.words) in beside
    assert any(name in say.what_settles(step, question.words) for name in step.weak)
    return again


RING = ("ring", "She wore a gold ring.", "The boxer stepped into the ring.")


def test_another_meaning_for_the_sentence_that_is_not_clear_is_picked(source: Direct) -> None:
    low, high = ("ropes", "box", "wrestle"), ("hoop", "circular", "metal")
    ends = Ends((", ".join(low), ", ".join(high)), low, high)
    question, found, step = asked(source, *RING, ends)
    assert (found.verdict.answer, found.verdict.ends) == ("not clear", "picked")
    assert step is not None
    assert step.weak == ("A",)
    assert [one.name for one in step.tries] == ["A"] * MOST_TRIED
    first = step.tries[0]
    assert question.ends is not None
    assert first.ends.low == question.ends.low  # what stands for B stays
    for one in step.tries:
        assert one.ends.high != question.ends.high
        assert answered(question, one.ends, source).verdict.side_b == "low"  # B keeps its meaning


def test_an_unsure_guess_can_be_confirmed_whatever_it_leads_to(source: Direct) -> None:
    question, found, step = asked(
        source, "coat", "She hung her coat on the hook.", "The wall needs a second coat of paint."
    )
    assert question.ends is not None
    assert "garment" in question.ends.high
    assert "paint" in question.ends.low
    assert (found.verdict.answer, found.verdict.ends) == (None, "unsure")
    assert step is not None
    assert step.weak == ("A", "B")
    assert step.confirmed == question.ends._replace(guessed=False, unsure=False)
    assert [one.name for one in step.tries] == ["A"]  # in B, nothing else is plausible beside paint
    assert say.what_settles(step, ("coat", "coat")) == ""  # first the guess awaits an answer
    judged = answered(question, step.confirmed, source).verdict
    assert (judged.answer, judged.side_a, judged.side_b) == ("two meanings", "high", "low")
    for one in step.tries:
        answered(question, one.ends, source)


def test_a_guess_that_a_visitor_confirms_needs_less(source: Direct) -> None:
    question, _, step = asked(
        source, "jam", "She spread jam on her toast.", "We were stuck in a traffic jam."
    )
    assert step is not None
    assert step.confirmed is not None
    assert not step.confirmed.guessed
    for ends in (step.confirmed, *(one.ends for one in step.tries)):
        answered(question, ends, source)


def test_a_meaning_that_is_not_plausible_is_not_offered(source: Direct) -> None:
    twice = "He wore a coat.", "She bought a new coat."  # the next ones would be hair, and chocolate
    question, _, step = asked(source, "coat", *twice)
    assert step is not None
    assert not step.tries
    assert (
        say.what_settles(step, ("coat", "coat")) == ""
    )  # beside "Is the guess right?", it would doubt it
    assert question.ends is not None
    again = next_step(
        answered(question, question.ends._replace(guessed=False, unsure=False), source), source
    )
    assert again is not None
    assert (again.tries, len(again.words)) == ((), 2)
    assert "of A and B leave open" in say.what_settles(again, ("coat", "coat"))


def test_a_sure_guess_that_is_not_clear_says_what_settles_it(source: Direct) -> None:
    question, found, step = asked(
        source, "sentence", "Write a sentence with this word.", "He served a long prison sentence."
    )
    assert (found.verdict.answer, found.verdict.ends) == ("not clear", "guessed")
    assert step is not None
    assert question.ends is not None
    assert "prison" in question.ends.low or "prisoner" in question.ends.low
    assert (step.weak, step.tries) == (("B",), ())  # what was guessed is right
    # *prison* stands in B already: one more such word would settle nothing either.
    assert step.held == ("B",)
    told = say.what_settles(step, ("sentence", "sentence"))
    assert "name other ends" in told
    assert "*prisoner*" not in told


def test_a_guess_of_a_model_whose_guesses_were_not_measured_can_be_confirmed(source: Direct) -> None:
    question, found, step = asked(
        source, "conductor", "The conductor raised his baton.", "Copper is a good conductor of heat."
    )
    assert (found.verdict.answer, found.verdict.ends, step) == ("two meanings", "guessed", None)
    assert question.ends is not None
    unmeasured = replace(found.verdict, answer=None, bounds=None)
    step = next_step(replace(found, verdict=unmeasured), source)
    assert step is not None
    assert step.confirmed == question.ends._replace(guessed=False)
    assert answered(question, step.confirmed, source).verdict.answer == "two meanings"


def test_what_would_change_nothing_is_not_offered(source: Direct) -> None:
    coat = ("coat", "She wore a thick coat.", "The wall needs a second coat of paint.")
    _, _, step = asked(source, *coat)
    assert step is not None
    assert all({*one.ends.low, *one.ends.high} for one in step.tries)
    offered = {word for words in meanings_of("coat") for word in words}
    assert {*step.words} <= offered
    assert "paint" not in step.words  # it stands in B already


def test_a_clear_verdict_asks_for_nothing(source: Direct) -> None:
    assert (
        asked(source, "letter", "He posted a letter.", "A is the first letter of the alphabet.").step
        is None
    )
    ends = Ends(("money", "river"), ("money",), ("river",))
    same = "She sat on the bank."
    assert asked(source, "bank", same, same, ends).step is None  # one sentence, read twice


def test_both_sentences_may_need_a_word_and_ends_of_ones_own_get_no_other_meaning(
    source: Direct,
) -> None:
    ends = Ends(("season", "coil"), ("season",), ("coil",))
    _, found, step = asked(
        source, "spring", "I ate two spring rolls.", "The mattress spring squeaks.", ends
    )
    assert found.verdict.answer == "not clear"
    assert step is not None
    assert (step.weak, step.tries, step.confirmed) == (("A", "B"), (), None)
    assert step.words == ("season", "coil")
    told = say.what_settles(step, ("spring", "spring"))
    for one in ("A and B", "*season*", "*coil*"):
        assert one in told


def test_where_a_word_stands_far_out_nothing_is_left_open(source: Direct) -> None:
    """Its end does not describe it: that is another reason than standing near the middle."""
    ends = Ends(("jog", "manage"), ("jog",), ("manage",))
    texts = "He ran to catch the bus.", "She ran a small company."
    _, found, step = asked(source, "ran", *texts, ends)
    assert found.verdict.least is not None
    assert abs(found.verdict.a) > found.verdict.least
    assert step is not None
    assert (step.weak, step.unlike) == (("A",), ("A",))
    told = say.what_settles(step, ("ran", "ran"))
    assert "Neither end describes *ran* in A" in told
    assert "leave open" not in told
    both = say.what_settles(replace(step, weak=("A", "B")), ("ran", "ran"))
    assert "the words of B leave open" in both
    assert "in A well" in both
    assert both.count("*jog*") == 1
    left_to_right = say.what_settles(replace(step, weak=("A", "B")), ("ran", "ran"), causal=True)
    assert "add one before *ran* that settles it" in left_to_right
    held = say.what_settles(replace(step, weak=("B",), held=("B",)), ("ran", "ran"))
    assert held.startswith("In B, a word of the ends stands already")
    assert "*jog*" not in held


def test_a_word_that_was_just_called_unrelated_is_not_asked_for(source: Direct) -> None:
    ends = Ends(("novel", "reserve"), ("novel",), ("reserve",))
    _, found, step = asked(source, "book", "I read a good book.", "Please book a table.", ends)
    assert any("“reserve” has little to do" in one for one in found.verdict.reasons)
    assert step is not None
    assert step.others
    told = say.what_settles(step, ("book", "book"))
    assert told == "Choose other meanings, or name the two ends in words of your own."


def test_where_such_ends_never_give_a_verdict_no_sentence_is_asked_for(source: Direct) -> None:
    ends = Ends(("season", "coil"), ("season",), ("coil",))
    texts = "I ate two spring rolls.", "The mattress spring squeaks."
    _, found, step = asked(source, "spring", *texts, ends)
    assert step is not None
    assert not step.others
    assert found.verdict.bounds is not None
    never = replace(found.verdict.bounds, one=math.inf, two=math.inf)
    step = next_step(replace(found, verdict=replace(found.verdict, bounds=never)), source)
    assert step is not None
    assert step.others


def test_the_word_itself_settles_nothing(source: Direct) -> None:
    ends = Ends(("spring", "springs"), ("spring", "season"), ("springs", "coil"))
    _, found, step = asked(
        source, "spring", "I ate two spring rolls.", "The mattress spring squeaks.", ends
    )
    if found.verdict.answer == "not clear":
        assert step is not None
        assert step.words == ("season", "coil")
    assert say.what_settles(NextStep(("A",), None, (), ()), ("spring", "spring")) == ""


def test_a_word_of_the_wrong_end_is_not_asked_for_where_another_meaning_is_proposed(
    source: Direct,
) -> None:
    # The chosen ends were *spy* and *skin*: one more word of either would only hide what is wrong.
    mole = Ends(("spy", "skin"), ("spy",), ("skin",))
    other = Try("A", "mammal", mole)
    told = say.what_settles(NextStep(("A",), None, (other,), ("spy", "skin")), ("mole", "mole"))
    assert "another meaning" in told
    assert not {"*spy*", "*skin*"} & {*told.split()}
    assert "*spy*" in say.what_settles(NextStep(("A",), None, (), ("spy", "skin")), ("mole", "mole"))


def test_a_visitors_own_meaning_goes_where_the_chosen_ones_fit_least(source: Direct) -> None:
    apple = asked(source, "apple", "He ate an apple.", "Apple released a new phone.")
    name, side = unnamed(apple.found, source)
    assert name == "B"  # the company
    judged = apple.found.verdict
    assert side == ("high" if judged.b > judged.a else "low")  # A keeps its own
    swapped = asked(source, "apple", "Apple released a new phone.", "He ate an apple.")
    assert unnamed(swapped.found, source)[0] == "A"


APPLES = ("apples", "My grandmother bakes a pie with apples.", "Two apples fell from the tree.")


def test_a_word_of_ones_own_replaces_the_end_on_which_its_sentence_stands(source: Direct) -> None:
    question, found, step = asked(source, *APPLES)
    assert (found.verdict.side_a, found.verdict.side_b) == ("low", "low")
    assert question.ends is not None
    assert "tree" in question.ends.low
    assert unnamed(found, source) == ("A", "low")
    assert step is not None
    assert step.confirmed is not None  # a guess never says *one meaning*; what somebody chose may
    # Near the middle it stands on no end: the other sentence keeps its own.
    coat = asked(source, "coat", "She wore a thick coat.", "The wall needs a second coat of paint.")
    assert coat.found.verdict.side_a == coat.found.verdict.side_b == "low"
    assert unnamed(coat.found, source) == ("A", "high")


def test_what_contradicts_a_word_of_ones_own_is_no_verdict(source: Direct) -> None:
    question, _, _ = asked(source, *APPLES)
    assert question.ends is not None
    ends = Ends(("computer", question.ends.names[1]), ("computer",), question.ends.high)
    of_none = between(question._replace(ends=ends), source)
    assert of_none is not None
    assert of_none.verdict.answer == "one meaning"  # as of two ends that nobody named for a sentence
    told = between(question._replace(ends=ends._replace(own=("A", "low"))), source)
    assert told is not None
    assert told.verdict.answer == "not clear"
    (why,) = told.verdict.reasons
    assert "“computer”" in why
    assert "fruit" in why
    assert unnamed(told, source) == ("A", "low")  # another word instead
    agreed = between(question._replace(ends=ends._replace(own=("A", "high"))), source)
    assert agreed is not None
    assert agreed.verdict.answer == "one meaning"


@pytest.mark.parametrize(
    ("word", "a", "b"),
    [
        ("coat", "She hung her coat behind the door.", "The wall needs a second coat of paint."),
        ("book", "I read a good book on the train.", "We should book a room in advance."),
        ("light", "She turned on the light in the kitchen.", "The bag is light enough to carry."),
    ],
)
def test_a_cue_before_the_word_is_ready_to_be_read(source: Direct, word: str, a: str, b: str) -> None:
    question, _, step = asked(source, word, a, b)
    assert step is not None
    assert step.confirmed is not None
    again = answered(question, step.confirmed, source)
    assert again.verdict.answer == "not clear"
    step = next_step(again, source)
    assert step is not None
    assert say.said(again, source, "", step)[1].startswith("The meanings are taken as you chose.")
    first, second = step.cues  # one of each end, first of that which the other sentence does not have
    assert (first.name, second.name, step.tries) == ("A", "A", ())
    assert first.text == f"{first.cue.capitalize()}: {a}"
    chosen = question._replace(a=question.a._replace(text=first.text), ends=step_ends(again))
    found = between(chosen, source)
    assert found is not None
    assert (found.verdict.answer, found.verdict.side_b) == ("two meanings", again.verdict.side_b)


def step_ends(found: Between) -> Ends:
    assert found.question.ends is not None
    return found.question.ends
