"""Predictions against the logits of `transformers`; and the message for models without a head."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import core
from core.pretrained import language_head
from tests import small_tokenizer
from tests.pretrained.small_models import Eager
from tests.pretrained.word_models import (
    DECODERS,
    MASKED,
    PAIRED,
    TARGET,
    TEXT,
    logits,
    masked_text,
    plain,
    untied,
)
from tests.tiers import some

pytestmark = pytest.mark.check

BOUND = 1e-4
Make = Callable[..., Path]


def rewritten(folder: Path, place: Path, change: Callable[[dict[str, torch.Tensor]], Any]) -> Path:
    """A copy of a folder with other tensors."""
    shutil.copytree(folder, place)
    tensors = load_file(place / "model.safetensors")
    change(tensors)
    save_file(tensors, place / "model.safetensors", {"format": "pt"})
    return place


def _module(model: core.Model) -> Any:
    """The module of a model's head."""
    head: Any = model._words.head
    return head._module


def without(name: str) -> Callable[[dict[str, torch.Tensor]], Any]:
    return lambda tensors: tensors.pop(name)


def changed(name: str, tensor: torch.Tensor) -> Callable[[dict[str, torch.Tensor]], Any]:
    return lambda tensors: tensors.update({name: tensor})


def settings(folder: Path, **changed: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


def close(found: core.Expectation, expected: torch.Tensor) -> None:
    assert found.logits.shape == expected.shape
    np.testing.assert_allclose(found.logits, expected, rtol=0, atol=BOUND)
    assert expected.std() > 0.1


def engines(kind: str) -> tuple[Any, ...]:
    return ("scratch", "huggingface") if kind in ("bert", "distilbert") else ("huggingface",)


def assert_masked(model: core.Model, oracle: Eager) -> None:
    text = masked_text(oracle.tokenizer)
    inputs = oracle.tokenizer(text, return_tensors="pt")
    expected = logits(oracle.model, **inputs)
    places = (inputs["input_ids"][0] == oracle.tokenizer.mask_token_id).nonzero()[:, 0].tolist()
    assert model.predicts == "masked"
    assert model.no_predictions == ""
    found = model.expects(text)
    assert [one.position for one in found] == places
    assert len(places) == 2
    for one in found:
        assert one.kind == "masked"
        close(one, expected[one.position])


@pytest.mark.parametrize("kind", some(MASKED, 3))
def test_behind_a_mask(made: Make, kind: str) -> None:
    folder = made(kind)
    oracle = plain(folder)
    for engine in engines(kind):
        model = core.load(str(folder), engine=engine)
        assert_masked(model, oracle)
        assert_masked(core.load(oracle.model, oracle.tokenizer, engine=engine), oracle)


def test_a_pair_with_a_mask_in_its_second_text(made: Make) -> None:
    oracle = plain(made("bert"))
    for engine in engines("bert"):
        (found,) = core.load(str(made("bert")), engine=engine).expects("the river", "a [MASK]")
        inputs = oracle.tokenizer("the river", "a [MASK]", return_tensors="pt")
        close(found, logits(oracle.model, **inputs)[found.position])


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", DECODERS)
def test_the_next_token(made: Make, kind: str) -> None:
    folder = made(kind)
    oracle = plain(folder)
    ids = oracle.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    for model in (core.load(str(folder)), core.load(oracle.model, oracle.tokenizer)):
        assert model.predicts == "next"
        (found,) = model.expects(TEXT)
        assert (found.position, found.kind) == (ids.shape[1] - 1, "next")
        close(found, logits(oracle.model, input_ids=ids)[-1])
        (on,) = model.expects(TEXT, more=(7, 5))
        longer = torch.cat([ids, torch.tensor([[7, 5]])], 1)
        assert on.position == found.position + 2
        close(on, logits(oracle.model, input_ids=longer)[-1])


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", PAIRED)
def test_the_next_token_of_a_target(made: Make, kind: str) -> None:
    folder = made(kind)
    oracle = plain(folder)
    source = oracle.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    start = 0 if "t5" in kind else oracle.model.config.decoder_start_token_id
    target = oracle.tokenizer(TARGET)["input_ids"][:-1]  # without its end sign
    for model in (core.load(str(folder)), core.load(oracle.model, oracle.tokenizer)):
        for second, more in ((None, ()), ("", ()), ("", (9, 4)), (TARGET, ()), (TARGET, (9, 4))):
            reads = [start, *(target if second else ()), *more]
            (found,) = model.expects(TEXT, second, more=more)
            expected = logits(oracle.model, input_ids=source, decoder_input_ids=torch.tensor([reads]))
            assert found.position == len(reads) - 1
            seen = model.trace(TEXT, second or "", more=more, keep="hidden").decoder
            assert list(seen.tokens) == oracle.tokenizer.convert_ids_to_tokens(reads)
            close(found, expected[-1])


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("t5, gated", {"change": untied}),
        ("t5", {"change": untied}),
        ("gpt2", {"tie_word_embeddings": False}),
        ("llama", {"tie_word_embeddings": True}),
        ("opt", {"tie_word_embeddings": False}),
        ("bert", {"tie_word_embeddings": False}),
        ("bert", {"head": "ForPreTraining"}),
        ("bert", {"hidden_act": "silu"}),
        ("albert", {"head": "ForPreTraining"}),
        ("gpt2", {"head": "DoubleHeadsModel"}),
    ],
)
def test_tied_and_not(made: Make, kind: str, options: dict[str, Any]) -> None:
    folder = made(kind, **options)
    oracle = plain(folder)
    if kind in ("bert", "albert"):
        for engine in (None,) if "hidden_act" in options else engines(kind):
            assert_masked(core.load(str(folder), engine=engine), oracle)
        return
    model = core.load(str(folder))
    ids = oracle.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    inputs = {"decoder_input_ids": torch.tensor([[0, 5]])} if "t5" in kind else {}
    (found,) = model.expects(TEXT, more=(5,)) if inputs else model.expects(TEXT)
    close(found, logits(oracle.model, input_ids=ids, **inputs)[-1])
    if "change" in options:
        assert oracle.model.lm_head.weight is not oracle.model.shared.weight
        assert oracle.model.config.scale_decoder_outputs == (kind == "t5")


def test_an_old_checkpoint(made: Make, tmp_path: Path) -> None:
    """As bert-base-uncased was published: other names of LayerNorm, the table twice, one bias."""

    def old(tensors: dict[str, torch.Tensor]) -> None:
        for name in list(tensors):
            new = name.replace("LayerNorm.weight", "LayerNorm.gamma")
            tensors[new.replace("LayerNorm.bias", "LayerNorm.beta")] = tensors.pop(name)
        tensors["cls.predictions.decoder.weight"] = tensors[
            "bert.embeddings.word_embeddings.weight"
        ].clone()

    folder = rewritten(made("bert"), tmp_path / "old", old)
    oracle = plain(made("bert"))
    for engine in engines("bert"):
        model = core.load(str(folder), engine=engine)
        assert_masked(model, oracle)
        output = _module(model).get_output_embeddings().weight
        assert output.data_ptr() == model._runner.table.data_ptr()  # one table, not two


def test_a_bias_under_its_other_name(made: Make, tmp_path: Path) -> None:
    def other(tensors: dict[str, torch.Tensor]) -> None:
        tensors["cls.predictions.decoder.bias"] = tensors.pop("cls.predictions.bias")

    folder = rewritten(made("bert"), tmp_path / "other", other)
    assert_masked(core.load(str(folder)), plain(made("bert")))


def test_bart_without_its_bias(made: Make, tmp_path: Path) -> None:
    folder = rewritten(made("bart"), tmp_path / "bart", without("final_logits_bias"))
    oracle = plain(folder)
    source = oracle.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    (found,) = core.load(str(folder)).expects(TEXT)
    close(found, logits(oracle.model, input_ids=source, decoder_input_ids=torch.tensor([[2]]))[-1])


# Names


def test_how_tokens_read(made: Make) -> None:
    for kind, tokens, texts in (
        ("bert", ("bank", "##ing", ".", "[SEP]"), (" bank", "ing", ".", "[SEP]")),
        ("gpt2", ("Ġbank", "bank", "Ã"), (" bank", "bank", "⟨C3⟩")),
        ("t5", ("▁bank", "ank", "</s>"), (" bank", "ank", "</s>")),
        ("llama", ("▁bank", "b", "<0x41>"), (" bank", "b", "A")),
    ):
        reader = core.load(str(made(kind)))._reader
        numbers = [reader._tokenizer.token_to_id(token) for token in tokens]
        assert tuple(reader.name(n) for n in numbers) == tokens
        assert tuple(reader.surface_form(n) for n in numbers) == texts


def test_a_token_that_only_the_model_knows(made: Make) -> None:
    folder = made("t5", vocab_size=80)
    model = core.load(str(folder))
    (found,) = model.predict(TEXT, "", top_k=200)
    assert len(found.ids) == 80
    assert found.rest < 1e-5
    assert found.tokens[found.ids.index(79)] == "<79>"
    assert found.texts[found.ids.index(79)] == ""
    trace = model.trace(TEXT, more=(79, 9))
    assert trace.decoder.tokens[1:] == ("<79>", model._reader.name(9))


def test_predict_is_the_short_form(made: Make) -> None:
    model = core.load(str(made("gpt2")))
    (found,), (short,) = model.expects(TEXT), model.predict(TEXT, top_k=3, temperature=0.5)
    np.testing.assert_array_equal(found.top(3, 0.5).probabilities, short.probabilities)
    assert short.ids == found.ids[:3]
    assert len(model.predict(TEXT)[0].ids) == 10
    for wrong in ({"top_k": 0}, {"temperature": 0}, {"temperature": float("nan")}):
        with pytest.raises(core.SettingError):
            model.predict(TEXT, **wrong)


# No head


def test_minilm_has_none(minilm: core.Model, minilm_hf: core.Model) -> None:
    why = (
        "“minilm” has no output layer that predicts words: it was trained to produce sentence vectors."
    )
    for model in (minilm, minilm_hf):
        assert model.predicts is None
        assert model.no_predictions == why
        for ask in (model.expects, model.predict, model.generate):
            with pytest.raises(core.NotSupported) as refused:
                ask("On the [MASK] bank")
            assert str(refused.value) == why


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("kind", "head", "why"),
    [
        ("bert", "Model", "its weights are only those of the encoder"),
        ("distilbert", "ForQuestionAnswering", "to find answers in a text"),
        ("bert", "ForSequenceClassification", "to classify texts, or their words"),
        ("bert", "ForNextSentencePrediction", "to tell whether one text follows another"),
        ("roberta", "ForTokenClassification", "to classify texts, or their words"),
        ("electra", "ForPreTraining", "it is a discriminator, trained to distinguish"),
        ("mpnet", "Model", "its weights are only those of the encoder"),
        ("llama", "Model", "its weights are only those of the decoder"),
        ("gpt2", "ForSequenceClassification", "to classify texts, or their words"),
        ("bart", "ForSequenceClassification", "to classify texts, or their words"),
    ],
)
def test_why_there_is_none(made: Make, kind: str, head: str, why: str) -> None:
    folder = made(kind, head=head)
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    cls = json.loads((folder / "config.json").read_text())["architectures"][0]
    own = getattr(transformers, cls).from_pretrained(folder)
    for model in (core.load(str(folder), name="it"), core.load(own, tokenizer, name="it")):
        assert model.predicts is None
        assert model.no_predictions.startswith("“it” has no output layer that predicts words: ")
        assert why in model.no_predictions
        with pytest.raises(core.NotSupported, match="no output layer that predicts words"):
            model.expects("the bank")


@pytest.mark.parametrize(
    ("kind", "gone"),
    [
        ("bert", "cls.predictions.transform.LayerNorm.bias"),
        ("bert", "cls.predictions.bias"),
        ("distilbert", "vocab_projector.bias"),
        ("electra", "generator_predictions.dense.weight"),
        ("roberta", "lm_head.layer_norm.weight"),
    ],
)
def test_a_part_of_a_head_is_none(made: Make, tmp_path: Path, kind: str, gone: str) -> None:
    folder = rewritten(made(kind), tmp_path / "part", without(gone))
    model = core.load(str(folder), name="it")
    assert model.predicts is None
    assert model.no_predictions == (
        f"“it” has only a part of the head that predicts words: {gone} is missing."
    )


def test_an_output_that_is_not_tied_must_be_there(made: Make, tmp_path: Path) -> None:
    for kind, gone in (("llama", "lm_head.weight"), ("bert", "cls.predictions.decoder.weight")):
        folder = made(kind, tie_word_embeddings=False)
        assert core.load(str(folder)).predicts is not None
        less = rewritten(folder, tmp_path / kind, without(gone))
        assert core.load(str(less)).predicts is None


def test_a_model_of_sentences_with_a_tied_output(made: Make, tmp_path: Path) -> None:
    """A decoder that was trained further for sentence vectors: its table is no longer a head."""
    folder = shutil.copytree(made("gpt2"), tmp_path / "vectors")
    (folder / "modules.json").write_text("[]")
    assert "sentence vectors" in core.load(str(folder)).no_predictions


def test_causal_encoders_and_decoders_that_are_not(made: Make, tmp_path: Path) -> None:
    for kind, setting, why in (
        ("bert", {"is_decoder": True}, "configured as a decoder"),
        ("llama", {"is_causal": False}, "to read in both directions"),
    ):
        folder = shutil.copytree(made(kind), tmp_path / kind)
        settings(folder, **setting)
        model = core.load(str(folder), engine="huggingface")
        assert model.predicts is None
        assert why in model.no_predictions


def test_a_head_that_is_damaged(made: Make, tmp_path: Path) -> None:
    dense = "cls.predictions.transform.dense.weight"
    for name, tensor, match in (
        ("nan", torch.full((21, 21), torch.nan), "infinite or not real"),
        ("wide", torch.zeros(21, 20), r"do not fit its config.json.*\(21, 20\)"),
    ):
        folder = rewritten(made("bert"), tmp_path / name, changed(dense, tensor))
        model = core.load(str(folder))
        model.trace(TEXT)  # the rest of the model is in order
        with pytest.raises(core.ModelBroken, match=match):
            model.expects("a [MASK]")


# The head is built on the first request, once


def test_it_costs_nothing_before_it_is_asked_for(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(language_head, "_made", never)
    for kind in ("bert", "gpt2", "t5"):
        model = core.load(str(made(kind)))
        assert model.predicts
        if kind != "t5":
            model.trace(TEXT)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
def test_only_the_head_is_new(made: Make, kind: str) -> None:
    for engine in engines(kind):
        model = core.load(str(made(kind)), engine=engine)
        model.expects("a [MASK]")
        table = model._runner.table.data_ptr()
        own = {p.data_ptr(): p.numel() for p in _module(model).parameters()}
        sizes = sorted(size for place, size in own.items() if place != table)
        assert sizes == ([21, 21, 21, 21 * 21, small_tokenizer.SIZE] if kind == "bert" else [])


def test_many_threads_make_it_once(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["the " * k + "bank is [MASK]" for k in range(1, 9)]
    single = core.load(str(made("bert")))
    alone = [single.expects(text)[0].logits for text in texts]
    times, make_it = [], language_head._made
    monkeypatch.setattr(language_head, "_made", lambda *a: times.append(1) or make_it(*a))  # type: ignore[func-returns-value]
    for engine in engines("bert"):
        times.clear()
        model = core.load(str(made("bert")), engine=engine)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda text, m=model: m.expects(text)[0].logits, texts))
        assert times == [1]
        for mine, theirs in zip(found, alone, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-5)


# The caller's own model


def test_it_stays_as_it_is_and_may_learn_on(made: Make) -> None:
    for engine in engines("bert"):
        own = plain(made("bert"))
        before = {name: tensor.clone() for name, tensor in own.model.state_dict().items()}
        model = core.load(own.model, own.tokenizer, engine=engine)
        (first,) = model.expects("a [MASK]")
        assert all(p.requires_grad for p in own.model.parameters())
        assert all(torch.equal(t, before[n]) for n, t in own.model.state_dict().items())
        with torch.no_grad():
            for tensor in own.model.parameters():
                tensor.mul_(1.5)
        (second,) = model.expects("a [MASK]")
        if engine == "huggingface":  # shares the weights
            inputs = own.tokenizer("a [MASK]", return_tensors="pt")
            close(second, logits(own.model, **inputs)[second.position])
        else:
            np.testing.assert_array_equal(first.logits, second.logits)


def test_half_precision_is_computed_in_float32(made: Make) -> None:
    own = plain(made("bert"))
    half, whole = own.model.to(torch.bfloat16), plain(made("bert"))
    whole.model.to(torch.bfloat16).float()
    for engine in engines("bert"):
        assert_masked(core.load(half, own.tokenizer, engine=engine), whole)
