"""The route: what its six scenes say is what the models compute and the pages show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.comparison import Chosen, Ends, Question
from core.comparison.alone import by_itself
from core.comparison.judge import Between, judge
from core.examples import known_ends
from core.examples.first_texts import OPENING
from core.lessons import Lesson, OfModel, Records, TranslatorRecords, answer, keys, route
from core.lessons.parsing import FOLDER
from core.measures import shipped
from core.records.interventions import Ablate
from core.records.sense_axis import SenseAxis
from core.tasks import shipped as shipped_translator

Say = Callable[..., str]


@pytest.fixture(scope="module")
def ours() -> Lesson:
    found = route()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def records(minilm: core.Model) -> Callable[[str], Records]:
    """The records of a scene's model."""
    own = OfModel(lambda: minilm, "MiniLM", shipped("minilm"))
    translator = TranslatorRecords(shipped_translator())
    return lambda model: translator if model == "translator" else own


@pytest.fixture
def say(ours: Lesson, records: Callable[[str], Records]) -> Say:
    """What a scene says, from 1, with other texts in place of the route's."""

    def of(number: int, own: Records | None = None, **texts: str) -> str:
        scene = ours.steps[number - 1]
        said = answer(scene, own or records(scene.model), {**ours.texts, **texts}).reveal
        return said.replace("\n", " ")

    return of


@pytest.fixture(scope="module")
def axis(minilm: core.Model) -> SenseAxis:
    """The axis of “bank” for sentences that are none of our labelled ones."""
    known = known_ends("bank", (), minilm.spelling)
    assert known is not None
    return minilm.sense_axis("bank", known.low, known.high)


def compared(model: core.Model, axis: SenseAxis, a: str, b: str) -> Between:
    """The comparison that Compare draws."""
    known = known_ends("bank", (a, b), model.spelling)
    assert known is not None
    assert (axis.frames.low.items, axis.frames.high.items) == (known.low, known.high)
    ends = Ends(known.names, known.low, known.high)
    question = Question(axis.model, Chosen(a, "bank", 0), Chosen(b, "bank", 0), ends)
    traces = model.trace(a), model.trace(b)
    return judge(question, (axis, axis), traces, shipped("minilm"), model.spelling)


def numbers(said: str) -> list[float]:
    """The numbers in a sentence, in their order."""
    found = re.findall(r"−?\d+(?:\.\d+)?", said)
    return [float(one.replace("−", "-")) for one in found]


def near(*wanted: float) -> object:
    return pytest.approx(list(wanted), abs=0.005001)


def test_it_has_six_short_scenes_in_two_minutes(ours: Lesson, say: Say) -> None:
    assert (ours.name, ours.number, ours.minutes, len(ours.steps)) == ("route", 0, 2, 6)
    assert len({scene.page for scene in ours.steps}) >= 4
    said = [say(number) for number in range(1, 7)]
    assert max(len(one.split()) for one in said) <= 32
    lines = (FOLDER / "00-route.md").read_text("utf-8").splitlines()
    assert max(map(len, lines)) <= 130


def test_it_begins_with_the_sentences_of_the_first_page(ours: Lesson) -> None:
    first = keys.state(ours.steps[0], ours.texts)
    assert (first["a"], first["b"], first["w"]) == (OPENING.text_a, OPENING.text_b, OPENING.word)


def test_1_one_point_in_both(say: Say, minilm: core.Model) -> None:
    learned = [
        trace.learned[trace.find("bank")[0]]
        for trace in map(minilm.trace, (OPENING.text_a, OPENING.text_b))
    ]
    np.testing.assert_array_equal(*learned)
    assert numbers(say(1)) == [len(learned[0])]
    assert "starts from the same numbers" in say(1)


def test_2_a_row_of_the_table(say: Say, minilm: core.Model) -> None:
    trace, read = minilm.trace(OPENING.text_a), minilm.read(OPENING.text_a)
    row = read.ids[int(trace.find("bank")[0])]
    assert numbers(say(2).replace(",", "")) == [len(trace.tokens), minilm.n_vocabulary, row]
    assert (trace.tokens[0], trace.tokens[-1]) == ("[CLS]", "[SEP]")
    assert "[CLS] and [SEP] at its ends among them" in say(2)
    other = minilm.read(OPENING.text_b)
    assert row == other.ids[int(minilm.trace(OPENING.text_b).find("bank")[0])]  # in every sentence


def test_3_one_head_whose_weight_the_picture_prints(
    ours: Lesson, say: Say, minilm: core.Model, axis: SenseAxis
) -> None:
    trace = minilm.trace(OPENING.text_a)
    (bank,), (fishing,) = trace.find("bank"), trace.find("fishing")
    state = keys.state(ours.steps[2], ours.texts)
    layer, head = int(state["l"]) - 1, int(state["h"]) - 1
    assert (int(state["q"]), int(state["k"])) == (bank + 1, fishing + 1)  # what the picture frames
    assert trace.attention is not None
    weights = trace.attention.weights
    (without,) = minilm.changed(OPENING.text_a, [[Ablate(layer, head)]], keep="hidden")
    last = [axis.coordinates(one, trace.find("bank"))[-1] for one in (without, trace)]
    where = head + 1, layer + 1
    assert numbers(say(3)) == near(*where, float(weights[layer, head, bank, fishing]))
    assert state["r"] == "token"  # whose bars have their numbers beside them
    # No other head gives the cue more; and the word moves by a third of its way without this one.
    assert weights[:, :, bank, fishing].max() == weights[layer, head, bank, fishing]
    assert last[1] - last[0] > 0.4


def test_3_another_head_is_told_with_its_own_numbers(say: Say) -> None:
    assert numbers(say(3, l="1", h="3"))[:3] == [3, 1, 0]  # it attends to the word before: river


def test_4_over_all_heads_another_word_adds_most_than_the_one_that_a_head_attends_to(
    say: Say, ours: Lesson, records: Callable[[str], Records]
) -> None:
    """Its two numbers are told with what they are: scene 3’s weight, and what Compare prints."""
    moved = dict(records("minilm").moved(ours.texts["a"], "bank").others)["river"]
    assert f"gave “fishing” the weight {numbers(say(3))[-1]:.2f}" in say(4)
    assert f"over all heads, *river* adds most of the other words: {moved:.2f}" in say(4)
    assert "*it* adds" in say(4, a="A man is fishing from the bank.")


def test_4_where_compare_draws_it(say: Say, minilm: core.Model, axis: SenseAxis) -> None:
    found = compared(minilm, axis, OPENING.text_a, OPENING.text_b)
    a, b = found.coordinates
    assert numbers(say(4))[:2] == near(a[-1], b[-1])
    assert found.verdict.answer == "two meanings"
    assert "two meanings" in say(4)


def test_5_without_its_cues_it_ends_where_it_stands_alone(
    ours: Lesson, say: Say, minilm: core.Model, axis: SenseAxis
) -> None:
    bare = ours.texts["c"]
    assert not {"fishing", "river"} & {*bare.rstrip(".").split()}
    found = compared(minilm, axis, OPENING.text_a, bare)
    a, b = found.coordinates
    lone = by_itself(minilm.trace(bare), Chosen(bare, "bank", 0))
    trace = minilm.trace(lone.text)
    alone = axis.coordinates(trace, trace.find(lone.word))[-1]
    assert numbers(say(5)) == near(b[-1], alone, a[-1])
    assert abs(b[-1] - alone) < 0.3 < abs(a[-1] - alone)
    assert "ends near" in say(5)
    assert "still ends away" in say(5, c="He opened an account at the bank.")


def test_6_the_translator_says_one_word_in_two_ways(say: Say) -> None:
    translator = shipped_translator()
    car, cat = (translator.decode(f"she has a black {one}") for one in ("car", "cat"))
    at = car.trace.encoder.tokens.index("black")
    assert (car.words[4], cat.words[4]) == ("noire", "noir")
    assert car.trace.cross is not None
    weight = float(car.trace.cross.weights[0, 0, 4, at])
    assert round(100 * weight) == 100
    assert "After *voiture*" in say(6)
    assert "gives *black* 100 %" in say(6)
    # Both forms stand among the bars of the picture: `translate-next`.
    top = car.expectations[4].top(8)
    share = dict(zip(top.tokens, map(float, top.probabilities), strict=True))
    assert share["noire"] > 0.999
    assert share["noir"] < 0.001
    assert "*noire* gets more than 99.9 %, *noir* less than 0.1 %" in say(6)
    assert "gender" in say(6)  # a form of one meaning, and no second meaning


@pytest.mark.check
def test_every_scene_can_be_computed_on_a_random_model(
    say: Say, make_folder: Callable[..., Path]
) -> None:
    sizes = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": 36}
    model = core.load(str(make_folder("bert", seed=3, **sizes)))
    own = OfModel(lambda: model, "random")
    for number in range(1, 6):
        said = say(number, own)
        assert "{" not in said
        assert not re.search(r"\b(nan|inf)\b", said)
