"""Indices of layers, heads, tokens and occurrences: whole numbers alone, in every public function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import core
from core.errors import OutOfRange, PolyseeError
from core.measures import blocks, head_map, mean_of_all
from core.measures.attention.patterns import head_similarity
from core.measures.attention.ranking import rank_heads
from core.records.indices import index

TEXT = "a river bank and a bank"
NO_INDEX: list[Any] = [True, False, np.True_, 1.0, 0.5, "1", None, [0], (0,), float("nan")]
NO_INDEX += [2**70, -(2**70), 99, -99]


def weights(trace: core.Trace) -> core.Attention:
    assert trace.attention is not None
    return trace.attention


@pytest.mark.parametrize("value", [0, 4, -1, -5, np.int64(3), np.uint8(2), np.array(1)])
def test_whole_numbers(value: Any) -> None:
    assert index(value, 5, "layer") == int(value) % 5


@pytest.mark.parametrize("value", NO_INDEX)
def test_what_is_none(value: Any) -> None:
    for count in (0, 1, 5):
        with pytest.raises(OutOfRange, match="layer") as error:
            index(value, count, "layer")
        assert isinstance(error.value, PolyseeError)
        assert isinstance(error.value, IndexError)
        assert len(str(error.value)) < 150
    with pytest.raises(OutOfRange):
        index(-1, 5, "layer", from_end=False)


@pytest.fixture(scope="module")
def trace(minilm: core.Model) -> core.Trace:
    return minilm.trace(TEXT)


ANY_WHOLE = (None, 2**70, -(2**70), 99, -99)  # a text that is not there has no words
# name -> (a call with an index, values that mean something else there)
CALLS: dict[str, tuple[Callable[[core.Model, core.Trace, Any], Any], tuple[Any, ...]]] = {
    "Trace.to_frame": (lambda m, t, i: t.to_frame(i), (None, "1")),
    "Trace.scores layer": (lambda m, t, i: t.scores(i, 0), ()),
    "Trace.scores head": (lambda m, t, i: t.scores(0, i), ()),
    "Trace.find": (lambda m, t, i: t.find("bank", i), ()),
    "Trace.find segment": (lambda m, t, i: t.find("bank", 0, i), ANY_WHOLE),
    "Trace.find_all": (lambda m, t, i: t.find_all("bank", i), ANY_WHOLE),
    "Trace.occurrences": (lambda m, t, i: t.occurrences(i), ANY_WHOLE),
    "Trace.words": (lambda m, t, i: t.words(i), ANY_WHOLE),
    "Attention.to_frame layer": (lambda m, t, i: weights(t).to_frame(layer=i), (None,)),
    "Attention.to_frame head": (lambda m, t, i: weights(t).to_frame(head=i), (None,)),
    "core.layer": (lambda m, t, i: core.layer(t, i), ()),
    "core.head layer": (lambda m, t, i: core.head(t, i, 0), ()),
    "core.head": (lambda m, t, i: core.head(t, 0, i), ()),
    "plot.attention layer": (lambda m, t, i: core.plot.attention(t, i, 0), (None,)),
    "plot.attention head": (lambda m, t, i: core.plot.attention(t, 0, i), (None,)),
    "head_map layer": (lambda m, t, i: head_map(t, i, 0, special=True), (None,)),
    "head_map head": (lambda m, t, i: head_map(t, 0, i, special=True), (None,)),
    "mean_of_all": (lambda m, t, i: mean_of_all(next(iter(blocks(t).values())), i), (None,)),
    "head_similarity": (lambda m, t, i: head_similarity(t, i), ()),
    "rank_heads": (lambda m, t, i: rank_heads(next(iter(blocks(t).values())), i, 0), ()),
    "Model.every_word": (lambda m, t, i: m.every_word([TEXT], [i]), ()),
    "Model.contributions": (
        lambda m, t, i: m.contributions(TEXT, "bank", np.ones(384), occurrence=i),
        (),
    ),
    "Model.contributions layer": (
        lambda m, t, i: m.contributions(TEXT, "bank", np.ones(384), layer=i),
        (None,),
    ),
    "Model.trace masked": (lambda m, t, i: m.trace(TEXT, masked=[i]), ()),
    "core.Cut": (lambda m, t, i: m.intervene(TEXT, core.Cut(1, i)), ("1",)),
    "core.Cut layer": (lambda m, t, i: m.intervene(TEXT, core.Cut(1, 2, i)), (None,)),
    "core.Cut head": (lambda m, t, i: m.intervene(TEXT, core.Cut(1, 2, 0, i)), (None,)),
    "core.Ablate layer": (lambda m, t, i: m.intervene(TEXT, core.Ablate(i, 0)), ()),
    "core.Ablate head": (lambda m, t, i: m.intervene(TEXT, core.Ablate(0, i)), ()),
}


@pytest.mark.few(6)
@pytest.mark.parametrize("name", CALLS)
def test_every_function_that_takes_an_index_refuses_what_is_none(
    name: str, minilm: core.Model, trace: core.Trace
) -> None:
    call, others = CALLS[name]
    if "masked" not in name:  # of MiniLM, which has a mask token, but the first is [CLS]
        call(minilm, trace, np.int64(0))
    for value in NO_INDEX:
        if any(type(value) is type(one) and value == one for one in others):
            continue
        with pytest.raises(PolyseeError) as error:
            call(minilm, trace, value)
        assert str(error.value).endswith("."), value


def test_a_sense_axis_and_a_pair_too(minilm: core.Model) -> None:
    axis: Any = minilm.sense_axis("bank", ["money"], ["river"])
    for value in (True, "1", 99):
        for call in (axis.direction, axis.offset, lambda i: axis.coordinate(np.ones(384), i)):
            with pytest.raises(OutOfRange):
                call(value)
    assert axis.offset(np.int64(5)) == axis.offset(-1)
