"""SmolLM2 in a real Chromium, in a worker, under the app's content policy: Python's numbers."""

from __future__ import annotations

import base64
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import core
from core import web
from core.examples import labelled, words
from tools.web_server import Served, serve
from ui.serving.headers import policy

pytestmark = pytest.mark.check

TEXTS = (
    "When Mary and John went to the store, John gave a drink to",
    "Straße, naïve 東京 🎣\n\tdef add(a, b):" * 2,
    "I went to the bank of the river to",
)
MANY = 200
SCRIPTS = 205_000  # bytes, without gzip
_POLICY = policy("'none'").replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
_START = """async () => {
  const { Engine } = await import("/model/engine.js");
  const engine = (window.engine = await Engine.at({ base: "/model", manifest: "smollm2.json" }));
  const progress = [], size = await engine.size();
  try { await engine.start({ onProgress: (...now) => progress.push(now) }); }
  catch (error) { return { name: error.name, message: error.message, left: await engine.size() }; }
  return { size, last: progress.at(-1) ?? null, after: await engine.size() };
}"""
_PACKED = """const packed = (array) => new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1]);
    reader.readAsDataURL(new Blob([array].flat()));
  });"""
_NEXT = f"""async ([text, more]) => {{
  {_PACKED}
  const {{ encoded, logits }} = await window.engine.next(text, more);
  return {{ ids: [...encoded.ids], text: encoded.text, logits: await packed(logits) }};
}}"""
# The word at the last tokens, along a direction in each layer.
_SOURCES = f"""async ([text, tokens, directions]) => {{
  {_PACKED}
  const bytes = Uint8Array.from(atob(directions), (sign) => sign.charCodeAt(0));
  const asked = {{ tokens, directions: new Float32Array(bytes.buffer) }};
  return packed((await window.engine.sources(text, asked)).sums);
}}"""
_TRACE = f"""async (text) => {{
  {_PACKED}
  const trace = await window.engine.trace(text), {{ layers, heads, hidden }} = trace, weights = [];
  for (let i = 0; i < layers * heads; i++) weights.push(trace.matrix(Math.floor(i / heads), i % heads));
  return {{ tokens: trace.tokens, hidden: await packed(hidden), weights: await packed(weights) }};
}}"""


@pytest.fixture
def smollm2() -> core.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)  # that its weights are those of a packed copy
        model = core.load("smollm2")
    runner: Any = model._runner
    runner._blocks = {}  # torch multiplies: it is what the tab is held to
    return model


@pytest.fixture
def broken() -> dict[str, bool]:
    """Whether the server breaks off the weights in their middle."""
    return {"short": False}


@pytest.fixture
def served(web_built: web.Built, broken: dict[str, bool]) -> Iterator[Served]:
    if web_built.language is None:
        pytest.skip("the package of SmolLM2 is not installed")

    def change(name: str, data: bytes) -> bytes:
        return data[: len(data) // 2] if broken["short"] and name.endswith(".gguf") else data

    with serve(web_built.files, _POLICY, change=change) as server:
        yield server


@pytest.fixture
def page(chromium: Browser, served: Served) -> Iterator[Page]:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(served.url)
    yield page
    context.close()


def test_a_visit_that_breaks_off_one_that_goes_on_and_one_that_fetches_nothing(
    page: Page,
    served: Served,
    broken: dict[str, bool],
    web_built: web.Built,
    smollm2: core.Model,
) -> None:
    broken["short"] = True
    failed = page.evaluate(_START)
    assert failed["name"] == "DownloadBroken"
    broken["short"] = False
    before = len(served.requests)
    first = page.evaluate(_START)
    assert first["size"] == failed["left"] < 100e6 < 112e6 < web_built.language_bytes_fetched
    assert first["last"] == [first["size"], first["size"]]
    assert first["after"] == 0
    fetched = sum(length for _, length in served.requests[before:])
    assert fetched < first["size"] + SCRIPTS, "what had arrived was there already"

    for text in TEXTS:
        _agree(page.evaluate(_NEXT, [text, []]), smollm2, text, ())
        # The tokens are read one after the other: each of them behind what is kept of those before.
        wanted = smollm2.read(text).ids
        for n in (len(wanted) - 3, len(wanted) - 2):
            _agree(page.evaluate(_NEXT, [text, list(wanted[:n])]), smollm2, text, wanted[:n])
    trace, wanted_trace = page.evaluate(_TRACE, TEXTS[0]), smollm2.trace(TEXTS[0])
    assert trace["tokens"] == list(wanted_trace.tokens)
    assert wanted_trace.attention is not None
    assert wanted_trace.hidden is not None
    _close(trace["weights"], wanted_trace.attention.weights, 1e-5)
    _same_vectors(trace["hidden"], np.concatenate([wanted_trace.embedded[None], wanted_trace.hidden]))

    _explained(page, smollm2, TEXTS[2], "bank")

    page.goto(served.url)
    before = len(served.requests)
    second = page.evaluate(_START)
    assert second["last"] is None
    assert sum(length for _, length in served.requests[before:]) < SCRIPTS
    _agree(page.evaluate(_NEXT, [TEXTS[0], []]), smollm2, TEXTS[0], ())


@pytest.mark.fuzz
@pytest.mark.timeout(3600)  # five minutes of processor time, of which a busy machine gives a part
def test_two_hundred_texts(page: Page, smollm2: core.Model) -> None:
    assert "message" not in page.evaluate(_START)
    texts = [one.text for word in words() for one in (*labelled(word), *labelled(word, causal=True))]
    for text in texts[:: len(texts) // MANY][:MANY]:
        _agree(page.evaluate(_NEXT, [text, []]), smollm2, text, ())
        wanted = smollm2.trace(text)
        assert wanted.attention is not None
        _close(page.evaluate(_TRACE, text)["weights"], wanted.attention.weights, 1e-5)


def _explained(page: Page, model: core.Model, text: str, word: str) -> None:
    """What each token adds to a word's position after each layer, on an axis as *Compare* has one."""
    axis = model.sense_axis(word, ["river"], ["money"])
    directions = np.stack([axis.direction(layer) for layer in range(axis.n_layers)])
    wanted = model.contributions_by_layer(text, word, [*directions])
    by_token = np.stack([layer.by_token for layer in wanted])
    packed = base64.b64encode(directions.astype("<f4").tobytes()).decode()
    _close(page.evaluate(_SOURCES, [text, [*wanted[0].word], packed]), by_token, 1e-4)


def _agree(got: Any, model: core.Model, text: str, more: Any) -> None:
    (wanted,) = model.expects(text, more=more)
    assert got["ids"] == [*model.read(text).ids, *more]
    _close(got["logits"], wanted.logits, 1e-4)


def _same_vectors(packed: str, wanted: Any) -> None:
    """Whether each vector is within 3 · 10⁻⁶ of its length.

    After layer 12 the sink is 22,000 long, and a 32-bit float of that size has steps of .002. From our
    decoder in 64 bits, the tab is .011 apart there, and torch in 32 bits .009: both 2 · 10⁻⁶ of it.
    """
    got = np.frombuffer(base64.b64decode(packed), np.float32).reshape(wanted.shape)
    lengths = np.linalg.norm(wanted, axis=-1)
    assert (np.abs(got - wanted).max(axis=-1) / lengths).max() < 3e-6


def _close(packed: str, wanted: Any, most: float) -> None:
    got = np.frombuffer(base64.b64decode(packed), np.float32).reshape(wanted.shape)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=most)
