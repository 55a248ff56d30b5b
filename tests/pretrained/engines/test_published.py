"""The published DistilBERT says what the article prints. Needs its weights, or the model hub."""

from __future__ import annotations

import numpy as np
import pytest

import core

RIVER = "Write a poem about a man fishing on a river bank."
MONEY = "Write a poem about a man withdrawing money from a bank."

pytestmark = pytest.mark.hub


@pytest.fixture(scope="module", params=["scratch", "huggingface"])
def distilbert(request: pytest.FixtureRequest) -> core.Model:
    try:
        return core.load("distilbert", engine=request.param)
    except core.ModelNotFound as error:
        pytest.skip(f"the published weights cannot be had here: {error}")


def start_of_bank(vectors: np.ndarray, trace: core.Trace) -> list[float]:
    (token,) = trace.find("bank")
    return [round(float(x), 2) for x in vectors[token, :5]]


def test_tokens(distilbert: core.Model) -> None:
    tokens = distilbert.trace(RIVER, keep="hidden").tokens
    assert " ".join(tokens) == "[CLS] write a poem about a man fishing on a river bank . [SEP]"


def test_the_learned_vector_of_bank_is_one(distilbert: core.Model) -> None:
    for text in (RIVER, MONEY):
        trace = distilbert.trace(text, keep="hidden")
        assert start_of_bank(trace.learned, trace) == [-0.03, -0.06, -0.09, -0.07, -0.03]


def test_the_contextual_vectors_of_bank_are_two(distilbert: core.Model) -> None:
    river, money = (distilbert.trace(text, keep="hidden") for text in (RIVER, MONEY))
    assert start_of_bank(river.contextual, river) == [0.15, -0.16, -0.17, -0.08, 0.44]
    assert start_of_bank(money.contextual, money) == [0.27, -0.23, -0.23, -0.21, 0.79]


def test_the_engines_agree(distilbert: core.Model) -> None:
    other = "huggingface" if distilbert.engine == "scratch" else "scratch"
    a, b = distilbert.trace(RIVER), core.load("distilbert", engine=other).trace(RIVER)  # type: ignore[arg-type]
    for name in ("learned", "embedded", "hidden", "query", "key", "value"):
        assert np.abs(getattr(a, name) - getattr(b, name)).max() <= distilbert.bound
