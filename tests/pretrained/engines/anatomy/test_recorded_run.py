"""What of a recorded run can be used, and why not the rest."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import core
from tests.pretrained.engines.small_huggingface import TEXT, loaded
from tools.every_model import small, walk

pytestmark = pytest.mark.check


@pytest.mark.parametrize("window", [2, 4, 6, 2048])
def test_heads_that_do_not_see_the_same_tokens(window: int) -> None:
    """Doge leaves out different tokens in each head; its window may be longer than the probe text."""
    own = small.model("doge", small.config("doge", keep_window_size=window))
    with torch.no_grad():
        for name, part in own.named_parameters():
            if name.endswith(".A"):
                part.normal_(0, 1)
    text = "on the old river bank in money"  # of equal tokens the window takes any
    trace = core.load(own, walk.tokenizer(), engine="huggingface").trace(text)
    assert trace.products
    n = len(trace.tokens)
    if window < n:
        some = [[trace.scores(layer, head) for head in range(4)] for layer in range(4)]
        hidden = np.array([[one.masked | (one.values < -9e3) for one in heads] for heads in some])
        assert (hidden.any(axis=1) != hidden.all(axis=1)).any()
        assert trace.masked is None or (trace.masked == hidden.all(axis=1)).all()
    for layer, head in np.ndindex(4, 4):
        scores = trace.scores(layer, head)
        seen = np.where(scores.masked, -np.inf, scores.values.astype(np.float64))
        made = np.exp(seen - seen.max(axis=-1, keepdims=True))
        weights = trace.attention.weights[layer, head]  # type: ignore[union-attr]
        np.testing.assert_allclose(made / made.sum(axis=-1, keepdims=True), weights, atol=1e-5)


def test_a_layer_that_hides_every_token_has_no_products_and_says_so() -> None:
    """Qwen2-MoE can be configured with windows of width 0 in some layers."""
    kinds = ["full_attention", "sliding_attention"] * 2
    model = loaded("qwen2_moe", layer_types=kinds, use_sliding_window=False)
    # The object itself computes with another function, which takes no mean where nothing is seen.
    assert any("do not agree" in note and "“sdpa”" in note for note in model.notes)
    trace = model.trace(TEXT)
    n = len(trace.tokens)
    assert not trace.products
    assert "hides every token" in trace.why_no_products
    assert trace.attention is not None
    np.testing.assert_allclose(trace.attention.weights[1], 1 / n, atol=1e-6)  # as softmax has it
    assert trace.masked is not None
    assert not trace.masked[1].any()
    assert trace.query is None
    with pytest.raises(core.NotSupported, match="hides every token"):
        trace.scores(0, 0)
    # Padding would change the equal weights: each text is read as if it were alone.
    together = model.trace_many([TEXT, "a bank"], keep="all")[0]
    assert together.attention is not None
    np.testing.assert_allclose(together.attention.weights, trace.attention.weights, atol=1e-6)
