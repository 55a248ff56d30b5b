"""A comparison in a model that reads from left to right: its sink, its zero, its verdict."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import core
from core.comparison import Chosen, Ends, Question, how_to_read
from core.comparison.alone import by_itself, position_alone
from core.comparison.judge import Between, between
from core.comparison.next_step import next_step
from core.comparison.picture import marks_of, picture
from core.comparison.say import of_the_ends, said, two_tokens, verdict_of
from core.comparison.source import Direct, contributions
from core.comparison.word_and_ends import ask
from core.examples import CUE_FIRST, known_ends, labelled
from core.measures.contributions.by_word import Why, why
from core.measures.contributions.contribution_difference import apart
from core.measures.senses import calibrate
from core.measures.senses.verdict import Calibration, shipped
from core.records.contributions import beginning
from core.records.sense_axis import ANCHOR_FIRST
from core.records.trace import SINK
from tests.left_to_right import decoder, real

WORD, LOW, HIGH = "bank", ("money",), ("river",)
A, B = "A man sat on the bank of the river.", "Money is on the muddy bank."


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> core.Model:
    return decoder(tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module")
def begins(tmp_path_factory: pytest.TempPathFactory) -> core.Model:
    return decoder(tmp_path_factory.mktemp("begins"), begins=True)


def test_the_sink_is_found_by_what_the_model_is(bare: core.Model, begins: core.Model) -> None:
    one, other = bare.trace(A), begins.trace(A)
    assert one.first_is_sink
    assert one.apart == (True, *(False,) * (len(one.tokens) - 1))
    assert not other.first_is_sink
    assert other.apart == other.special
    assert other.apart[0]
    assert not bare.trace("A").first_is_sink  # a single token is the text
    along = np.ones(bare.shape.d_model, np.float32)
    assert bare.contributions(A, WORD, along).sink
    assert not bare.contributions("bank of money", WORD, along).sink  # the word itself
    assert not begins.contributions(A, WORD, along).sink
    assert marks_of(one) == [SINK]
    assert marks_of(other) == [f"{other.tokens[0]} (sink)"]


def test_an_encoder_has_none(minilm: core.Model) -> None:
    trace = minilm.trace(A)
    assert not trace.first_is_sink
    assert trace.apart == trace.special
    assert beginning(causal=trace.causal) == ""


@pytest.mark.parametrize(
    "text", [A, B, "Bank of money.", "So, banking 🎣 bank!", "البنك bank", "a\nbank"]
)
@pytest.mark.parametrize("which", ["bare", "begins"])
def test_the_sum_from_the_beginning_is_exact_at_every_layer(
    request: pytest.FixtureRequest, which: str, text: str
) -> None:
    model: core.Model = request.getfixturevalue(which)
    word = "Bank" if text.startswith("Bank") else WORD
    side, source = Chosen(text, word, 0), Direct(model)
    ends = Ends(("money", "river"), LOW, HIGH)
    sums, axis = source.added(side, ends), source.axis(word, LOW, HIGH)
    trace = source.trace(text)
    position = axis.coordinates(trace, trace.find(word))
    total = sums.alone + np.nansum(sums.parts, axis=1) + sums.special + sums.bias
    np.testing.assert_allclose(total, position, atol=1e-4 * max(1, float(abs(position).max())))
    np.testing.assert_allclose(sums.alone, position_alone(side, source, axis), rtol=1e-4, atol=1e-5)


def test_the_first_word_is_none_of_the_words(bare: core.Model) -> None:
    sums = Direct(bare).added(Chosen(A, WORD, 0), Ends(("money", "river"), LOW, HIGH))
    assert np.isnan(sums.parts[:, 0]).all()  # “A”
    assert abs(sums.special).min() > 0
    # What comes after the word was not read.
    shown = A.split()
    assert shown[-1] == "river."
    assert np.nan_to_num(sums.parts[:, -4:]).any() == np.False_


def test_the_word_itself_is_no_part_of_its_own(bare: core.Model) -> None:
    sums = Direct(bare).added(Chosen("bank of money", WORD, 0), Ends(("money", "river"), LOW, HIGH))
    assert not sums.special.any()


def test_the_zero_is_the_word_behind_a_beginning(bare: core.Model) -> None:
    trace = bare.trace(A)
    found = by_itself(trace, Chosen(A, WORD, 0))
    assert found == Chosen("The bank", "bank", 0)
    assert beginning(causal=trace.causal) == "The"
    assert by_itself(bare.trace("On The road"), Chosen("On The road", "The", 0)).number == 1


def _why(model: core.Model, text: str) -> Why:
    axis, trace = model.sense_axis(WORD, LOW, HIGH), model.trace(text)
    side = Chosen(text, WORD, 0)
    here, there = (contributions(model, one, axis)[-1] for one in (side, by_itself(trace, side)))
    return why(here.from_alone(there, causal=True), trace, axis, {})


def test_the_sink_is_named_and_never_a_word(bare: core.Model) -> None:
    a, b = _why(bare, A), _why(bare, B)
    assert a.names[0] == SINK
    assert a.special[0]
    assert 0 not in a.others
    assert a.error < 1e-4
    # “A” and “Money” are one part of the difference: both are what heads rest on.
    difference = apart(a, b)
    assert difference.names.count(SINK) == 1
    assert difference.where[difference.words.index(SINK)] == "A and B"
    assert difference.error < 1e-4
    first = _why(bare, "bank of money")
    assert not first.special[0]
    assert first.names[0] == "bank"


def test_a_word_that_begins_a_text_has_a_learned_vector_of_its_own(bare: core.Model) -> None:
    ends, source = Ends(("money", "river"), LOW, HIGH), Direct(bare)
    for other, two in ((B, False), ("bank of the river", True)):
        question = Question(bare.name, Chosen(A, WORD, 0), Chosen(other, WORD, 0), ends)
        comparison = between(question, source)
        assert comparison is not None
        header = picture(comparison, source, adds=False).header
        assert header.get("two", False) == two
        assert ("two learned vectors" in header["sentence"]) == two
        assert bool(two_tokens(comparison, source)) == two
        assert "two" not in picture(comparison, source, adds=False, names="A").header


def test_the_picture_says_the_zero_and_the_sink(bare: core.Model) -> None:
    ends = Ends(("money", "river"), LOW, HIGH)
    question = Question(bare.name, Chosen(A, WORD, 0), Chosen(B, WORD, 0), ends)
    source = Direct(bare)
    comparison = between(question, source)
    assert comparison is not None
    assert source.adds
    header = picture(comparison, source).header
    sums = header["sides"][0]["adds"]["sums"]
    assert all(SINK in one and "Alone behind “The”" in one for one in sums)
    assert "behind “The”" in how_to_read.in_short(None, "The")


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("The bank was muddy.", "The bank was closed.", True),
        ("He saw the bank.", "He saw the bank of money.", True),
        ("He saw the bank.", "She saw the bank.", False),
        ("We bank. The bank", "We bank on it.", False),
    ],
)
def test_texts_that_agree_up_to_the_word(bare: core.Model, a: str, b: str, equal: bool) -> None:
    number = 1 if a.startswith("We") else 0
    sides = Chosen(a, WORD, number), Chosen(b, WORD, 0)
    question = Question(bare.name, *sides, Ends(("money", "river"), LOW, HIGH))
    comparison = between(question, Direct(bare))
    assert comparison is not None
    said = " ".join(comparison.verdict.reasons)
    assert ("vectors are equal" in said) == equal
    assert comparison.verdict.answer is None
    if equal:
        np.testing.assert_allclose(*comparison.coordinates, rtol=1e-5)


def test_what_comes_after_the_word_has_not_been_read(bare: core.Model, minilm: core.Model) -> None:
    """*river* follows the word in A, and *Money* precedes it in B: only the one counts."""
    ends = Ends(("money", "river"), LOW, HIGH)

    def of_ends(model: core.Model) -> tuple[str, str]:
        question = Question(model.name, Chosen(A, WORD, 0), Chosen(B, WORD, 0), ends)
        comparison = between(question, Direct(model))
        assert comparison is not None
        return of_the_ends(comparison, Direct(model))

    here, unread = of_ends(bare)
    assert "river" not in here
    assert "*money* in B" in here
    assert unread.endswith(": *river* comes only after *bank*, too late to count.")
    here, unread = of_ends(minilm)
    assert "*river* in A; *money* in B" in here
    assert unread == ""


def test_a_word_that_begins_the_text_gets_no_verdict(bare: core.Model, begins: core.Model) -> None:
    ends = Ends(("money", "river"), LOW, HIGH)
    for model, barred in ((bare, True), (begins, False)):
        sides = Chosen("bank of money", WORD, 0), Chosen(B, WORD, 0)
        comparison = between(Question(model.name, *sides, ends), Direct(model))
        assert comparison is not None
        assert any("first token" in one for one in comparison.verdict.reasons) == barred
        step = next_step(comparison, Direct(model))  # what follows the word is put before it
        first = () if step is None else step.first
        assert [one.text for one in first] == (["Of money. bank."] if barred else [])


def test_the_verdict_is_one_of_the_layer_that_was_measured(
    bare: core.Model, calibrated: Callable[[core.Model, int], Calibration]
) -> None:
    class Judged(Direct):
        calibration = calibrated(bare, 1)

    ends = Ends(("money", "river"), LOW, HIGH)
    question = Question(bare.name, Chosen(A, WORD, 0), Chosen(B, WORD, 0), ends)
    comparison = between(question, Judged(bare))
    assert comparison is not None
    assert comparison.verdict.layer == 1
    assert comparison.verdict.a == comparison.coordinates[0][1]
    again = Calibration.from_json(Judged.calibration.to_json())
    assert again.layer == 1


@pytest.fixture
def calibrated() -> Callable[[core.Model, int], Calibration]:
    def make(model: core.Model, layer: int) -> Calibration:
        known = shipped("minilm")
        assert known is not None
        return Calibration(model.name, ANCHOR_FIRST, known.bounds, "by hand", layer)

    return make


def test_a_link_opens_at_the_layer_of_the_verdict(
    bare: core.Model, calibrated: Callable[[core.Model, int], Calibration]
) -> None:
    class Judged(Direct):
        calibration = calibrated(bare, 1)

    ends = Ends(("money", "river"), LOW, HIGH)
    question = Question(bare.name, Chosen(A, WORD, 0), Chosen(B, WORD, 0), ends)
    for source, opens in ((Judged(bare), 2), (Direct(bare), 3)):
        comparison = between(question, source)
        assert comparison is not None
        assert comparison.depth(0) == comparison.judged == opens
        assert [comparison.depth(comparison.back(depth)) for depth in range(4)] == [0, 1, 2, 3]
        assert picture(comparison, source).header.get("judged") == (opens if opens < 3 else None)
        assert ("After layer 2" in verdict_of(comparison)) == (opens == 2)
        assert 0 <= comparison.depth(999) <= 3


def test_the_calibration_of_smollm2_is_shipped_and_good_enough() -> None:
    found = shipped("smollm2")
    assert found is not None
    assert found.frames == ANCHOR_FIRST
    assert found.layer == 14
    for kind, bounds in found.bounds.items():
        assert bounds.right >= 0.95, kind
        assert bounds.uncued_two <= 0.05, kind


@pytest.mark.check
def test_a_decoder_is_measured_on_sentences_with_the_cue_first(
    bare: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate, "words", lambda: (WORD,))
    read: list[str] = []

    def trace_many(texts: Sequence[str]) -> Sequence[core.Trace]:
        read.extend(texts)
        return [*bare.trace_many(texts, keep="hidden")]

    assert calibrate._best_layer(trace_many) in range(3)
    found = calibrate._vectors(WORD, trace_many, 1)
    assert {one.text for one in labelled(WORD, causal=True)} <= {*read}
    assert not {one.text for one in labelled(WORD)} & {*read}
    trace = bare.trace(labelled(WORD, causal=True)[0].text)
    assert trace.hidden is not None
    expected = trace.hidden[1][trace.find(WORD)].mean(axis=0)
    np.testing.assert_allclose(found.sentences[0], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.check
def test_smollm2_is_told_a_clue_before_the_word_and_nothing_that_cannot_work() -> None:
    source = Direct(real())

    def beside(a: str) -> tuple[Between, str]:
        question = ask(source, (a, "He swung the wooden bat at the ball."), ("bat", "bat"))
        found = between(question, source)
        assert found is not None
        step = next_step(found, source)
        assert step is None or step.weak == ("A",)
        return found, " ".join(said(found, source, "", step)[1:])

    for a in ("A bat flew out of the dark cave.", "A bat, an animal, flew out of the dark cave."):
        found, told = beside(a)
        assert found.verdict.answer == "not clear"
        assert told.endswith("too late to count; put the clue before *bat*.")
        assert "for instance" not in told
        assert len(re.findall(r"\.(?= |$)", told)) == 3  # sentences
    found, told = beside("The animal, a bat, flew out of the dark cave.")
    assert found.verdict.answer == "two meanings"  # the advice works
    assert "put the clue" not in told


@pytest.mark.check
def test_smollm2_tells_the_presets_apart() -> None:
    source = Direct(real())
    known = shipped("smollm2")
    assert known is not None

    own = dataclasses.replace(known, model=source.model)

    class Judged(Direct):
        calibration = own

    judged = Judged(source._of)
    for preset in CUE_FIRST[:3]:
        ends = known_ends(preset.word, (preset.text_a, preset.text_b), causal=True)
        assert ends is not None
        sides = Chosen(preset.text_a, preset.word, 0), Chosen(preset.text_b, preset.word, 0)
        question = Question(source.model, *sides, Ends(ends.names, ends.low, ends.high))
        comparison = between(question, judged)
        assert comparison is not None
        assert comparison.verdict.answer == "two meanings", preset.label
