"""The translation model that comes with Polysee does what stands beside it."""

from __future__ import annotations

import pytest

import core
from core.tasks import Recipe, Trained, shipped
from core.tasks.trained.shipping import COUNT, WEIGHTS, figures, published


@pytest.fixture(scope="module")
def model() -> Trained:
    return shipped()


def test_it_is_small() -> None:
    assert WEIGHTS.stat().st_size == published()["bytes"] <= 1_000_000


def test_its_figures_are_those_published(model: Trained) -> None:
    found, said = figures(model), published()
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
