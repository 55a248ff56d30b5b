"""Which texts share a batch: found out on the model itself, and one rule for all that batches."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

import core
from core import settings
from core.pretrained import batching
from core.pretrained.batching import LONG, SHORT
from core.pretrained.engines.batches import batches
from core.pretrained.tokenizer.reader import Encoded
from tools.every_model import small, walk

TEXTS = [
    "the old river bank",
    "the bank",
    "a bank",
    "a river and a bank",
    "the bank and the money in the old river " * 4,
]
LEAKY = ["convbert", "nystromformer", "mobilebert"]
TIGHT = ["bert", "gpt2", "modernbert", "deberta-v2", "gemma4_text"]


def loaded(kind: str, **changes: Any) -> core.Model:
    model = small.model(kind)
    for name, value in changes.items():
        setattr(model.config, name, value)
        setattr(model, name, value)
    made: core.Model = core.load(model, walk.tokenizer())
    return made


def one_way(kind: str) -> core.Model:
    """XLNet whose own code fails on every batch of several texts."""
    return loaded(kind, attn_type="uni")


def arrays(trace: core.Trace) -> dict[str, np.ndarray]:
    assert trace.attention is not None
    names = ("learned", "embedded", "hidden", "final", "query", "key", "value")
    found = {name: getattr(trace, name) for name in names} | {"weights": trace.attention.weights}
    return {name: array for name, array in found.items() if array is not None}


def assert_as_alone(model: core.Model, times: float = 1) -> None:
    """By `trace_many`, `vectors` and `every_word`: what corpora, sense axes and pages are made of."""
    alone: list[Any] = [model.trace(text) for text in TEXTS]
    for keep in ("all", "hidden"):
        for trace, one in zip(model.trace_many(TEXTS, keep=keep), alone, strict=True):
            for name, array in arrays(one).items() if keep == "all" else [("hidden", one.hidden)]:
                bound = times * settings.BATCH_BOUND * max(1, np.abs(array).max())
                got: Any = arrays(trace)[name] if keep == "all" else trace.hidden
                np.testing.assert_allclose(got, array, rtol=0, atol=bound, err_msg=name)
    layers = range(model.shape.n_layers)
    words = model.every_word(TEXTS, layers)
    for found, one, each in zip(model.vectors(TEXTS[:4], "bank"), alone, words, strict=False):
        at = one.find("bank")[0]
        largest = max(1, np.abs(one.hidden).max())
        np.testing.assert_allclose(found.hidden, one.hidden[:, at], atol=1e-5 * largest)
        (index,) = (i for i, word in enumerate(each.words) if word.text == "bank")
        np.testing.assert_allclose(each.vectors[:, index], one.hidden[:, at], atol=1e-5 * largest)


@pytest.mark.parametrize(
    "kind", [LEAKY[0], *(pytest.param(one, marks=pytest.mark.check) for one in LEAKY[1:])]
)
def test_where_padding_leaks_only_texts_of_one_length_share_a_batch(kind: str) -> None:
    model = loaded(kind)
    assert model.padding_leaks
    assert model._together() == "equal"
    encoded = [model.read(text) for text in TEXTS]
    (short, long) = encoded[1], encoded[-1]
    beside = model._traced([short, long], "all")[0]
    assert np.abs(beside.contextual - model.trace(TEXTS[1]).contextual).max() > 1e-3  # why it matters
    assert_as_alone(model)


def test_a_model_that_refuses_every_batch_reads_each_text_alone() -> None:
    model = one_way("xlnet")
    encoded = [model.read(text) for text in TEXTS]
    for pair in ((encoded[1], encoded[2]), (encoded[1], encoded[4])):
        with pytest.raises(Exception, match=r"."):
            model._traced(pair, "hidden")
    assert model._together() == "alone"
    assert_as_alone(model)


@pytest.mark.fuzz
@pytest.mark.few(2)
@pytest.mark.parametrize(
    "kind", [*TIGHT[:1], *(pytest.param(one, marks=pytest.mark.check) for one in TIGHT[1:])]
)
def test_elsewhere_texts_are_padded(kind: str) -> None:
    model = loaded(kind)
    assert not model.padding_leaks
    # Gemma 4's scores are large here and magnify rounding: `Model.trace_many` names this exception.
    assert_as_alone(model, times=4 if kind == "gemma4_text" else 1)


def test_our_own_engine_is_tried_as_well_and_once(
    minilm: core.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Sequence[Encoded]] = []
    traced = core.Model._traced

    def counted(self: core.Model, encodings: Sequence[Encoded], keep: Any) -> list[core.Trace]:
        ran.append(encodings)
        return traced(self, encodings, keep)

    monkeypatch.setattr(core.Model, "_traced", counted)
    model = minilm.fitted()
    model._tried = None
    model.trace_many(["one text"])
    assert len(ran) == 1  # nothing to find out about a single text
    for _ in range(2):
        model.trace_many(TEXTS[:2])
    assert [len(one) for one in ran[1:]] == [1, 2, 2, 2]  # alone, beside the long one; two batches
    assert len(ran[2][1]) > 2 * len(ran[2][0]) > 8
    assert model.fitted()._tried == "padded"


def trying(rows: dict[str, float | Exception]) -> str:
    """What is found of a model whose numbers change so much beside a longer and an equal text."""
    model = loaded("bert")

    def trace(encodings: Sequence[Encoded]) -> list[core.Trace]:
        (own,) = model._traced(encodings[:1], "all")
        if len(encodings) == 1:
            return [own]
        change = rows["equal" if len(encodings[1]) == len(encodings[0]) else "longer"]
        if isinstance(change, Exception):
            raise change
        return [_changed(own, change)]

    return batching.together(model.read, trace)


def _changed(trace: core.Trace, by: float) -> core.Trace:
    from dataclasses import replace

    assert trace.hidden is not None
    return replace(trace, hidden=trace.hidden + np.float32(by))


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("longer", "equal", "expected"),
    [
        (0.0, 0.0, "padded"),
        (2e-5, 1e-5, "padded"),  # rounding that large scores magnify
        (2e-3, 1e-6, "equal"),
        (5e-4, 4e-4, "alone"),  # the other texts change it, whatever their length
        (RuntimeError("shapes"), 0.0, "equal"),
        (RuntimeError("shapes"), IndexError("no"), "alone"),
        (1e-2, ValueError("no"), "alone"),
        (float("nan"), 0.0, "equal"),
    ],
)
def test_the_rule(longer: Any, equal: Any, expected: str) -> None:
    if isinstance(longer, float) and np.isnan(longer):
        longer = ValueError("not finite")
    assert trying({"longer": longer, "equal": equal}) == expected


def test_no_memory_is_no_property_of_a_model() -> None:
    with pytest.raises(MemoryError):
        trying({"longer": MemoryError(), "equal": 0.0})


def test_batches_by_what_may_share_them() -> None:
    model = loaded("bert")
    encoded = [model.read(text) for text in TEXTS]
    lengths = [len(one) for one in encoded]

    def made(may: Any, size: int = 32) -> list[list[int]]:
        return list(batches(encoded, size, most=lambda _: 100, together=lambda: may))

    for may in ("padded", "equal", "alone"):
        assert sorted(itertools.chain(*made(may))) == list(range(len(TEXTS)))
    assert len(made("padded")) == 1
    assert all(len({lengths[i] for i in batch}) == 1 for batch in made("equal"))
    assert max(map(len, made("equal"))) == 2
    assert all(len(batch) == 1 for batch in made("alone"))

    def asked() -> Any:
        raise AssertionError("nothing could share a batch")

    assert list(batches(encoded[:1], 32, most=lambda _: 100, together=asked)) == [[0]]
    assert len(list(batches(encoded, 1, most=lambda _: 100, together=asked))) == len(TEXTS)


def test_the_texts_that_it_tries_differ_in_length_for_every_tokenizer(minilm: core.Model) -> None:
    short, long = minilm.read(SHORT), minilm.read(LONG * batching._TIMES)
    assert 4 < len(short) < 12
    assert 36 < len(long) < 60
    other = batching._other(short)
    assert len(other) == len(short)
    assert other.ids != short.ids
    assert torch.tensor(other.ids).shape == torch.tensor(short.ids).shape
