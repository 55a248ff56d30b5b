"""Which tokens a head sees, and what takes the rest of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from core.figures.attention.pictures import heads_of, layer_of
from core.measures.attention.blocks import blocks
from core.measures.attention.heads import head_map
from tests.pretrained.engines.small_huggingface import TEXT, loaded

pytestmark = pytest.mark.check


def distances(n: int) -> np.ndarray:
    """(queries, keys): the distance from each key to its later query."""
    return np.arange(n)[:, None] - np.arange(n)


@pytest.mark.parametrize(
    ("kind", "settings", "expected"),
    [
        ("mistral", {"sliding_window": 3}, ["back 3"] * 4),
        ("gemma2", {"sliding_window": 3}, ["back 3", "back", "back 3", "back"]),
        ("llama4_text", {"attention_chunk_size": 4}, ["chunk 4"] * 3 + ["back"]),
        (
            "modernbert",
            {"local_attention": 4, "global_attn_every_n_layers": 2},
            ["all", "both 2", "all", "both 2"],
        ),
        ("bert", {}, ["all"] * 4),
        ("gpt2", {}, ["back"] * 4),
    ],
)
def test_what_each_layer_hides(kind: str, settings: dict[str, Any], expected: list[str]) -> None:
    trace = loaded(kind, **settings).trace(TEXT)
    n = len(trace.tokens)
    behind, at = distances(n), np.arange(n)
    seen = {
        "all": np.ones((n, n), bool),
        "back": behind >= 0,
        "back 3": (behind >= 0) & (behind < 3),
        "both 2": np.abs(behind) <= 2,
        "chunk 4": (behind >= 0) & (at[:, None] // 4 == at // 4),
    }
    for layer, name in enumerate(expected):
        np.testing.assert_array_equal(~trace.scores(layer, 0).masked, seen[name])
        weights = trace.attention.weights[layer]  # type: ignore[union-attr]
        assert (weights[:, seen[name]] > 0).all()
        assert (weights[:, ~seen[name]] == 0).all()
    # A property that all layers share is stated once.
    assert (trace.masked is None) == (len(set(expected)) == 1 and expected[0] in ("all", "back"))
    assert trace.causal == (kind not in ("bert", "modernbert"))


def test_short_texts_of_local_layers_need_no_mask_of_their_own() -> None:
    assert loaded("mistral", sliding_window=3).trace("a").masked is None


@pytest.mark.parametrize("kind", ["layoutlm", "switch_transformers"])
def test_one_mask_for_all_queries_is_no_local_layer(kind: str) -> None:
    trace: Any = loaded(kind).trace(TEXT, *(["a bank"] if kind != "layoutlm" else []))
    for half in (trace,) if kind == "layoutlm" else (trace.encoder, trace.decoder):
        assert half.masked is None
        assert half.scores(0, 0).masked.any() == half.causal


def test_a_sink_takes_what_the_row_lacks() -> None:
    model = loaded("gpt_oss")
    trace = model.trace(TEXT)
    assert trace.attention is not None
    assert trace.attention.sink is not None
    for layer, module in enumerate(model._runner.model.layers):  # type: ignore[attr-defined]
        for head, sink in enumerate(module.self_attn.sinks.tolist()):
            scores = trace.scores(layer, head)
            seen = np.where(scores.masked, -np.inf, scores.values.astype(np.float64))
            share = np.exp(sink) / (np.exp(sink) + np.exp(seen).sum(-1))
            np.testing.assert_allclose(trace.attention.sink[layer, head], share, atol=1e-6)
            assert share.max() > 0.01


def test_one_softmax_over_two_texts_is_no_sink() -> None:
    trace: Any = loaded("t5gemma2").trace(TEXT, "a bank")
    own, cross = trace.decoder.attention, trace.cross
    assert (own.outside, cross.outside) == ("source", "target")
    assert trace.encoder.attention.sink is None
    np.testing.assert_allclose(own.sink, cross.weights.sum(axis=-1), atol=1e-6)
    np.testing.assert_allclose(cross.sink, own.weights.sum(axis=-1), atol=1e-6)
    assert own.sink.min() > 0.01
    for block, said in zip(blocks(trace).values(), ("", "the source", "the target"), strict=True):
        told = [words for words in heads_of(block).header["captions"] if "each row" in words]
        assert [said in words for words in told] == [True] * bool(said)
        assert layer_of(block, 0).header["sink"] == said


def test_a_prompt_before_the_text_is_no_sink() -> None:
    model = loaded("cpmant")
    trace = model.trace(TEXT)
    assert trace.attention is not None
    assert trace.attention.sink is not None
    assert trace.attention.outside == "prompt"
    (said,) = heads_of(trace).header["captions"]
    assert "prompt" in said
    found = head_map(trace, 0, None, special=True)
    assert found.outside == "prompt"
    asked = {"input_ids": torch.tensor([[7, 8, 9]]), "output_attentions": True}
    own = model._runner.model  # type: ignore[attr-defined]
    seen: list[torch.Tensor] = []
    hook = own.encoder.register_forward_hook(lambda _, __, out: seen.extend(out[2]))
    with torch.inference_mode():
        own(**asked)
    hook.remove()
    extra = own.prompt_length  # so many rows and columns stand before the text's
    assert seen[0].shape[-1] == extra + 3
    np.testing.assert_allclose(seen[0].sum(dim=-1), 1, atol=1e-5)


def test_biases_by_distance_of_encoders_of_sentences() -> None:
    trace = loaded("t5").trace(TEXT, "a bank").encoder
    assert trace.bias is not None
    assert trace.bias.ndim == 3
