"""Verdicts: by hand, the requirements for each kind of ends, and the bounds shipped with Polysee."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType

import numpy as np
import pytest

import core
from core.examples import ANCHORS, PRESETS, Preset, known_ends, labelled, words
from core.measures import word_path
from core.measures.senses.how_sure import how_sure
from core.measures.senses.verdict import (
    Bounds,
    Calibration,
    Ends,
    Verdict,
    kind_of,
    one_side,
    shipped,
    verdict,
)
from core.records.sense_axis import FRAMES, End, Frames, SenseAxis, TraceMany, sense_axis
from core.records.spelling import UNCASED

BOUNDS = Bounds(0.5, 0.25, 4.0, 0.2, 0.8, 0.4, 0.96, 0.95, 0.97, 0.08, 0.03, 0.2, 0.4, 100)
NEVER = Bounds(math.inf, 0.25, 0.0, -1.0, -1.0, 0.4, 0.96, 0.0, 0.97, 0.08, 0.03, 0.2, 0.0, 100)
HAND = Calibration("by hand", FRAMES, MappingProxyType({"word": BOUNDS, "sentences": NEVER}), "a test")


def end(words: int, sentences: int = 0) -> End:
    return End(tuple(f"w{i}" for i in range(words)), tuple(f"s {i}" for i in range(sentences)), ())


def axis(low: End, high: End, *, unknown: tuple[str, ...] = (), half: float = 2.5) -> SenseAxis:
    halves = np.array([[9.0, 9.0], [half, 0.0]])
    return SenseAxis("bank", "by hand", Frames(low, high, (), unknown), np.zeros((2, 2)), halves)


def judge(
    a: float, b: float, low: End | None = None, high: End | None = None, **more: object
) -> Verdict:
    made = axis(low or end(1), high or end(1), **more)  # type: ignore[arg-type]
    return verdict(made, np.array([-9, a]), np.array([9, b]), HAND)


@pytest.mark.parametrize(
    ("a", "b", "answer", "reasons"),
    [
        (0.3, -0.3, "two meanings", 0),
        (-0.3, 0.3, "two meanings", 0),
        (0.6, 0.51, "one meaning", 0),
        (-0.6, -2, "one meaning", 0),
        (0.25, -0.3, "not clear", 1),  # not beyond
        (0.3, 0.4, "not clear", 1),  # enough for two, not for one
        (-0.6, -0.5, "not clear", 1),
        (0.0, 0.0, "not clear", 1),
    ],
)
def test_answers_at_the_last_layer(a: float, b: float, answer: str, reasons: int) -> None:
    found = judge(a, b)
    assert found.answer == answer
    assert len(found.reasons) == reasons
    assert (found.a, found.b) == (a, b)
    assert (found.side_a, found.side_b) == ("high" if a > 0 else "low", "high" if b > 0 else "low")
    assert found.bounds is BOUNDS


@pytest.mark.parametrize(
    ("a", "b", "weaker"),
    [(0.58, -1.57, "high"), (1.5, -0.2, "low"), (0.3, 0.9, "low"), (-0.4, -0.6, "high")],
)
def test_the_weaker_end_is_the_one_that_the_sentences_support_less(
    a: float, b: float, weaker: str
) -> None:
    assert judge(a, b).weaker_side == weaker


def test_only_one_meaning_or_two_are_clear() -> None:
    assert judge(0.6, 0.6).is_clear
    assert judge(0.6, -0.6).is_clear
    assert not judge(0.1, -0.6).is_clear


def test_reasons_name_the_sentence() -> None:
    needs = "too near the middle: a verdict needs more than {} from it."
    assert judge(0.1, -3).reasons == (f"A stands {needs.format('0.25')}",)
    assert judge(3, -0.1).reasons == (f"B stands {needs.format('0.25')}",)
    assert judge(0.1, -0.1).reasons == (f"A and B stand {needs.format('0.25')}",)
    assert judge(0.1, 0.1).reasons == (f"A and B stand {needs.format('0.50')}",)  # on one side
    near = judge(3, -3, half=1.9)
    assert near.answer == "not clear"
    assert "too close together" in near.reasons[0]
    assert judge(3, -3, half=2).answer == "two meanings"
    little = judge(3, -3, end(1), replace(end(3), near=(0.5, 0.0, 0.09)))
    assert little.answer == "not clear"
    (reason,) = little.reasons
    assert "“w1”, “w2” have little to do with “bank”" in reason
    enough = judge(3, -3, replace(end(1), near=(0.2,)), replace(end(2), near=(0.5, 0.0)))
    assert enough.answer == "two meanings"
    both = judge(3, 0.1, replace(end(1), near=(-1.0,)), replace(end(2), near=(-1.0, 0)))
    assert len(both.reasons) == 3  # each end, and the middle
    never = judge(3, 3, end(0, 6), end(0, 6))
    assert never.answer == "not clear"
    assert "never certain enough" in never.reasons[0]


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (end(1), end(1), "word"),
        (end(2), end(40), "word"),
        (end(3), end(3), "words"),
        (end(1, 1), end(1, 1), "word"),
        (end(1, 2), end(1, 2), "words"),
        (end(2, 7), end(1), "word"),
        (end(6, 7), end(6, 5), "words"),
        (end(0, 3), end(0, 5), "words"),
        (end(0, 6), end(0, 6), "sentences"),
        (end(5, 6), end(9, 6), "sentences"),
        (end(6, 6), end(6, 7), "both"),
        (end(0, 2), end(0, 9), None),
        (end(0, 5), end(6), None),
        (end(3), end(0, 5), None),
    ],
)
def test_the_weaker_end_decides_the_kind(low: End, high: End, kind: Ends | None) -> None:
    assert kind_of(axis(low, high).frames) == kind
    assert kind_of(axis(high, low).frames) == kind


def test_no_verdict_and_why() -> None:
    unknown = judge(3, -3, unknown=("Die Bank 🎣",))
    assert unknown.answer is None
    assert "“Die Bank 🎣”" in unknown.reasons[0]
    assert (unknown.a, unknown.b) == (3, -3)  # the positions stand
    few = judge(3, -3, end(0, 2), end(0, 2))
    assert few.answer is None
    assert "at least 3 sentences" in few.reasons[0]
    uneven = judge(3, -3, end(1), end(0, 5))
    assert uneven.answer is None
    assert "a word" in uneven.reasons[0]
    unmeasured = verdict(axis(end(1), end(1)), np.array([1, 3]), np.array([1, -3]), None)
    assert unmeasured.answer is None
    assert unmeasured.bounds is None
    assert "not been measured" in unmeasured.reasons[0]
    kind = judge(3, -3, end(3), end(3))  # of which the calibration says nothing
    assert kind.answer is None
    proposed = verdict(axis(end(1), end(1)), np.array([1, 3]), np.array([1, -3]), HAND, proposed=True)
    assert proposed.answer is None


def test_bounds_of_another_model_are_refused(minilm: core.Model) -> None:
    calibration = shipped("minilm")
    assert calibration is not None
    with pytest.raises(ValueError, match="“minilm” are not those of “by hand”"):
        verdict(axis(end(1), end(1)), np.ones(2), np.ones(2), calibration)


def test_a_calibration_is_read_as_it_was_written() -> None:
    again = Calibration.from_json(HAND.to_json())
    assert again == HAND
    assert "Infinity" not in HAND.to_json()  # which is no JSON
    assert shipped("no such model") is None


def test_what_comes_with_polysee_keeps_its_promises() -> None:
    found = shipped("minilm")
    assert found is not None
    assert found.frames == FRAMES
    assert found.made_by == "python -m core.measures.senses.calibrate minilm"
    least = {
        "word": 0.35,
        "words": 0.55,
        "sentences": 0.55,
        "both": 0.65,
        "picked": 0.55,
        "guessed": 0.07,
    }
    assert {*found.bounds} == {*least}
    for kind, bounds in found.bounds.items():
        assert bounds.right >= 0.95
        one = kind != "guessed"  # which are never called one meaning
        assert min(bounds.right_two, bounds.right_one if one else 1) >= 0.93
        assert (bounds.one < 1) == one
        assert bounds.given >= least[kind]
        assert bounds.unrelated <= 0.05
        assert bounds.uncued_two <= 0.05
        assert bounds.uncued_one <= 0.2
        assert bounds.third >= (0.1 if one else 0.05)
        assert min(bounds.one, bounds.two) > (0 if one else -1)  # a sure guess needs its side alone
        assert bounds.two < 1


def test_what_neither_meaning_fits_says_its_positions_and_in_which_sentence() -> None:
    made = axis(end(1), end(1))
    both = verdict(made, np.array([0, 0.6]), np.array([0, -0.04]), HAND, fit=(0.71, 0.799))
    assert both.answer == "neither"
    assert re.findall(r"[−]?\d\.\d\d", both.reasons[0]) == ["0.60", "−0.04"]
    one = verdict(made, np.array([0, 0.6]), np.array([0, 0.7]), HAND, fit=(0.9, 0.5))
    assert one.answer == "not clear"
    assert one.reasons[0].endswith("in B.")
    alone = one_side(made, np.array([0, 0.7]), HAND, fit=0.31)
    assert alone.reasons[0] == "To the model, neither meaning fits well."


def test_one_sentence_names_its_side_beyond_both_bounds() -> None:
    bounds = HAND.bounds["word"]
    far = max(bounds.one, bounds.two)
    for at, side in ((far + 0.01, "high"), (-far - 0.01, "low")):
        found = one_side(axis(end(1), end(1)), np.array([0, at]), HAND)
        assert (found.answer, found.side, found.reasons) == ("clear", side, ())
    near = one_side(axis(end(1), end(1)), np.array([9, far]), HAND)
    assert near.answer == "not clear"
    assert "near the middle" in near.reasons[0]
    unmeasured = one_side(axis(end(1), end(1)), np.array([9, 9]), None)
    assert unmeasured.answer is None
    for none in ({"barred": ("Not English.",)}, {"proposed": True}):
        assert one_side(axis(end(1), end(1)), np.array([9, 9]), HAND, **none).answer is None


def test_what_stands_against_a_verdict_is_its_reason() -> None:
    barred = verdict(
        axis(end(1), end(1)), np.array([1, 3]), np.array([1, -3]), HAND, barred=("Not English.",)
    )
    assert barred.answer is None
    assert barred.reasons == ("Not English.",)


def named(*words: str) -> End:
    return End(words, (), ())


def test_an_end_of_function_words_names_no_meaning() -> None:
    for low in (named("the"), named("of the", "a"), named("🎣", "?!")):
        found = verdict(axis(low, end(1)), np.array([1, 3]), np.array([1, -3]), HAND)
        assert found.answer is None
        assert low.words[0] in found.reasons[0]
    for low in (named("the", "river"), named("10:30"), named("of gold")):
        assert verdict(axis(low, end(1)), np.array([1, 3]), np.array([1, -3]), HAND).answer is not None


# On the real model. Axes of one word share most of their texts, which run only once.


class Senses:
    """Axes of MiniLM, and the position of a word in a text on one."""

    def __init__(self, trace_many: TraceMany) -> None:
        self.trace_many = trace_many

    def axis(self, word: str, low: Sequence[str], high: Sequence[str]) -> SenseAxis:
        """As `Model.sense_axis`."""
        return sense_axis(word, low, high, self.trace_many, spelling=UNCASED, model="minilm")

    def at(self, made: SenseAxis, text: str) -> np.ndarray:
        (trace,) = self.trace_many([text])
        return made.coordinates(trace, trace.find(made.word))


@pytest.fixture(scope="module")
def senses(read_once: TraceMany) -> Senses:
    return Senses(read_once)


@pytest.mark.check
def test_an_axis_of_texts_that_are_read_once_is_the_models(minilm: core.Model, senses: Senses) -> None:
    ends = known_ends("bank")
    assert ends is not None
    made, own = (one("bank", ends.low, ends.high) for one in (senses.axis, minilm.sense_axis))
    assert (made.word, made.model) == (own.word, own.model)
    assert [e.contexts for e in (made.frames.low, made.frames.high)] == [
        e.contexts for e in (own.frames.low, own.frames.high)
    ]
    np.testing.assert_allclose(made.midpoints, own.midpoints, atol=1e-5)
    np.testing.assert_allclose(made.halves, own.halves, atol=1e-5)


@pytest.mark.few(6)
@pytest.mark.check
@pytest.mark.parametrize("word", words())
def test_a_side_that_is_named_for_one_labelled_sentence_is_right(senses: Senses, word: str) -> None:
    right = []
    for one in labelled(word):
        ends = known_ends(word, (one.text,))
        assert ends is not None
        made = senses.axis(word, ends.low, ends.high)
        found = one_side(made, senses.at(made, one.text), shipped("minilm"))
        if found.answer == "clear":
            right.append(ends.names[("low", "high").index(found.side)] == one.sense)
    assert len(right) >= 12
    assert sum(right) >= len(right) - 1


def given(
    senses: Senses, word: str, texts: tuple[str, str], low: list[str], high: list[str]
) -> Verdict:
    axis = senses.axis(word, low, high)
    a, b = (senses.at(axis, text) for text in texts)
    return verdict(axis, a, b, shipped("minilm"))


@pytest.mark.check
@pytest.mark.parametrize("preset", [p for p in PRESETS if p.low], ids=lambda p: p.label)
def test_no_preset_is_told_wrongly(senses: Senses, preset: Preset) -> None:
    one = preset.same_sense or preset.label == "bank: the words in another order"
    right = "one meaning" if one else "two meanings"
    texts = (preset.text_a, preset.text_b)
    low, high = ANCHORS[preset.word]
    ends = known_ends(preset.word, texts)
    assert ends is not None
    for each in (1, 3, 6):
        found = given(senses, preset.word, texts, [*low.words[:each]], [*high.words[:each]])
        assert found.answer in (right, "not clear"), (each, found)
    all_of_it = given(senses, preset.word, texts, [*ends.low], [*ends.high])
    assert all_of_it.ends == "both"
    assert all_of_it.answer == right, all_of_it


def test_ends_that_say_nothing_get_no_verdict(senses: Senses) -> None:
    opening = PRESETS[0]
    texts = (opening.text_a, opening.text_b)
    found = given(senses, "bank", texts, ["lamp"], ["purple"])
    assert found.answer == "not clear"
    assert "“purple” has little to do with “bank”" in found.reasons[0]
    half = given(senses, "bank", texts, ["money"], ["purple"])
    assert found.reasons[0] in half.reasons
    # "nature" is hardly related: alone it is not a valid end, and among a few words it weakens them.
    assert given(senses, "bank", texts, ["loan"], ["nature"]).answer == "not clear"
    for low, high in (("loan", "shore"), ("withdraw", "stream"), ("finance", "water")):
        assert given(senses, "bank", texts, [low], [high]).answer == "two meanings"
    mixed = given(
        senses, "bank", texts, ["loan", "cash", "finance"], ["stream", "water", "nature", "shore"]
    )
    assert mixed.answer == "not clear"
    assert "“nature”" in mixed.reasons[0]
    assert "“water”" not in mixed.reasons[0]
    emoji = given(senses, "bank", texts, ["money", "a bank 🎣"], ["river"])
    assert emoji.answer is None


# None of these is among the sentences on which the bounds were measured.
OTHER_UNCUED = (
    "They showed me a {}.",
    "That {} is new.",
    "What do you know about the {}?",
    "I have never seen such a {}.",
    "My sister likes this {}.",
    "Here is the {}.",
)


@pytest.mark.check
def test_sentences_without_a_cue_seldom_mean_two_things(senses: Senses) -> None:
    """With all ends of our words: bounds from labelled sentences alone called 20 of 180 so."""
    two = total = 0
    for word in words():
        ends = known_ends(word)
        assert ends is not None
        axis = senses.axis(word, ends.low, ends.high)
        at = [senses.at(axis, text.format(word)) for text in OTHER_UNCUED]
        for a, b in combinations(at, 2):
            found = verdict(axis, a, b, shipped("minilm"))
            assert found.ends == "both"
            two += found.answer == "two meanings"
            total += 1
    assert total == 180
    assert two <= 0.05 * total


def test_the_cue_of_no_sentence_is_made_up(senses: Senses) -> None:
    ends = known_ends("bank")
    assert ends is not None
    texts = ("I saw the bank.", "The bank was old.")
    found = given(senses, "bank", texts, [*ends.low], [*ends.high])
    assert found.answer == "not clear"
    assert found.a * found.b < 0


def test_how_sure(minilm: core.Model) -> None:
    opening = PRESETS[0]
    texts = (opening.text_a, opening.text_b)
    made = minilm.sense_axis("bank", ["money", "loan"], ["river", "shore", "rivers"])
    a, b = (word_path(t, t.find("bank")) for t in map(minilm.trace, texts))
    found = how_sure(made, a, b, texts, shipped("minilm"))
    assert [(s.word, s.end, s.text) for s in found.standing] == [
        ("river", "high", 0),
        ("rivers", "high", 0),
        ("money", "low", 1),
    ]
    assert found.ends == "word"
    calibration = shipped("minilm")
    assert calibration is not None
    assert found.bounds == calibration.bounds["word"]
    assert found.cosine == pytest.approx(0.85, abs=0.005)
    assert found.labelled is None
    assert found.cosine_says is None
    ends = known_ends("bank", texts)
    assert ends is not None
    groups = {
        name: [word_path(t, t.find("bank")) for t in minilm.trace_many([s for s in end if "bank" in s])]
        for name, end in zip(ends.names, (ends.low, ends.high), strict=True)
    }
    beside = how_sure(made, a, b, texts, None, groups)
    assert beside.bounds is None
    assert beside.labelled is not None
    assert beside.cosine_says == "not clear"  # within one sense, though the meanings are two
