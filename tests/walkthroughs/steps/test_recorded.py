"""Recorded attention, step by step: from records made by hand, and from a small GPT-2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core
from core.records.attention import Attention
from core.records.trace import Trace
from core.walkthroughs.steps.record import Step
from core.walkthroughs.steps.recorded import recorded_steps

TEXT = "On the river bank"
N, D = 3, 2  # tokens, d_head


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def by_hand(scores: Callable[[np.ndarray], np.ndarray], **more: object) -> Trace:
    """One layer of one head, whose query·key are small whole numbers."""
    query = np.array([[1, 0], [0, 2], [1, 1]], np.float32)[None, None]
    key = np.array([[1, 1], [2, 0], [0, 3]], np.float32)[None, None]
    value = np.array([[1, 0], [0, 1], [2, 2]], np.float32)[None, None]
    weights = softmax(scores((query @ key.swapaxes(2, 3)).astype(float)))
    tokens = ("a", "b", "c")
    return Trace(
        tokens=tokens,
        word_ids=(0, 1, 2),
        segments=(0,) * N,
        offsets=((0, 1), (2, 3), (4, 5)),
        special=(False,) * N,
        left_out=None,
        learned=np.eye(N, 4),
        embedded=np.eye(N, 4),
        hidden=None,
        final=None,
        attention=Attention(tokens, tokens, weights.astype(np.float32)),
        query=query,
        key=key,
        value=value,
        model="by hand",
        texts=("a b c",),
        **more,  # type: ignore[arg-type]
    )


def steps(trace: Trace) -> tuple[dict[str, Step], float]:
    made = recorded_steps(trace, (7, 9, 8), ("a", "b", "c"), ("",) * N, 10, layer=0, head=0)
    for step in made.steps:
        if step.kind != "pieces":
            np.testing.assert_allclose(step.result.values, step.again(), atol=1e-5, err_msg=step.name)
    return {step.name: step for step in made.steps}, made.apart


LATER = np.triu(np.ones((N, N), bool), 1)
BIAS = np.array([[[0, 1, 2], [1, 0, 1], [2, 1, 0]]], np.float32)


def test_a_causal_model_by_hand() -> None:
    trace = by_hand(lambda s: np.where(LATER, -np.inf, s / np.sqrt(2)), causal=True)
    found, apart = steps(trace)
    assert [*found] == ["pieces", "learned", "scores", "scale", "mask", "weights", "mix", "join"]
    np.testing.assert_array_equal(found["scores"].result.values, [[1, 2, 0], [2, 0, 6], [2, 2, 3]])
    np.testing.assert_array_equal(found["mask"].result.hidden, LATER)
    weights = found["weights"].result.values
    assert weights[LATER].tolist() == [0, 0, 0]
    assert weights[0].tolist() == [1, 0, 0]
    share = 1 / (1 + np.exp(-np.sqrt(2)))
    np.testing.assert_allclose(weights[1], [share, 1 - share, 0], atol=1e-6)
    np.testing.assert_allclose(found["mix"].result.values[1], [share, 1 - share], atol=1e-6)
    assert apart < 1e-6


@pytest.mark.parametrize(
    ("names", "scores", "more"),
    [
        ({"scale"}, lambda s: s / np.sqrt(2), {}),
        ({"scale"}, lambda s: 0.25 * s, {"scale": (0.25,)}),
        ({"scale"}, lambda s: 3 * s, {"scale": (3.0,)}),
        ({"scale", "bias"}, lambda s: s / np.sqrt(2) + BIAS, {"bias": BIAS}),
        (
            {"scale", "capped", "uncapped"},
            lambda s: 5 * np.tanh(s / np.sqrt(2) / 5),
            {"softcap": 5.0},
        ),
    ],
)
def test_what_a_model_does_to_its_scores(
    names: set[str], scores: Callable[[np.ndarray], np.ndarray], more: dict[str, object]
) -> None:
    found, apart = steps(by_hand(scores, **more))
    assert {*found} - {"pieces", "learned", "scores", "weights", "mix", "join"} == names
    assert apart < 1e-6


def test_a_window_is_a_mask_too() -> None:
    window = np.array([[False, True, True], [False, False, True], [True, False, False]])
    trace = by_hand(
        lambda s: np.where(window, -np.inf, s / np.sqrt(2)), causal=True, masked=window[None]
    )
    found, apart = steps(trace)
    np.testing.assert_array_equal(found["mask"].result.hidden, window)
    assert apart < 1e-6


def test_weights_that_do_not_follow_are_told_by_how_much() -> None:
    trace = by_hand(lambda s: s / np.sqrt(2))
    assert trace.attention is not None
    even = Attention(trace.tokens, trace.tokens, np.full((1, 1, N, N), 1 / N, np.float32))
    made = recorded_steps(
        replace(trace, attention=even), (7, 9, 8), trace.tokens, ("",) * N, 10, layer=0, head=0
    )
    assert made.apart > 0.3


def test_what_is_not_recorded_is_refused() -> None:
    trace = by_hand(lambda s: s / np.sqrt(2), products=False, why_no_products="It says so.")
    with pytest.raises(core.NotSupported, match="It says so"):
        recorded_steps(trace, (7, 9, 8), trace.tokens, ("",) * N, 10, layer=0, head=0)
    sinks = by_hand(lambda s: s / np.sqrt(2))
    assert sinks.attention is not None
    half = Attention(
        sinks.tokens, sinks.tokens, sinks.attention.weights / 2, np.full((1, 1, N), 0.5, np.float32)
    )
    with pytest.raises(core.NotSupported, match="goes to no token"):
        recorded_steps(
            replace(sinks, attention=half), (7, 9, 8), sinks.tokens, ("",) * N, 10, layer=0, head=0
        )


@pytest.mark.parametrize("kind", ["gpt2", "roberta"])
def test_of_a_model_that_transformers_runs(made: Callable[[str], Path], kind: str) -> None:
    model = core.load(str(made(kind)))
    read, trace = model.read(TEXT), model.trace(TEXT)
    recorded = recorded_steps(
        trace, read.ids, trace.tokens, [""] * len(read), model.n_vocabulary, layer=1, head=1
    )
    assert recorded.apart < 1e-6
    found = {step.name: step for step in recorded.steps}
    assert ("mask" in found) == (kind == "gpt2")
    if kind == "gpt2":
        above = np.triu(np.ones((len(read),) * 2, bool), 1)
        assert (found["weights"].result.values[above] == 0).all()
        np.testing.assert_array_equal(found["mask"].result.hidden, above)
    assert trace.attention is not None
    assert trace.value is not None
    expected = trace.attention.weights[1, 1] @ trace.value[1, 1]
    np.testing.assert_allclose(found["mix"].result.values, expected, atol=1e-6)
