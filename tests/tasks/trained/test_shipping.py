"""The translation model shipped with Polysee has the accuracy stated beside it."""

from __future__ import annotations

import pytest

import core
from core.tasks import Recipe, TaskName, Trained, shipped
from core.tasks.languages.directions import DIRECTIONS
from core.tasks.trained.shipping import COUNT, figures, published, weights

BOTH = pytest.mark.parametrize("task", DIRECTIONS)


@pytest.fixture(scope="module")
def model() -> Trained:
    return shipped()


@BOTH
def test_it_is_small(task: TaskName) -> None:
    assert weights(task).stat().st_size == published(task)["bytes"] <= 1_000_000


def test_no_other_task_is_shipped() -> None:
    with pytest.raises(core.NotSupported, match="reverse"):
        shipped("reverse")


@pytest.mark.few(1)
@pytest.mark.check
@BOTH
def test_its_figures_are_those_published(task: TaskName) -> None:
    model = shipped(task)
    found, said = figures(model), published(task)
    assert model.recipe.task == task
    assert said["sentences"] == COUNT
    assert Recipe.from_dict(said["recipe"]) == model.recipe
    for name, value in found._asdict().items():
        # Another processor may round one sentence, or a few of its words, differently.
        assert value == pytest.approx(said[name], abs=1 / COUNT), name
    assert found.exact >= 0.99
    assert found.alignment >= 0.95


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("I am a student.", "je suis étudiant"),
        ("She is a student", "elle est étudiante"),
        ("the black cat does not eat the small apple", "le chat noir ne mange pas la petite pomme"),
        ("Do you have an expensive car?", "est-ce que vous avez une voiture chère ?"),
        ("she does not have a red car", "elle n'a pas de voiture rouge"),
        ("the children like her", "les enfants l'aiment"),
    ],
)
def test_it_translates(model: Trained, english: str, french: str) -> None:
    assert model.translate(english) == french


def test_each_word_looks_at_the_one_that_it_translates(model: Trained) -> None:
    looked = {}
    for step in model.steps_of("the black cat does not eat my apple"):
        assert step.cross is not None
        looked[step.token] = step.cross.keys[step.cross.weights[-1, 0, 0].argmax()]
        assert step.expectation.top(5).tokens[0] == step.token
    del looked["[END]"]
    assert looked == {
        "le": "the",
        "chat": "cat",
        "noir": "black",
        "ne": "not",
        "mange": "eat",
        "pas": "not",
        "ma": "my",
        "pomme": "apple",
    }


def test_its_trace_is_one_for_the_pages(model: Trained) -> None:
    trace = model.trace("I am a student")
    assert isinstance(trace, core.Seq2SeqTrace)
    assert trace.decoder.texts == ("je suis étudiant",)


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("je suis étudiant", "i am a student"),
        ("Elle est étudiante.", "she is a student"),
        ("le chat noir ne mange pas la petite pomme", "the black cat does not eat the small apple"),
        ("est-ce que vous avez une voiture chère ?", "do you have an expensive car ?"),
        ("elle n’a pas de voiture rouge", "she does not have a red car"),
        ("les enfants les aiment", "the children like them"),
    ],
)
def test_the_other_one_translates_back(french: str, english: str) -> None:
    assert shipped("to-english").translate(french) == english


def test_each_english_word_attends_to_the_french_one() -> None:
    attended = {}
    for step in shipped("to-english").steps_of("le chat noir ne mange pas ma pomme"):
        assert step.cross is not None
        attended[step.token] = step.cross.keys[step.cross.weights[-1, 0, 0].argmax()]
    of_none = {"does", "[END]"}
    assert {word: of for word, of in attended.items() if word not in of_none} == {
        "the": "le",
        "black": "noir",
        "cat": "chat",
        "not": "pas",
        "eat": "mange",
        "my": "ma",
        "apple": "pomme",
    }
