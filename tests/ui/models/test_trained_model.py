"""A trained model with the interface of any other: its traces, predictions, and refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import core
from core.comparison.numbers import proof
from core.errors import NotSupported
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from core.tasks import TASKS, TaskName, Trained, train
from tests.generated import written_ids
from ui.comparison import Cached
from ui.models.trained_model import TrainedModel


def made(name: TaskName) -> tuple[Trained, TrainedModel]:
    recipe = dataclasses.replace(TASKS[name].recipe, steps=2, batch=2, d_model=12, seed=3)
    training = train(recipe)
    training.learn(2)
    return training.trained(), TrainedModel(training.trained())


def test_a_mask_hides_later_words_of_an_encoder() -> None:
    trained, model = made("bank")
    assert (model.kind, model.engine) == ("encoder", "scratch")
    text = " ".join(trained.words[:3])
    trace = model.causal_trace(text)
    assert trace.causal
    assert trace.attention is not None
    n = len(trace.tokens)
    assert (trace.attention.weights[..., np.triu(np.ones((n, n), bool), 1)] == 0).all()
    np.testing.assert_allclose(trace.attention.weights.sum(axis=-1), 1, atol=1e-5)
    with pytest.raises(NotSupported, match="one text at a time"):
        model.causal_trace(text, text)
    with pytest.raises(NotSupported, match="encoder–decoder"):
        made("reverse")[1].causal_trace("bank")


def test_a_pair_reads_its_target_or_writes_it() -> None:
    trained, model = made("reverse")
    assert (model.kind, model.predicts) == ("encoder-decoder", None)
    assert model.shape[:2] == (1, 4)
    found = model.trace("bank", "knab")
    assert isinstance(found, Seq2SeqTrace)
    assert found.decoder.tokens == ("[START]", *"knab")
    more = model.trace("bank", "kn", more=trained.target.ids("ab"))
    assert isinstance(more, Seq2SeqTrace)
    assert more.cross is not None
    assert found.cross is not None
    assert np.array_equal(more.cross.weights, found.cross.weights)
    own = model.trace("bank", "")
    assert isinstance(own, Seq2SeqTrace)
    assert own.decoder.tokens[1:] == tuple(trained.translate("bank").split())
    for refused in (
        lambda: model.expects("bank"),
        lambda: written_ids(model, "bank"),
        lambda: model.trace_many(["bank"]),
    ):
        with pytest.raises(NotSupported, match="source"):
            refused()


def test_a_masked_model_fills_in() -> None:
    trained, model = made("bank")
    text = "near the river the old bank [MASK] ."
    (found,) = model.expects(text)
    assert found.position == 7  # behind a start sign
    assert np.array_equal(found.logits, trained.expectation(text, 7).logits)
    assert model.expects("near the river the old bank flooded .", masked=(7,))[0].ids == found.ids
    hidden = model.trace("the bank flooded .", masked=(2, 3))
    assert isinstance(hidden, Trace)
    assert hidden.tokens == ("[START]", "the", "[MASK]", "[MASK]", ".")
    assert [trace.tokens[1] for trace in model.trace_many(["the bank .", "money"])] == ["the", "money"]
    with pytest.raises(NotSupported, match="no mask"):
        model.expects("the bank .")
    with pytest.raises(NotSupported, match="one text"):
        model.trace("the bank .", "money")
    with pytest.raises(NotSupported, match="to mask"):
        model.trace("the bank .", masked=(9,))
    with pytest.raises(NotSupported, match="masks"):
        written_ids(model, "the bank .")
    with pytest.raises(NotSupported, match="whole words"):
        model.read("a b")


@pytest.mark.parametrize("name", ["bank", "induction"])
def test_it_has_all_that_a_text_model_has(name: TaskName, minilm: core.Model) -> None:
    _, model = made(name)
    asked = {
        one
        for one, value in vars(core.TextModel).items()
        if callable(value) or isinstance(value, property)
    }
    asked = {one for one in asked if not one.startswith("_")}
    assert len(asked) > 20
    for one in asked:
        assert hasattr(minilm, one), one
        assert hasattr(model, one), one
    with pytest.raises(NotSupported, match="too small"):
        model.nearest_words([1.0])
    with pytest.raises(NotSupported, match="not your sentences"):
        model.vectors(["the bank ."], "bank")
    assert model.scratch_encoder is None
    assert minilm.scratch_encoder is not None
    assert minilm.n_vocabulary == 30_522
    assert minilm.read("the bank").tokens == minilm.trace("the bank").tokens


def test_a_causal_model_writes_on() -> None:
    trained, model = made("induction")
    (found,) = model.expects("abcab")
    assert (found.kind, found.position) == ("next", 4)
    words = trained.target.words
    written = [one.token for one in trained.steps_of("abcab", max_tokens=9)]
    signs = [i for i, token in enumerate(written) if token.startswith("[")]
    ids = written_ids(model, "abcab", n=9, temperature=0)
    assert [words[i] for i in ids] == written[: min(signs, default=9)]
    assert ids
    assert written_ids(model, "abcab", more=ids[:1], temperature=0) == ids[1:2]
    traced = model.trace("abcab", more=ids)
    assert isinstance(traced, Trace)
    assert traced.tokens == (*"abcab", *(words[i] for i in ids))
    assert len({written_ids(model, "abcab", seed=seed) for seed in range(5)}) > 1
    for sign in (0, 2, 999):
        with pytest.raises(NotSupported, match="no text can continue with it"):
            model.trace("abc", more=(sign,))


def test_a_page_of_a_comparison_is_saved_without_another_programs_numbers() -> None:
    """A model trained here has one engine; requesting the other gave an error instead of a file."""
    assert "other implementation" in proof(["the bank ."], Cached("yours-3f9a-1~bank"))
