"""A trained model: its traces, and texts that it writes token by token."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import core
from core.errors import NotSupported, SettingError, TooLarge
from core.tasks import TASKS, Chance, Trained, shipped
from core.tasks.trained.models import answer
from core.tasks.training.batches import collate


def test_a_pair_is_traced(translation: Trained) -> None:
    trace = translation.trace("I am a Student.", "Je suis étudiant")
    assert isinstance(trace, core.Seq2SeqTrace)
    assert trace.encoder.tokens == ("i", "am", "a", "student")
    assert trace.decoder.tokens == ("[START]", "je", "suis", "étudiant")
    assert trace.decoder.special == (True, False, False, False)
    assert trace.encoder.texts == ("I am a Student.",)
    assert list(trace.encoder.find("student")) == [3]
    assert list(trace.decoder.find("étudiant")) == [3]
    assert trace.decoder.causal
    assert not trace.encoder.causal
    assert trace.encoder.grid == (2, 4)
    assert trace.decoder.grid == (1, 4)
    assert trace.cross is not None
    assert trace.cross.weights.shape == (1, 1, 4, 4)
    assert trace.encoder.final is None  # post-LN
    assert translation.source is not None
    table = translation.weights["source_embeddings.tokens.weight"]
    for place, word in enumerate(trace.encoder.tokens):
        assert np.array_equal(trace.encoder.learned[place], table[translation.source.ids([word])[0]])


def test_scores_of_a_trace_lead_to_its_weights(translation: Trained, induction: Trained) -> None:
    def softmax(scores: core.Scores) -> np.ndarray:
        raised = np.where(scores.masked, 0, np.exp(scores.values))
        return raised / raised.sum(axis=-1, keepdims=True)

    pair = translation.trace("she sees the cat", "elle voit le chat")
    assert isinstance(pair, core.Seq2SeqTrace)
    assert pair.cross is not None
    one = induction.trace("abcab")
    assert isinstance(one, core.Trace)
    assert one.causal
    for trace in (pair.encoder, pair.decoder, one):
        assert trace.attention is not None
        layers, heads = trace.grid
        for layer in range(layers):
            for head in range(heads):
                found = trace.attention.weights[layer, head]
                assert softmax(trace.scores(layer, head)) == pytest.approx(found, abs=1e-6)
    assert softmax(pair.scores(0, 0)) == pytest.approx(pair.cross.weights[0, 0], abs=1e-6)


def test_without_a_target_its_own_is_traced(reverse: Trained) -> None:
    trace = reverse.trace("abc d")
    assert isinstance(trace, core.Seq2SeqTrace)
    written = [step.token for step in reverse.steps_of("abc d") if not step.ends]
    assert list(trace.decoder.tokens) == ["[START]", *written]
    assert reverse.translate("abcd") == " ".join(written)
    assert trace.encoder.word_ids == (0, 0, 0, 1)
    assert trace.decoder.final is not None  # pre-LN


def test_one_text_is_traced(bank: Trained, induction: Trained) -> None:
    trace = bank.trace("Near the river the old bank [MASK].")
    assert isinstance(trace, core.Trace)
    assert trace.tokens == tuple(
        ["[START]", "near", "the", "river", "the", "old", "bank", "[MASK]", "."]
    )
    assert trace.special == (True, *(False,) * 6, True, False)
    assert list(trace.find("bank")) == [6]
    assert not trace.causal
    assert bank.expectation("the bank [MASK]", 3).kind == "masked"
    text = induction.trace("ab1ab")
    assert isinstance(text, core.Trace)
    assert text.tokens == tuple("ab1ab")
    expected = induction.expectation("ab1ab", 4)
    assert expected.kind == "next"
    assert expected.top(3).tokens == expected.tokens[:3]
    with pytest.raises(IndexError, match="no token 5; there are 5"):
        induction.expectation("ab1ab", 5)


def test_steps_see_what_a_trace_sees() -> None:
    translation = shipped()
    steps = list(translation.steps_of("she has a red car"))
    assert steps[-1].ends
    words = [step.token for step in steps[:-1]]
    trace = translation.trace("she has a red car", translation.target.join(words))
    assert isinstance(trace, core.Seq2SeqTrace)
    assert trace.cross is not None
    assert trace.decoder.attention is not None
    for row, step in enumerate(steps):
        assert step.expectation.ids[0] == translation.target.ids([step.token])[0]
        assert step.cross is not None
        assert step.cross.queries == (step.token,)
        assert step.cross.keys == ("she", "has", "a", "red", "car")
        assert step.cross.weights[..., 0, :] == pytest.approx(trace.cross.weights[:, :, row], abs=1e-6)
        own = trace.decoder.attention.weights[:, :, row, : row + 1]
        assert step.attention.weights[..., 0, :] == pytest.approx(own, abs=1e-6)
        assert step.attention.keys == ("[START]", *words[:row])


def test_chance_has_a_seed(translation: Trained) -> None:
    def written(chance: Chance | None) -> list[str]:
        steps = translation.steps_of("he sleeps", chance=chance, max_tokens=20)
        return [step.token for step in steps]

    assert written(Chance(5.0, seed=1)) == written(Chance(5.0, seed=1))
    assert written(Chance(5.0, seed=1)) != written(Chance(5.0, seed=2))
    assert written(Chance(5.0, top_k=1)) == written(Chance(0.01)) == written(None)


@pytest.mark.parametrize(
    "values", [{"temperature": 0.0}, {"temperature": float("nan")}, {"top_k": 0}, {"seed": -1}]
)
def test_chance_is_checked(values: dict) -> None:
    with pytest.raises(SettingError):
        Chance(**values)


def test_what_cannot_be_asked(
    reverse: Trained, translation: Trained, bank: Trained, induction: Trained
) -> None:
    with pytest.raises(NotSupported, match="not an encoder–decoder"):
        bank.trace("the bank", "flooded")
    with pytest.raises(NotSupported, match="fills in masks"):
        bank.steps_of("the bank")
    with pytest.raises(NotSupported, match="steps_of"):
        reverse.expectation("abc", 0)
    assert translation.unknown("the cat saw a zebra") == ("saw", "zebra")
    assert "student" in translation.words
    for ask in (translation.trace, translation.translate, translation.steps_of):
        with pytest.raises(NotSupported, match=r"“Translate English.* does not know “saw”, “zebra”"):
            ask("the cat saw a zebra")
    with pytest.raises(NotSupported, match="does not know “zèbre”"):
        translation.trace("the cat", "le zèbre")
    with pytest.raises(TooLarge, match="70 words"):
        induction.trace("a" * 70)
    for count in (0, 65):
        with pytest.raises(SettingError, match="max_tokens"):
            induction.steps_of("abc", max_tokens=count)


@pytest.mark.parametrize("name", ["reverse", "translation"])
def test_greedy_writing_is_what_accuracy_counts(name: str, request: pytest.FixtureRequest) -> None:
    """All labels are right exactly if the model writes the target: see `task.whole`."""
    trained: Trained = request.getfixturevalue(name) if name == "reverse" else shipped()
    task = TASKS[name]  # type: ignore[index]
    examples = task.held_out(30)
    with torch.no_grad():
        batch = collate(examples)
        predicted = answer(trained.net, batch).logits_BLV.argmax(-1).numpy()
    for row, example in enumerate(examples):
        assert task.source is not None
        words = [task.source.words[i] for i in example.source]
        steps = [step.token for step in trained.steps_of(" ".join(words))]
        wanted = [task.target.words[i] for i in example.labels]
        right = (predicted[row, : len(wanted)] == np.array(example.labels)).all()
        assert (steps == wanted) == right
