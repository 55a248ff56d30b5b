"""Masked tokens, in traces and predictions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from tests import small_tokenizer
from tests.pretrained.word_models import TARGET, plain

TEXT = "On the river bank, the bank's riverbank"
Made = Callable[..., Path]


@pytest.fixture(scope="module", params=["scratch", "huggingface"])
def model(request: pytest.FixtureRequest, made: Made) -> core.Model:
    return core.load(str(made("bert")), engine=request.param)


def same(a: core.Trace, b: core.Trace) -> None:
    for name in ("learned", "embedded", "hidden", "query", "key", "value"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    assert a.attention is not None
    assert b.attention is not None
    np.testing.assert_array_equal(a.attention.weights, b.attention.weights)


def test_a_masked_trace_is_that_of_the_text_with_the_mask(model: core.Model) -> None:
    whole = model.trace(TEXT)
    bank = int(whole.find("bank")[0])
    trace = model.trace(TEXT, masked=[bank])
    typed = model.trace(TEXT.replace("bank", "[MASK]", 1))
    same(trace, typed)
    assert trace.tokens == typed.tokens == (*whole.tokens[:bank], "[MASK]", *whole.tokens[bank + 1 :])
    # The text is unchanged, and masked tokens are found by their word.
    assert trace.texts == whole.texts
    assert trace.offsets == whole.offsets
    assert trace.word_ids == whole.word_ids
    assert trace.special == whole.special
    assert trace.find("bank").tolist() == [bank]
    assert model.trace(TEXT, masked=()).tokens == whole.tokens
    several = model.trace(TEXT, masked=np.array([2, bank, bank]))
    assert [i for i, token in enumerate(several.tokens) if token == "[MASK]"] == [2, bank]


def test_one_piece_of_a_word(model: core.Model) -> None:
    whole = model.trace(TEXT)
    pieces = whole.find("riverbank").tolist()
    trace = model.trace(TEXT, masked=pieces[-1:])
    assert trace.tokens[pieces[0]] == "river"
    assert trace.find("riverbank").tolist() == pieces


def test_in_a_pair(model: core.Model) -> None:
    whole = model.trace("the river", "a bank")
    (bank,) = whole.find("bank").tolist()
    trace = model.trace("the river", "a bank", masked=[bank])
    same(trace, model.trace("the river", "a [MASK]"))
    assert trace.segments == whole.segments
    (found,) = model.expects("the river", "a bank", masked=[bank])
    assert found.position == bank


def test_what_is_masked_is_expected(model: core.Model) -> None:
    (bank,) = model.trace("the bank").find("bank").tolist()
    (chosen,), (typed,) = model.expects("the bank", masked=[bank]), model.expects("the [MASK]")
    assert chosen.position == typed.position == bank
    np.testing.assert_array_equal(chosen.logits, typed.logits)
    both = model.expects("the [MASK] bank", masked=[1])
    assert [one.position for one in both] == [1, 2]


def test_minilm_has_a_mask_and_no_head(minilm: core.Model) -> None:
    trace = minilm.trace("On the river bank", masked=[4])
    assert trace.tokens == ("[CLS]", "on", "the", "river", "[MASK]", "[SEP]")
    same(trace, minilm.trace("On the river [MASK]"))


@pytest.mark.parametrize("ask", ["trace", "expects"])
def test_what_cannot_be_masked(model: core.Model, ask: str) -> None:
    question: Any = getattr(model, ask)
    for place in (-1, 4, 400):
        with pytest.raises(core.SettingError, match=f"no token {place} to mask: the text has 4"):
            question("the bank", masked=[place])
    for place, token in ((0, "CLS"), (3, "SEP")):
        with pytest.raises(core.SettingError, match=rf"is \[{token}\]"):
            question("the bank", masked=[place])
    for wrong in ("2", 2.0, None):
        with pytest.raises(core.SettingError, match="whole number"):
            question("the bank", masked=[wrong])


def test_a_mask_must_be_there_and_fit(model: core.Model) -> None:
    with pytest.raises(core.NotSupported, match=r"no mask. Write \[MASK\] where"):
        model.expects("the bank")
    with pytest.raises(core.NotSupported, match=r"does not fit .* 64 tokens"):
        model.expects("[MASK] " + "bank " * 62 + "[MASK]")
    with pytest.raises(core.NotSupported, match="does not fit"):
        model.expects("the river", "bank " * 62 + "[MASK]")
    with pytest.raises(core.SettingError, match="the text has 64"):
        model.expects("bank " * 80, masked=[70])
    (found,) = model.expects("bank " * 80, masked=[62])
    assert found.position == 62
    with pytest.raises(core.NotSupported, match="in both directions"):
        model.trace("the bank", more=[5])
    with pytest.raises(core.NotSupported, match="in both directions"):
        model.expects("the [MASK]", more=[5])
    with pytest.raises(core.NotSupported, match="masked words, not words that would follow"):
        model.generate("the [MASK]")
    with pytest.raises(core.SettingError, match="must be a string"):
        model.expects(7)  # type: ignore[arg-type]


def test_the_limit(model: core.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_trace_bytes", 4 * small_tokenizer.SIZE * 3)
    assert len(model.expects("[MASK] [MASK]")) == 2
    with pytest.raises(core.TooLarge, match="POLYSEE_TRACE_MB"):
        model.expects("[MASK] [MASK] [MASK]")


def test_a_model_without_a_mask(made: Made) -> None:
    for kind in ("gpt2", "t5"):
        model = core.load(str(made(kind)), name="it")
        second = (TARGET,) if kind == "t5" else ()
        for ask in (model.trace, model.expects):
            with pytest.raises(core.NotSupported, match="“it” has no mask token"):
                ask(TEXT, *second, masked=[1])


def test_a_mask_in_the_source_of_bart(made: Made) -> None:
    """BART learned to write a text whose words are hidden from its encoder."""
    folder = made("bart")
    model, tokenizer = core.load(str(folder)), plain(folder).tokenizer
    text = "On the river bank"
    (bank,) = model.trace(text, "a").encoder.find("bank").tolist()
    trace = model.trace(text, TARGET, masked=[bank])
    ids = tokenizer(text)["input_ids"]
    ids[bank] = tokenizer.mask_token_id
    assert trace.encoder.tokens == tuple(tokenizer.convert_ids_to_tokens(ids))
    assert trace.encoder.find("bank").tolist() == [bank]
    assert "<mask>" not in trace.decoder.tokens
    (seen,), (hidden,) = model.expects(text), model.expects(text, masked=[bank])
    assert np.abs(seen.logits - hidden.logits).max() > 0.01
