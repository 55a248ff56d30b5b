"""Layers and heads for the tests: random query and key, unusual tokens, MiniLM on one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

import core
from core.figures import (
    AllHeads,
    Inner,
    LayerAttention,
    LayerTitles,
    Patterns,
    Picture,
    layer_of,
    layer_view,
    overview,
)
from core.measures import AttentionBlock, mean_of_all
from core.records.trace import Attention, Trace

TEXT = "Write a poem about a man fishing on a river bank."
WORDS = (
    *("on", "the", "river", "bank", "she", "sat", "with", "her"),
    *("bank", "book", "counting", "##s", "money", "nevertheless"),
)
ODD = ("<b>bold</b>", "😀👩‍👩‍👧", "שלום", "مرحبا", "</script>", "a\x01b", " ")
HEBREW = ("[CLS]", "הדג", "שוחה", "בנהר", "ליד", "הגדה", "[SEP]")
D_HEAD = 5


def tokens(n: int) -> tuple[str, ...]:
    """Words with a special token at either end."""
    return ("[CLS]", *(WORDS[i % len(WORDS)] for i in range(n - 2)), "[SEP]")


def inner(
    n: int, *, m: int | None = None, heads: int = 3, d_head: int = D_HEAD, seed: int = 1
) -> Inner:
    """A query and a key that make some rows sharp and some flat."""
    random = np.random.default_rng(seed)
    query = random.normal(size=(heads, n, d_head)) * random.uniform(0.3, 3, (heads, n, 1))
    key = random.normal(size=(heads, n if m is None else m, d_head))
    return Inner(query.astype(np.float32), key.astype(np.float32))


def random_layer(kind: str, n: int, state: Mapping[str, Any]) -> Picture:
    """A layer of three heads; `kind` names its special property."""
    if kind == "averaged":
        return averaged(n, state)
    titles = LayerTitles("Layer 3", f"Layer 3, {n} tokens.", "layer")
    return layer_view(random_attention(kind, n), titles, state=state)


def random_attention(kind: str, n: int) -> LayerAttention:
    """The tokens and numbers of such a layer."""
    ends = ([0, n - 1], [0, n - 1])
    if kind == "causal":
        special = ([0], [0])
        return LayerAttention(tokens(n), tokens(n), inner=inner(n), causal=True, special=special)
    if kind == "weights":
        weights = np.random.default_rng(4).dirichlet(np.ones(n), (3, n))
        return LayerAttention(tokens(n), tokens(n), weights=weights, special=ends)
    if kind == "many":
        return LayerAttention(tokens(n), tokens(n), weights=maps(1, 12, n)[0], special=ends)
    if kind == "single":
        return LayerAttention(tokens(n), tokens(n), inner=inner(n, heads=1), special=ends)
    if kind == "odd":
        return LayerAttention(ODD, (*ODD, "x", "y"), inner=inner(7, m=9))
    if kind == "hebrew":
        return LayerAttention(HEBREW, HEBREW, inner=inner(7), special=([0, 6], [0, 6]))
    if kind == "bias":
        bias = np.subtract.outer(np.arange(n), np.arange(n))[None] / np.array([3, 5, 7])[:, None, None]
        made = inner(n)
        biased = Inner(made.query, made.key, scale=1.0, bias=bias)
        return LayerAttention(tokens(n), tokens(n), inner=biased, special=ends)
    return LayerAttention(tokens(n), tokens(n), inner=inner(n, heads=12, d_head=32), special=ends)


def averaged(n: int, state: Mapping[str, Any]) -> Picture:
    """The mean of all heads of a model of two layers with three each."""
    marks = tuple((token, i) for i, token in enumerate(tokens(n)))
    attention = Attention(tokens(n), tokens(n), maps(2, 3, n))
    block = mean_of_all(AttentionBlock(attention, ((0, n - 1), (0, n - 1)), (marks, marks)))
    return layer_of(block, 0, layer="Mean of all 6 heads", averaged=True, name="mean", state=state)


def maps(layers: int, heads: int, n: int, seed: int = 1) -> np.ndarray:
    """(layers, heads, n, n) float32 of very different sharpness."""
    random = np.random.default_rng(seed)
    logits = random.normal(size=(layers, heads, n, n)) * random.uniform(0.3, 4, (layers, heads, n, 1))
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    found: np.ndarray = (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)
    return found


def grid(
    kind: str, n: int, layers: int = 2, heads: int = 3, patterns: Patterns | None = None
) -> Picture:
    """All heads of a small model."""
    notes = [["previous token 0.93", "", "broad"], ["", "", "<b>"]] if kind == "notes" else None
    weights, known = maps(layers, heads, n), None if kind == "maps" else tokens(n)
    return overview(
        AllHeads(weights, tokens=known, notes=notes, patterns=patterns),
        sentence=f"All heads, {n} tokens.",
        name="heads",
        chosen=None if notes is None else (1, 2),
        pool="mean" if kind == "mean" else "max",
    )


@cache
def minilm() -> Trace:
    """MiniLM on one sentence."""
    found: Trace = core.load("minilm").trace(TEXT)
    return found


def minilm_layer(layer: int, state: Mapping[str, Any]) -> Picture:
    return layer_of(minilm(), layer, sentence="A layer of MiniLM.", name="layer", state=state)


def minilm_grid() -> Picture:
    trace = minilm()
    assert trace.attention is not None
    heads = AllHeads(trace.attention.weights, tokens=trace.tokens)
    return overview(heads, sentence="All heads of MiniLM.", name="heads")


def asked_for(asked: Mapping[str, str], state: Mapping[str, Any]) -> Picture:
    """All heads or a layer, as a query names them; `state` is the state of the layer's picture."""
    n, kind = int(asked.get("n", "14")), asked.get("kind", "qk")
    if asked.get("what") == "grid":
        shape = int(asked.get("layers", "2")), int(asked.get("heads", "3"))
        return minilm_grid() if kind == "minilm" else grid(kind, n, *shape)
    return minilm_layer(2, state) if kind == "minilm" else random_layer(kind, n, state)
