"""MiniLM in a real Chromium, in a worker, under the app's content policy: Python's numbers."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import core
from core import web
from tools.web_server import Served, serve
from ui.serving.headers import policy

TEXTS = (
    "I sat on the bank of the river.",
    "Straße, naïve 東京 [MASK] 🎣 " * 3,
    "The bank by the river. " * 90,
)
_POLICY = policy("'none'").replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
_START = """async () => {
  const { Engine } = await import("/model/engine.js");
  const engine = (window.engine = await Engine.at({ base: "/model" }));
  const progress = [], cached = await engine.cached(), size = await engine.size();
  try { await engine.start({ onProgress: (...now) => progress.push(now) }); }
  catch (error) { return { name: error.name, message: error.message }; }
  return { cached, size, last: progress.at(-1) ?? null, after: await engine.size() };
}"""
_TRACE = """async (text) => {
  const trace = await window.engine.trace(text), { layers, heads, n } = trace;
  const packed = (array) => new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1]);
    reader.readAsDataURL(array instanceof Blob ? array : new Blob([array]));
  });
  const weights = [];
  for (let i = 0; i < layers * heads; i++) weights.push(trace.matrix(Math.floor(i / heads), i % heads));
  return {
    tokens: trace.tokens, words: trace.words.map(({ word }) => word), starts: [...trace.starts], n,
    hidden: await packed(trace.hidden), weights: await packed(new Blob(weights)),
  };
}"""

# The mean of the tokens of a word, along a direction after each layer.
_SOURCES = """async ([text, tokens, directions]) => {
  const asked = { tokens, directions: Float32Array.from(directions) };
  const { sums, biases } = await window.engine.sources(text, asked);
  return [[...sums], [...biases]];
}"""


@pytest.fixture
def broken() -> dict[str, bool]:
    """Whether the server breaks off the weights, and whether it sends others."""
    return {"short": False, "other": False}


@pytest.fixture
def served(web_built: web.Built, broken: dict[str, bool]) -> Iterator[Served]:
    def change(name: str, data: bytes) -> bytes:
        if name != "model.onnx":
            return data
        if broken["short"]:
            return data[:1000]
        return b"\0" + data[1:] if broken["other"] else data

    with serve(web_built.files, _POLICY, change=change) as server:
        yield server


@pytest.fixture
def page(chromium: Browser, served: Served) -> Iterator[Page]:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(served.url)
    yield page
    context.close()


def test_a_first_visit_and_a_second(
    page: Page, served: Served, broken: dict[str, bool], minilm: core.Model
) -> None:
    for how in broken:
        broken[how] = True
        assert page.evaluate(_START)["name"] == "DownloadBroken"
        broken[how] = False
    before = len(served.requests)
    first = page.evaluate(_START)
    assert not first["cached"]
    assert first["last"] == [first["size"], first["size"]]
    assert first["after"] == 0
    assert 90e6 < first["size"] < sum(length for _, length in served.requests[before:]) < 110e6

    for text in TEXTS:
        got, wanted = page.evaluate(_TRACE, text), minilm.trace(text)
        assert got["tokens"] == list(wanted.tokens)
        assert got["words"] == [one.word for one in wanted.occurrences()]
        assert got["starts"] == [start for start, _ in wanted.offsets]
        assert wanted.hidden is not None
        assert wanted.attention is not None
        hidden = np.concatenate([wanted.embedded[None], wanted.hidden])
        _close(got["hidden"], hidden)
        _close(got["weights"], wanted.attention.weights)

    _explained(page, minilm)

    page.goto(served.url)
    before = len(served.requests)
    second = page.evaluate(_START)
    assert second["cached"]
    assert second["last"] is None
    assert sum(length for _, length in served.requests[before:]) < 205_000
    assert page.evaluate("async () => (await window.engine.trace('bank')).tokens") == [
        "[CLS]",
        "bank",
        "[SEP]",
    ]


def _explained(page: Page, model: core.Model) -> None:
    """What each token and the biases add to a word's position, on an axis as *Compare* has one."""
    axis = model.sense_axis("bank", ["river"], ["money"])
    directions = np.stack([axis.direction(layer) for layer in range(axis.n_layers)])
    for text, word in ((TEXTS[0], "bank"), ("Unbelievably, the bank of the river.", "unbelievably")):
        wanted = model.contributions_by_layer(text, word, [*directions])
        by_token = np.stack([layer.by_token for layer in wanted])
        asked = [text, [*wanted[0].word], directions.ravel().tolist()]
        sums, biases = page.evaluate(_SOURCES, asked)
        np.testing.assert_allclose(np.reshape(sums, by_token.shape), by_token, rtol=0, atol=1e-4)
        np.testing.assert_allclose(biases, [layer.bias for layer in wanted], rtol=0, atol=1e-4)


def _close(packed: str, wanted: Any) -> None:
    got = np.frombuffer(base64.b64decode(packed), np.float32).reshape(wanted.shape)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-5)
