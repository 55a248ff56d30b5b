from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import core
from core.measures import agreement
from core.records.trace import Trace

TOKENS = ("[CLS]", "on", "the", "bank", "[SEP]")
KINDS = ("learned", "embedded", "hidden", "query", "key", "value", "attention")


def test_a_trace_agrees_with_itself(make_trace: Callable[..., Trace]) -> None:
    trace = make_trace(TOKENS)
    found = agreement(trace, trace)
    assert dict(found.largest) == dict.fromkeys(KINDS, 0.0)
    assert found.worst == 0
    # 5 tokens: learned 11, embedded 7, two layers of 7; and 3 × 2 × (3 · 5 + 5) for the heads.
    assert found.numbers == 5 * (11 + 7 + 2 * 7) + 5 * 2 * 3 * (3 * 5 + 5)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "attention"])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_planted_difference_is_found_where_it_is(
    make_trace: Callable[..., Trace], kind: str, sign: int
) -> None:
    zeros = {k: np.zeros_like(getattr(make_trace(TOKENS), k)) for k in KINDS if k != "attention"}
    planted = zeros[kind].copy()
    planted.flat[-2] = sign * 0.25
    planted.flat[1] = 0.125
    one = make_trace(TOKENS, **zeros)
    for found in (
        agreement(one, replace(one, **{kind: planted})),
        agreement(replace(one, **{kind: planted}), one),
    ):
        assert dict(found.largest) == {k: 0.25 if k == kind else 0.0 for k in KINDS}
        assert found.worst == 0.25


def test_a_planted_difference_in_a_weight(make_trace: Callable[..., Trace]) -> None:
    weights = np.full((2, 3, 5, 5), 0.2)
    other = weights.copy()
    other[1, 2, 4, :2] += [0.125, -0.125]
    found = agreement(make_trace(TOKENS, weights=weights), make_trace(TOKENS, weights=other))
    assert found.largest["attention"] == pytest.approx(0.125)
    assert found.worst == found.largest["attention"]


def test_what_one_of_the_two_did_not_keep_is_not_compared(make_trace: Callable[..., Trace]) -> None:
    whole = make_trace(TOKENS)
    found = agreement(whole, replace(whole, query=None, attention=None))
    assert set(found.largest) == set(KINDS) - {"query", "attention"}


def test_other_tokens_are_refused(make_trace: Callable[..., Trace]) -> None:
    with pytest.raises(core.NotSupported, match="same tokens"):
        agreement(make_trace(TOKENS), make_trace(("[CLS]", "on", "a", "bank", "[SEP]")))


def test_another_shape_is_refused_and_never_broadcast(make_trace: Callable[..., Trace]) -> None:
    trace = make_trace(TOKENS)
    assert trace.query is not None
    assert trace.hidden is not None
    for narrow in (
        replace(trace, query=trace.query[..., :1]),
        replace(trace, hidden=trace.hidden[..., :1]),
    ):
        with pytest.raises(core.NotSupported, match="same shape"):
            agreement(trace, narrow)


@pytest.mark.check
def test_the_two_engines_agree(minilm: core.Model, minilm_hf: core.Model) -> None:
    text = "On the river bank"
    found = agreement(minilm.trace(text), minilm_hf.trace(text))
    assert set(found.largest) == set(KINDS)
    assert found.worst <= minilm.bound


def test_what_both_miss_is_no_difference(make_trace: Callable[..., Trace]) -> None:
    weights = np.full((2, 3, 5, 5), 0.2)
    weights[0] = np.nan
    one, whole = make_trace(TOKENS, weights=weights), make_trace(TOKENS)
    assert agreement(one, one).worst == 0
    assert agreement(one, whole).largest["attention"] == np.inf
