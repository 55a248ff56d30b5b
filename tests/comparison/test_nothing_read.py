"""A model that has read nothing before the word that could decide gives no verdict, and says so."""

from __future__ import annotations

import dataclasses

import pytest

import core
from core.comparison import Chosen, Ends, Question, how_to_read
from core.comparison.ends import short
from core.comparison.judge import Between, between
from core.comparison.next_step import next_step
from core.comparison.say import by_side, said, verdict_of
from core.comparison.source import Direct
from core.comparison.word_and_ends import ask
from core.measures.senses.verdict import Side, shipped
from tests.left_to_right import real

COPPER = "Copper is a good conductor of electricity."
BATON = "The conductor raised his baton and the orchestra began."


@pytest.fixture(scope="module")
def smollm2() -> Direct:
    source = Direct(real())
    known = shipped("smollm2")
    assert known is not None
    own = dataclasses.replace(known, model=source.model)

    class Judged(Direct):
        calibration = own

    return Judged(source._of)


def compared(source: Direct, a: str, b: str, word: str) -> Between:
    found = between(ask(source, (a, b), (word, word)), source)
    assert found is not None
    return found


@pytest.mark.check
@pytest.mark.parametrize(
    ("a", "b", "word", "names"),
    [
        (BATON, COPPER, "conductor", ("A",)),
        (COPPER, BATON, "conductor", ("B",)),
        ("This sentence is short.", "The judge gave him a long sentence.", "sentence", ("A",)),
    ],
)
def test_where_nothing_was_read_there_is_no_verdict_and_a_way_that_works(
    smollm2: Direct, a: str, b: str, word: str, names: tuple[str, ...]
) -> None:
    found = compared(smollm2, a, b, word)
    assert found.verdict.answer == "not clear"
    assert found.nothing_read == names
    step = next_step(found, smollm2)
    assert step is not None
    assert tuple(one.name for one in step.first) == step.weak == names
    told = " ".join(said(found, smollm2, "", step))
    assert "has not read it there" in told
    assert f"in {names[0]}; put the clue before" in told
    assert "hardly moved" not in told
    texts = {"A": a, "B": b} | {one.name: one.text for one in step.first}
    after = compared(smollm2, texts["A"], texts["B"], word)
    assert after.nothing_read == ()
    assert after.verdict.answer == "two meanings"


@pytest.mark.check
def test_a_side_that_decides_alone_is_said_to(smollm2: Direct) -> None:
    found = compared(
        smollm2, "Has seven words. This sentence.", "The judge gave him a long sentence.", "sentence"
    )
    assert found.verdict.least == 0
    assert "the side alone decides" in " ".join(said(found, smollm2))
    assert by_side(dataclasses.replace(found.verdict, answer="not clear")) == ""


@pytest.mark.check
def test_a_clue_that_did_not_turn_the_word_is_said_and_a_plainer_one_does(smollm2: Direct) -> None:
    b = "Lifted the steel. A crane."
    found = compared(smollm2, "Stood in the shallow water. A crane.", b, "crane")
    assert found.verdict.answer == "one meaning"
    step = next_step(found, smollm2)
    assert step is not None
    assert step.weak == ("A", "B")
    told = " ".join(said(found, smollm2, "", step))
    assert "did not turn it" in told
    plainer = step.cues[0]
    assert (plainer.text, plainer.towards) == ("Bird: A crane stood in the shallow water.", "bird")
    assert compared(smollm2, plainer.text, b, "crane").verdict.answer == "two meanings"


def test_a_model_that_reads_in_both_directions_has_read_all(minilm: core.Model) -> None:
    found = compared(Direct(minilm), BATON, COPPER, "conductor")
    assert found.nothing_read == ()


def unsure(minilm: core.Model, at: tuple[float, float]) -> str:
    """The headline of a guess of which the model is unsure, with the word at these positions."""
    source = Direct(minilm)
    found = compared(source, "She ran across the field.", "She ran the company for years.", "ran")
    sides: list[Side] = ["high" if one > 0 else "low" for one in at]
    given = dataclasses.replace(found.verdict, a=at[0], b=at[1], side_a=sides[0], side_b=sides[1])
    return verdict_of(dataclasses.replace(found, verdict=given), source.calibration)


def test_inside_the_band_a_word_stands_between_the_two(minilm: core.Model) -> None:
    assert "between the two" not in unsure(minilm, (0.7, -0.7))
    assert unsure(minilm, (0.01, -0.02)).endswith("it stands between the two.")
    half = unsure(minilm, (0.01, -1.7))
    assert half.index("B") < half.index("on the side of") < half.index("A")
    assert half.endswith("between the two.")


def test_what_a_confirmed_guess_would_lack_is_said_before_the_click(minilm: core.Model) -> None:
    source = Direct(minilm)
    found = compared(source, "She ran across the field.", "She ran the company for years.", "ran")
    step = next_step(found, source)
    assert step is not None
    assert step.confirmed is not None
    assert any("too near the middle" in one for one in step.missing)
    assert {one.towards for one in step.cues} == {*step.confirmed.names}
    assert all(one.ends == step.confirmed for one in step.cues)
    again = between(found.question._replace(ends=step.confirmed), source)
    assert again is not None
    assert again.verdict.reasons == step.missing
    coat = compared(source, "She wore a warm coat.", "The wall needs a second coat of paint.", "coat")
    settled = next_step(coat, source)
    assert settled is not None
    assert settled.confirmed is not None
    assert settled.missing == ()


def test_each_word_is_called_by_its_own_name(minilm: core.Model) -> None:
    a, b = "He picked ripe apples from the tree.", "Apple sells phones and computers."
    ends = Ends(("company", "fruit"), ("company",), ("fruit",), own=("B", "low"))
    source = Direct(minilm)
    question = Question("minilm", Chosen(a, "apples", 0), Chosen(b, "apple", 0), ends)
    found = between(question, source)
    assert found is not None
    told = " ".join(said(found, source))
    assert "Even alone, *apple* stands" in told
    assert "it stands past" not in told


def test_what_somebody_has_just_named_is_not_proposed_again(minilm: core.Model) -> None:
    a, b = "The light is on.", "The bag is light."
    low = "little", "physical", "weight"
    ends = Ends(("not heavy", "lamp"), low, ("lamp",), own=("A", "high"))
    source = Direct(minilm)
    found = between(Question("minilm", Chosen(a, "light", 0), Chosen(b, "light", 0), ends), source)
    assert found is not None
    step = next_step(found, source)
    assert step is not None
    assert step.cues == ()
    assert step.words == ()


def test_long_definitions_are_called_by_their_first_words() -> None:
    names = "fruit with red or yellow or green skin", "string of words", "thin flat strip of material"
    assert short(names) == ("fruit with red …", "string of words", "thin flat strip …")
    alike = "thin flat strip of material", "thin flat strip of paper or cloth"
    assert short(alike) == alike


def test_a_hidden_grey_path_is_said_to_be_hidden(minilm: core.Model) -> None:
    found = compared(Direct(minilm), BATON, COPPER, "conductor")
    a, b = found.coordinates
    assert how_to_read.hides_alone(found, [a, a]) == "A"
    assert how_to_read.hides_alone(found, [a + 1, b + 1]) == ""
    assert how_to_read.hides_alone(found, [a, b]) == "AB"
    assert "lies under that of A." in how_to_read.in_short(None, under="A")
