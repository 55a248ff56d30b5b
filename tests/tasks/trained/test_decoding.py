"""A translation step by step, with words chosen by hand."""

from __future__ import annotations

import numpy as np
import pytest

import core
from core.errors import NotSupported, SettingError
from core.tasks import Trained, shipped


@pytest.fixture(scope="module")
def model() -> Trained:
    return shipped()


def test_without_a_choice_it_is_what_the_model_writes(model: Trained) -> None:
    text = "she does not have a red car"
    found, steps = model.decode(text), list(model.steps_of(text))
    assert found.tokens == tuple(step.token for step in steps)
    assert model.target.join(found.words) == model.translate(text) == "elle n'a pas de voiture rouge"
    assert found.ended
    assert found.ids == model.target.ids(found.tokens)
    assert found.trace.decoder.tokens == ("[START]", *found.tokens[:-1])
    for i, step in enumerate(steps):
        assert found.likeliest(i) == step.token
        np.testing.assert_allclose(found.expectations[i].logits, step.expectation.logits, atol=1e-5)
        assert step.cross is not None
        assert found.trace.cross is not None
        row = found.trace.cross.weights[:, :, i]
        np.testing.assert_allclose(row, step.cross.weights[:, :, 0], atol=1e-6)


def test_it_goes_on_from_a_word_that_was_chosen(model: Trained) -> None:
    found = model.decode("she does not have a red car", {1: "a"})
    assert found.words == ("elle", "a", "une", "voiture", "rouge")
    assert found.likeliest(1) == "n'"
    assert [found.likeliest(i) for i in (0, 2, 3, 4)] == ["elle", "une", "voiture", "rouge"]
    # The cached keys are those of the written words.
    again = model.trace("she does not have a red car", "elle a une voiture rouge")
    assert isinstance(again, core.Seq2SeqTrace)
    assert again.cross is not None
    assert found.trace.cross is not None
    np.testing.assert_allclose(found.trace.cross.weights, again.cross.weights, atol=1e-6)


def test_an_end_by_hand_and_one_that_never_comes(model: Trained) -> None:
    early = model.decode("I am a student", {2: "[END]", 3: "chat"})
    assert early.tokens == ("je", "suis", "[END]")
    assert early.words == ("je", "suis")
    endless = model.decode("I am a student", dict.fromkeys(range(5), "pas"), max_tokens=5)
    assert endless.tokens == endless.words == ("pas",) * 5
    assert not endless.ended
    assert endless.trace.decoder.tokens == ("[START]", *("pas",) * 4)
    first = model.decode("I am a student", {0: "[END]"})
    assert first.words == ()
    assert first.trace.decoder.tokens == ("[START]",)


def test_what_cannot_be_asked(model: Trained, bank: Trained) -> None:
    with pytest.raises(NotSupported, match="writes no translation"):
        bank.decode("the bank")
    with pytest.raises(NotSupported, match="does not know “zebra”"):
        model.decode("a zebra")
    with pytest.raises(SettingError, match="“zèbre” was chosen"):
        model.decode("I am a student", {0: "zèbre"})
    with pytest.raises(SettingError, match="max_tokens"):
        model.decode("I am a student", max_tokens=65)
