"""SmolLM2 in a browser's own tab: times, bytes, memory, and the difference from Python's numbers.

In Chromium; and in Firefox, where one is installed.

Times are processor time of the tab's process, worker and page together, so that they leave out what
else the machine does; the system counts it in hundredths of a second. Alone:
`python -m benchmarks browser_language`.
"""

from __future__ import annotations

import base64
import contextlib
import os
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import psutil
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from playwright.sync_api import Error as PlaywrightError

import core
from benchmarks.side_by_side import table
from core import web
from core.web.built import LANGUAGE_MANIFEST
from tools import firefox, static
from tools.browser import FLAGS, find_browser
from tools.web_server import Served, serve
from ui.serving.headers import policy

TITLE = "## SmolLM2 in the visitor's own tab"
TOKENS = (5, 14, 64, 128, 256)
AT_MOST = {14: 300, 64: 1_100}  # milliseconds
ROUNDS = 3
WRITTEN = 16  # tokens, one by one
MOST_STEP, MOST_READY = 100, 10_000  # milliseconds
MOST_WEIGHTS, MOST_HEIGHT, MOST_AFTER = 100e6, 1.3e9, 900e6  # bytes
MOST_KEY = 350  # milliseconds from a key to the bars, at 14 tokens
SLOWER = 4
PHONE: ViewportSize = {"width": 390, "height": 844}
_SLICE = 0.02  # seconds, of which a slowed tab has its share
DIFFERENCE = 1e-4
_EVERY = 0.03  # seconds between two looks at the memory
_POLICY = policy("'none'").replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
_SENTENCE = "I sat on the bank of the river and counted my money , then walked to another bank ."
_ARRIVED = "polyseeArrived"  # called with each piece that has come
_OPEN = f"""async (manifest) => {{
  const {{ Engine }} = await import("/model/engine.js");
  const engine = (window.engine = await Engine.at({{ base: "/model", manifest }}));
  await engine.start({{ onProgress: () => {{ window.{_ARRIVED}(); }} }});
}}"""
_FIRST = """() => window.engine.next("The capital of France is").then(() => {})"""
_READ = """async ([text, more]) => {
  const { encoded, logits } = await window.engine.next(text, more);
  const packed = await new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1]);
    reader.readAsDataURL(new Blob([logits]));
  });
  return { logits: packed, ids: [...encoded.ids] };
}"""
_RUN = """([text, more]) => window.engine.next(text, more).then(() => {})"""  # without its logits
_NOTHING = ["\n", []]  # a text that begins anew shares no token with the one before it

# In the folder: from a key to the frame in which the bars are others. Every other text begins anew.
_BARS = (
    """() => document.querySelector("[data-part=bars] .drawn > div")?.shadowRoot?.textContent || null"""
)
_KEY = """async (text) => {
  const bars = () => document.querySelector("[data-part=bars] .drawn > div")?.shadowRoot?.textContent;
  const frame = () => new Promise((keep) => requestAnimationFrame(keep)), before = bars();
  const area = document.querySelector("textarea"), start = performance.now();
  area.value = text;
  area.dispatchEvent(new Event("input", { bubbles: true }));
  do await frame(); while (bars() === before);
  await frame();
  return performance.now() - start;
}"""


def run() -> str:
    """Measure in a real Chromium, with one thread; returns the section."""
    built = web.find()
    if built is None or built.language is None:
        why = web.why_not() or "The package of SmolLM2 is not installed."
        return f"{TITLE}\n\nNot measured. {why}\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)  # that its weights are those of a packed copy
        model = core.load("smollm2")
    load = os.getloadavg()[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with serve(built.files, _POLICY) as served:
            page = browser.new_context().new_page()
            page.goto(served.url)
            with _memory(_tabs(browser)) as seen:
                first, opened = _visit(browser, page, served)
            height = max(seen)
            tab = Clock(_tabs(browser))
            rows = [_measured(page, tab, model, n) for n in TOKENS]
            step = _written(page, tab, model)
            with _memory(_tabs(browser)) as later:
                time.sleep(1)
            second, again = _visit(browser, page, served)
            page.close()
        keys, slowed = _keys(browser, built, model)
        browser.close()
    other = _in_firefox(built, model)
    weights = built.language["files"][built.language["weights"]]["bytes"]
    head: tuple[str, ...] = (
        "tokens",
        f"least of {ROUNDS}",
        "at most",
        "in Python",
        "ratio",
        "logits",
        "within",
    )
    shown: list[tuple[object, ...]] = [
        (n, f"{ms:.0f} ms", _most(n), f"{own:.0f} ms", f"{ms / own:.1f}", f"{apart:.1e}", _yes(fits))
        for n, ms, own, apart, fits in rows
    ]
    if other is not None:
        head = (*head, "in Firefox", "ratio there", "logits there")
        shown = [
            (*one, f"{ms:.0f} ms", f"{ms / own:.1f}", f"{apart:.1e}")
            for one, (_, ms, own, apart, _) in zip(shown, other.rows, strict=True)
        ]
    worst = max(row[3] for row in rows)
    return (
        f"{TITLE}\n\n"
        "The layers of our decoder in onnxruntime-web, float32, one thread of WebAssembly in a worker "
        "of a headless Chromium, from the published 4-bit file; beside it, our decoder in Python on "
        "one thread, and the largest difference between the two in a logit of the next token. All "
        f"times are processor time (load of the machine meanwhile: {load:.0f} on {os.cpu_count()} "
        "cores).\n\n"
        + table(head, shown)
        + f"\nEach further token takes {step:.0f} ms behind 64 others (at most {MOST_STEP}: "
        f"{_yes(step <= MOST_STEP)}). A first visit fetches {first / 1e6:.1f} MB, of which the file of "
        f"the model is {weights / 1e6:.1f} (at most {MOST_WEIGHTS / 1e6:.0f}: "
        f"{_yes(weights <= MOST_WEIGHTS)}); from an empty browser it is ready after "
        f"{opened['all'] / 1000:.1f} s, {opened['ready'] / 1000:.1f} s after the last byte, and has "
        f"the first token {opened['first'] / 1000:.1f} s after it (at most {MOST_READY / 1000:.0f}: "
        f"{_yes(opened['first'] <= MOST_READY)}). A second visit fetches {second / 1e3:.0f} kB of "
        f"scripts, nothing of the model, and is ready after {again['all'] / 1000:.1f} s. The tab takes "
        f"{height / 1e6:.0f} MB at its height (at most {MOST_HEIGHT / 1e6:,.0f}: "
        f"{_yes(height <= MOST_HEIGHT)}) and {later[-1] / 1e6:.0f} MB after {TOKENS[-1]} tokens (at "
        f"most {MOST_AFTER / 1e6:.0f}: {_yes(later[-1] <= MOST_AFTER)}). In the folder of `make "
        f"static`, the size of a phone, a key takes the tab {keys:.0f} ms until the bars are on the "
        f"screen, behind 14 tokens of which none was read before (at most {MOST_KEY}: "
        f"{_yes(keys <= MOST_KEY)}), {keys / rows[1][2]:.1f} times what Python takes for the text; "
        f"with a processor that is {SLOWER} times slower, they are there {slowed:.0f} ms after the key "
        f"by the clock on the wall. The largest difference is {worst:.1e} (at most {DIFFERENCE:.0e}: "
        f"{_yes(worst <= DIFFERENCE)}). {_said(other)}\n"
    )


class InFirefox(NamedTuple):
    """What was measured in Firefox.

    Attributes:
        version: its version.
        rows: as `_measured` returns them.
        step: milliseconds of a token behind 64 others.
        ready: milliseconds until the model had started, from an empty browser.
        height: the most bytes of its tab.
        after: its bytes after the longest text.
    """

    version: str
    rows: list[tuple[int, float, float, float, bool]]
    step: float
    ready: float
    height: float
    after: float


def _in_firefox(built: web.Built, model: core.Model) -> InFirefox | None:
    """The same in Firefox; None where none is installed."""
    program = firefox.find()
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder, serve(built.files, _POLICY) as served:
        browser = firefox.Firefox(program, Path(folder))
        try:
            browser.open(served.url)
            page, tab = _Evaluating(browser), Clock(browser.tabs())
            browser.run(f"window.{_ARRIVED} = () => {{}}")
            with _memory(tab.tabs) as seen:
                ready, _ = tab.of(lambda: page.evaluate(_OPEN, LANGUAGE_MANIFEST))
            rows = [_measured(page, tab, model, n) for n in TOKENS]
            step = _written(page, tab, model)
            after = max(_held(one) for one in tab.tabs)
            return InFirefox(browser.version, rows, step, ready, max(seen), after)
        finally:
            browser.stop()


def _said(found: InFirefox | None) -> str:
    """What is said of Firefox."""
    if found is None:
        return "Firefox is not installed here, so it has no column."
    worst = max(apart for _, _, _, apart, _ in found.rows)
    return (
        f"In Firefox {found.version}, headless too, the model is ready after {found.ready / 1000:.1f} "
        f"s from an empty browser, and each further token takes {found.step:.0f} ms (at most "
        f"{MOST_STEP}: {_yes(found.step <= MOST_STEP)}). Its tab takes {found.height / 1e6:.0f} MB at "
        f"its height (at most {MOST_HEIGHT / 1e6:,.0f}: {_yes(found.height <= MOST_HEIGHT)}) and "
        f"{found.after / 1e6:.0f} MB after {TOKENS[-1]} tokens (at most {MOST_AFTER / 1e6:.0f}: "
        f"{_yes(found.after <= MOST_AFTER)}). The largest difference there is {worst:.1e} (at most "
        f"{DIFFERENCE:.0e}: {_yes(worst <= DIFFERENCE)})."
    )


class Evaluates(Protocol):
    """A page of any browser."""

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """What a function of JavaScript returns, or promises."""


class _Evaluating:
    """A page of Firefox."""

    def __init__(self, browser: firefox.Firefox) -> None:
        self.browser = browser

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        return self.browser.run(f"return ({expression})(...arguments)", arg)


def _yes(fits: bool) -> str:
    return "yes" if fits else "**no**"


def _most(tokens: int) -> str:
    return f"{AT_MOST[tokens]:,} ms" if tokens in AT_MOST else ""


class Clock:
    """The processor time of a browser's tabs."""

    def __init__(self, tabs: list[psutil.Process]) -> None:
        self.tabs = tabs
        self.spent: dict[int, float] = {}  # seconds, by process

    def __call__(self) -> float:
        """Milliseconds so far."""
        for tab in self.tabs:
            with contextlib.suppress(psutil.NoSuchProcess):  # a spare process of Firefox ends
                self.spent[tab.pid] = sum(tab.cpu_times()[:2])
        return 1000 * sum(self.spent.values())

    def of(self, work: Callable[[], Any]) -> tuple[float, Any]:
        """The milliseconds that some work takes, and its result."""
        before = self()
        result = work()
        return self() - before, result


def _visit(browser: Browser, page: Page, served: Served) -> tuple[int, dict[str, float]]:
    """The bytes that a visit fetches, and its milliseconds."""
    before = len(served.requests)
    page.goto(served.url)
    tab = Clock(_tabs(browser))
    last = start = tab()

    def arrived() -> None:
        nonlocal last
        last = tab()

    with contextlib.suppress(PlaywrightError):  # at a second visit, it is there
        page.expose_function(_ARRIVED, lambda: _heard[0]())
    _heard[:] = [arrived]
    page.evaluate(_OPEN, LANGUAGE_MANIFEST)
    ready = tab()
    page.evaluate(_FIRST)
    opened = {"all": ready - start, "ready": ready - last, "first": tab() - last}
    return sum(length for _, length in served.requests[before:]), opened


_heard: list[Callable[[], None]] = []  # what the page of the last visit tells


def text_of(model: core.Model, tokens: int) -> str:
    """A text of so many tokens."""
    words, text = _SENTENCE.split(), ""
    for i in range(4 * tokens):
        if len(model.read(text)) >= tokens:
            break
        text = f"{text} {words[i % len(words)]}".strip()
    assert len(model.read(text)) == tokens
    return text


def _measured(
    page: Evaluates, tab: Clock, model: core.Model, n: int
) -> tuple[int, float, float, float, bool]:
    """Tokens, milliseconds in the tab and in Python, the largest difference, and whether it fits."""
    text = text_of(model, n)
    theirs, own = [], []
    for _ in range(ROUNDS):
        page.evaluate(_RUN, _NOTHING)
        theirs.append(tab.of(lambda: page.evaluate(_RUN, [text, []]))[0])
        start = time.process_time()
        (wanted,) = model.expects(text)
        own.append(1000 * (time.process_time() - start))
    got: dict[str, Any] = page.evaluate(_READ, [text, []])
    assert got["ids"] == [*model.read(text).ids]
    logits = np.frombuffer(base64.b64decode(got["logits"]), np.float32)
    apart = float(np.abs(logits - wanted.logits).max())
    fits = min(theirs) <= AT_MOST.get(n, np.inf) and apart <= DIFFERENCE
    return n, min(theirs), min(own), apart, fits


def _written(page: Evaluates, tab: Clock, model: core.Model) -> float:
    """The milliseconds of a token behind a text of 64, the mean of some."""
    text = text_of(model, 64)
    more = [one.id for one in model.generate(text, WRITTEN, temperature=0)]
    page.evaluate(_RUN, [text, []])

    def write() -> None:
        for i in range(len(more)):
            page.evaluate(_RUN, [text, more[: i + 1]])

    return tab.of(write)[0] / len(more)


def _keys(browser: Browser, built: web.Built, model: core.Model) -> tuple[float, float]:
    """The milliseconds from a key to the bars in the folder, on a phone's screen; and slowed down."""
    text = text_of(model, 13)
    texts = [f"{first}{text[1:]}" for first in ("We", "You")] * ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        root = static.build(built, Path(folder) / "static")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/next-word/")
        page.locator(".model button.main:visible").click()
        page.wait_for_function(_BARS, timeout=120_000)
        tab = Clock(_tabs(browser))
        plain = [tab.of(partial(page.evaluate, _KEY, one))[0] for one in texts]
        with _slowed(browser):
            slow = [page.evaluate(_KEY, one) for one in texts[: ROUNDS - 1]]
        page.close()
        server.shutdown()
        server.server_close()
    return float(np.median(plain)), float(np.median(slow))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None: ...


def _tabs(browser: Browser) -> list[psutil.Process]:
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return [psutil.Process(int(one["id"])) for one in processes if one["type"] == "renderer"]


@contextmanager
def _slowed(browser: Browser) -> Iterator[None]:
    """Stops the tabs' processes again and again: theirs is one slice of time in `SLOWER`.

    Chromium's own throttling slows down a page, but not its workers.
    """
    tabs, done = _tabs(browser), threading.Event()

    def hold() -> None:
        while not done.is_set():
            for tab in tabs:
                tab.suspend()
            time.sleep(_SLICE * (SLOWER - 1) / SLOWER)
            for tab in tabs:
                tab.resume()
            time.sleep(_SLICE / SLOWER)

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def _memory(tabs: list[psutil.Process]) -> Iterator[list[float]]:
    """Bytes that only the tab's process holds, looked at again and again."""
    seen: list[float] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.append(float(max(_held(tab) for tab in tabs)))
            done.wait(_EVERY)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join()


def _held(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().uss)
    except psutil.NoSuchProcess:
        return 0
