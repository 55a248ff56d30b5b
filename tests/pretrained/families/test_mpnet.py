"""MPNet, which computes its attention in its own code: weights, but no query and key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from tests.pretrained.small_models import TEXT, Eager, close, eager, save


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, fill_randomly: Callable[..., None]) -> Path:
    return save(tmp_path_factory.mktemp("mpnet"), "mpnet", fill_randomly)


@pytest.fixture(scope="module")
def loaded(folder: Path) -> core.Model:
    return core.load(str(folder))


@pytest.fixture(scope="module")
def plain(folder: Path) -> Eager:
    return eager(folder)


def assert_equals(trace: core.Trace, plain: Eager, inputs: Any, row: int = 0) -> None:
    with torch.inference_mode():
        out = plain.model(**inputs, output_hidden_states=True, output_attentions=True)
        learned = plain.model.get_input_embeddings()(inputs["input_ids"])[row]
    n = len(trace.tokens)
    hidden = torch.stack([h[row, :n] for h in out.hidden_states])
    weights = torch.stack([a[row, :, :n, :n] for a in out.attentions])
    assert trace.attention is not None
    for mine, theirs in (
        (trace.learned, learned[:n]),
        (trace.embedded, hidden[0]),
        (trace.hidden, hidden[1:]),
        (trace.attention.weights, weights),
    ):
        close(mine, theirs)
    assert trace.final is None


@pytest.mark.parametrize("texts", [(TEXT,), ("bank",), ("",), ("the river bank", "a bank")], ids=len)
def test_one_text_or_pair(loaded: core.Model, plain: Eager, texts: tuple[str, ...]) -> None:
    trace = loaded.trace(*texts)
    inputs = plain.tokenizer(*texts, return_tensors="pt")
    assert list(trace.tokens) == plain.tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    assert_equals(trace, plain, inputs)
    if len(texts) == 2:
        assert trace.find("bank", segment=1).size


def test_a_padded_batch(loaded: core.Model, plain: Eager) -> None:
    texts = [TEXT, "bank", "", "the river " * 5]
    inputs = plain.tokenizer(texts, return_tensors="pt", padding=True)
    for row, trace in enumerate(loaded.trace_many(texts, keep="all")):
        assert_equals(trace, plain, inputs, row)
        close(trace.hidden, loaded.trace(texts[row]).hidden)


def test_a_long_text_fills_the_model(loaded: core.Model, plain: Eager) -> None:
    text = "the river bank " * 40
    trace = loaded.trace(text)
    assert loaded.max_tokens == len(trace.tokens) == 64
    inputs = plain.tokenizer(text, truncation=True, max_length=64, return_tensors="pt")
    assert_equals(trace, plain, inputs)


@pytest.mark.parametrize("keep", ["all", "attention"])
def test_there_is_no_query_and_key(loaded: core.Model, keep: Any) -> None:
    trace = loaded.trace(TEXT, keep=keep)
    assert trace.query is None
    assert trace.key is None
    assert trace.value is None
    assert not trace.products
    assert not loaded.gives.products
    with pytest.raises(core.NotSupported, match="no query and key") as caught:
        trace.scores(0, 0)
    assert "keep=" not in str(caught.value)  # no other `keep` would help


@pytest.mark.parametrize("keep", ["all", "attention", "hidden"])
def test_keep_and_the_limit(monkeypatch: pytest.MonkeyPatch, loaded: core.Model, keep: Any) -> None:
    trace = loaded.trace(TEXT, keep=keep)
    assert (trace.hidden is not None) == (keep != "attention")
    assert (trace.attention is not None) == (keep != "hidden")
    monkeypatch.setattr(loaded, "_trace_bytes", trace.nbytes)
    loaded.trace(TEXT, keep=keep)
    monkeypatch.setattr(loaded, "_trace_bytes", trace.nbytes - 1)
    with pytest.raises(core.TooLarge):
        loaded.trace(TEXT, keep=keep)


def test_words_are_found(loaded: core.Model) -> None:
    trace = loaded.trace(TEXT)
    assert len(trace.find_all("bank")) == 2
    (first, _) = loaded.vectors([TEXT], "bank")
    assert trace.hidden is not None
    close(first.hidden, trace.hidden[:, trace.find("bank")].mean(1))


def test_as_it_is_published_with_a_head(
    tmp_path: Path, fill_randomly: Callable[..., None], plain: Eager
) -> None:
    folder = save(tmp_path, "mpnet", fill_randomly, "ForMaskedLM")
    inputs = plain.tokenizer(TEXT, return_tensors="pt")
    assert_equals(core.load(str(folder)).trace(TEXT), eager(folder), inputs)


def test_too_few_buckets(tmp_path: Path, fill_randomly: Callable[..., None]) -> None:
    folder = save(tmp_path, "mpnet", fill_randomly, relative_attention_num_buckets=7)
    with pytest.raises(core.ModelBroken, match="MPNet needs 32"):
        core.load(str(folder))


def test_the_model_given_is_left_as_it_is(plain: Eager) -> None:
    before = {k: v.clone() for k, v in plain.model.state_dict().items()}
    trace = core.load(plain.model, plain.tokenizer).trace(TEXT)
    assert_equals(trace, plain, plain.tokenizer(TEXT, return_tensors="pt"))
    assert all(torch.equal(v, before[k]) for k, v in plain.model.state_dict().items())
    assert isinstance(trace.learned, np.ndarray)
