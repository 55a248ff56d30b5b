"""MiniLM in a browser's own tab: times, bytes, memory, and the difference from Python's numbers."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import psutil
from playwright.sync_api import Page, sync_playwright

import core
from benchmarks.side_by_side import table
from core import web
from tools.browser import FLAGS, find_browser
from tools.web_server import Served, serve
from ui.serving.headers import policy

TOKENS = (14, 64, 128, 256, 512)
AT_MOST = {64: 100, 512: 1_000}  # milliseconds
ROUNDS = 7
MOST_BYTES, MOST_COMPRESSED, MOST_MEMORY = 110e6, 100e6, 600e6
DIFFERENCE = 1e-5
_POLICY = policy("'none'").replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
_SENTENCE = "I sat on the bank of the river and counted my money , then walked to another bank ."
_OPEN = """async () => {
  const { Engine } = await import("/model/engine.js"), start = performance.now();
  window.engine = await Engine.open({ base: "/model" });
  return performance.now() - start;
}"""
_TRACE = """async ({ text, rounds }) => {
  let trace, least = Infinity;
  for (let i = 0; i < rounds; i++) {
    trace = await window.engine.trace(text);
    least = Math.min(least, window.engine.milliseconds);
  }
  const packed = (parts) => new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1]);
    reader.readAsDataURL(new Blob(parts));
  });
  const weights = [], { layers, heads } = trace;
  for (let i = 0; i < layers * heads; i++) weights.push(trace.matrix(Math.floor(i / heads), i % heads));
  return { least, n: trace.n, hidden: await packed([trace.hidden]), weights: await packed(weights) };
}"""


def run() -> str:
    """Measure in a real Chromium, with one thread; returns the section."""
    built = web.find()
    if built is None:
        return f"## MiniLM in the visitor's own tab\n\nNot measured. {web.why_not()}\n"
    model = core.load("minilm")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with serve(built.files, _POLICY, compressed=True) as served:
            compressed, _, _ = _visit(browser.new_page(), served)
        with serve(built.files, _POLICY) as served:
            page = browser.new_context().new_page()
            first, _, started = _visit(page, served)
            second, large, again = _visit(page, served)
            rows = [_measured(page, model, n) for n in TOKENS]
            memory = _memory(page)
        browser.close()
    head = ("tokens", "least of 7", "at most", "hidden states", "weights", "within")
    worst = max(max(row[3], row[4]) for row in rows)
    shown: list[tuple[object, ...]] = [
        (n, f"{ms:.0f} ms", f"{most} ms" if most else "", f"{h:.1e}", f"{w:.1e}", _yes(fits))
        for n, ms, most, h, w, fits in rows
    ]
    return (
        "## MiniLM in the visitor's own tab\n\n"
        "Our encoder in onnxruntime-web, one thread of WebAssembly in a worker of a headless Chromium, "
        "all hidden states and all that gives any attention weight; beside it, the largest difference "
        "from the same text in Python.\n\n"
        + table(head, shown)
        + f"\nA first visit fetches {first / 1e6:.1f} MB (at most {MOST_BYTES / 1e6:.0f}: "
        f"{_yes(first <= MOST_BYTES)}), {compressed / 1e6:.1f} MB with gzip (at most "
        f"{MOST_COMPRESSED / 1e6:.0f}: {_yes(compressed <= MOST_COMPRESSED)}), and is ready after "
        f"{started / 1000:.1f} s; a second one fetches {large / 1e6:.1f} MB of the model and "
        f"{second / 1e3:.0f} kB of scripts, and is ready after {again / 1000:.1f} s. The tab takes "
        f"{memory / 1e6:.0f} MB after 512 tokens (at most {MOST_MEMORY / 1e6:.0f}: "
        f"{_yes(memory <= MOST_MEMORY)}). The largest difference is {worst:.1e} "
        f"(at most {DIFFERENCE:.0e}: {_yes(worst <= DIFFERENCE)}).\n"
    )


def _yes(fits: bool) -> str:
    return "yes" if fits else "**no**"


def _visit(page: Page, served: Served) -> tuple[int, int, float]:
    """Bytes in all, bytes of what the browser keeps, milliseconds until the model is ready."""
    before = len(served.requests)
    page.goto(served.url)
    milliseconds = page.evaluate(_OPEN)
    sent = served.requests[before:]
    graphs = {"model.onnx", "adjoint.onnx"}
    kept = {*graphs, "model.safetensors", "wordpiece.json", "ort-wasm-simd-threaded.wasm"}
    large = sum(length for name, length in sent if name in kept)
    return sum(length for _, length in sent), large, milliseconds


def text_of(model: core.Model, tokens: int) -> str:
    """A text of so many tokens, special ones included."""
    words = _SENTENCE.split()
    text = " ".join(words[i % len(words)] for i in range(tokens - 2))
    assert len(model.read(text)) == tokens
    return text


def _measured(page: Page, model: core.Model, n: int) -> tuple[int, float, int, float, float, bool]:
    text = text_of(model, n)
    got: dict[str, Any] = page.evaluate(_TRACE, {"text": text, "rounds": ROUNDS})
    trace = model.trace(text)
    assert trace.hidden is not None
    assert trace.attention is not None
    hidden = np.concatenate([trace.embedded[None], trace.hidden])
    apart = [
        float(np.abs(np.frombuffer(base64.b64decode(got[name]), np.float32) - wanted.ravel()).max())
        for name, wanted in (("hidden", hidden), ("weights", trace.attention.weights))
    ]
    most = AT_MOST.get(n, 0)
    fits = (not most or got["least"] <= most) and max(apart) <= DIFFERENCE
    return n, got["least"], most, apart[0], apart[1], fits


def _memory(page: Page) -> float:
    """Bytes that only this tab's process holds."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    tabs = [int(one["id"]) for one in processes if one["type"] == "renderer"]
    return float(max(psutil.Process(pid).memory_full_info().uss for pid in tabs))
