"""The Compare page in a real browser, from the key to the painted picture, beside BertViz."""

from __future__ import annotations

import os
import signal
import statistics
import tempfile
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

import core
from benchmarks import bertviz_view, page_memory, sentences, stopwatch
from benchmarks.side_by_side import table
from tools.browser import FLAGS, find_browser
from tools.server import Server

ROUNDS = 15
WARM_UP = 2  # rounds before, not counted
READY_SECONDS = 120
OPENS = {"a": sentences.BEFORE, "b": sentences.STAYS}
HEADS = OPENS | {"fa": "1"}  # the fold with the heads is open
SIZE = ViewportSize(width=1440, height=900)

# What is timed, and the most that it should take, in seconds; None for a peer.
ROWS: dict[str, float | None] = {
    "Enter → first screen: the verdict and the dots": 0.4,
    "Enter → everything: what each word adds, underlined": 1.0,
    "key on the layer slider → both heatmaps": 0.15,
    "key on the head slider → both heatmaps": 0.15,
    "BertViz `head_view`: call → painted": None,
    "BertViz `model_view`: call → painted": None,
}
FIRST, EVERYTHING, BY_LAYER, BY_HEAD, HEAD_VIEW, MODEL_VIEW = ROWS

Seconds = dict[str, list[float]]


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    """The app with its default settings, but for these, and its model warm; it ends with the block."""
    with tempfile.TemporaryDirectory() as folder:
        unset = {name: "" for name in os.environ if name.startswith("POLYSEE_")}
        running = Server(Path(folder), unset | settings)
        try:
            running.start()
            _wait_until_warm(f"{running.url}/ready")
            yield running
        finally:
            running.stop(signal.SIGKILL)


def _wait_until_warm(url: str) -> None:
    end = time.monotonic() + READY_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=10):
                return
        except urllib.error.HTTPError as error:
            if time.monotonic() > end:
                raise TimeoutError(f"the app is not ready: {error.read().decode()}") from error
            time.sleep(0.2)


@contextmanager
def visitor(browser: Browser, url: str) -> Iterator[Page]:
    """The Compare page of one visitor, answered."""
    with browser.new_context(viewport=SIZE) as context:
        page = context.new_page()
        stopwatch.visit(page, url)
        yield page


def there_and_back(steps: int) -> Iterator[str]:
    """Keys that move a slider to its far end and back, one value each, for ever."""
    while True:
        yield from ["ArrowRight"] * steps
        yield from ["ArrowLeft"] * steps


def measure(
    page: Page, heads: Page | None, peer: bertviz_view.Peer | None
) -> tuple[Seconds, Seconds, list[str]]:
    """All rounds, in turns.

    Args:
        page: Compare as it opens, all questions folded.
        heads: the same with its heads unfolded; None: they are not measured.
        peer: BertViz, where it is there.

    Returns:
        The times by row, BertViz's calls alone by row, and the texts.
    """
    spent: Seconds = defaultdict(list)
    calls: Seconds = defaultdict(list)
    texts = sentences.short()
    shown = [next(texts) for _ in range(WARM_UP + ROUNDS)]
    keys = there_and_back(5)  # of 6 layers and of 12 heads
    for number, (text, key) in enumerate(zip(shown, keys, strict=False)):
        times = stopwatch.enter(page, text, "first", "everything")
        found = {FIRST: times["first"], EVERYTHING: times["everything"]}
        if heads is not None:
            found[BY_LAYER] = stopwatch.move(heads, stopwatch.LAYER, key)
            found[BY_HEAD] = stopwatch.move(heads, stopwatch.HEAD, key)
        called = {}
        if peer is not None:
            for row, view in ((HEAD_VIEW, "head_view"), (MODEL_VIEW, "model_view")):
                peers = peer.show(view, text)
                found[row], called[row] = peers.both, peers.call
        if number >= WARM_UP:
            for row, seconds in found.items():
                spent[row].append(seconds)
            for row, seconds in called.items():
                calls[row].append(seconds)
    return spent, calls, shown


def report(spent: Seconds) -> str:
    """The table of the times."""
    rows: list[tuple[object, ...]] = []
    for row, seconds in spent.items():
        target = ROWS[row]
        median = statistics.median(seconds)
        goal = "–" if target is None else f"≤ {1e3 * target:.0f} ms"
        within = "–" if target is None else ("yes" if median <= target else "**no**")
        rows.append((row, f"{1e3 * median:.0f} ms", f"{1e3 * max(seconds):.0f} ms", goal, within))
    return table(("from → to", "median", "slowest", "target", "median within"), rows)


def about_peer(spent: Seconds, calls: Seconds, why_not: str | None) -> str:
    """How BertViz was measured and how it compares, or why it was not measured."""
    if why_not is not None:
        return f"BertViz was **not measured**: {why_not}."
    in_python = " and ".join(f"{1e3 * statistics.median(seconds):.0f} ms" for seconds in calls.values())
    times = statistics.median(spent[HEAD_VIEW]) / statistics.median(spent[FIRST])
    return (
        "BertViz shows the sentence that was entered, by what its user runs: the forward pass of "
        "`transformers` in eager mode on the same weights and the call with "
        f'`html_action="return"` (medians of the two together: {in_python}), then that HTML opened in '
        "the same browser until its lines are painted. Its d3, jQuery and RequireJS come from this "
        "machine's memory: no network is in its times, and no typing of code. "
        f"`head_view` takes {times:.1f}× the time to Polysee's first screen."
    )


def _peer(context: BrowserContext, place: Path) -> tuple[bertviz_view.Peer | None, str | None]:
    try:
        return bertviz_view.peer(context, place), None
    except bertviz_view.NotThere as reason:
        return None, str(reason)


def run() -> str:
    """The section of the report."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with (
            server() as app,
            visitor(browser, f"{app.url}/?{urlencode(OPENS)}") as page,
            visitor(browser, f"{app.url}/?{urlencode(HEADS)}") as heads,
            browser.new_context(viewport=SIZE) as context,
        ):
            peer, why_not = _peer(context, app.folder)
            spent, calls, texts = measure(page, heads, peer)
        with server() as app, visitor(browser, f"{app.url}/?{urlencode(HEADS)}") as page:
            assert app.process is not None
            memory = page_memory.walk(
                page, app.process.pid, lambda text: stopwatch.enter(page, text, "pictures")
            )
        version = browser.version
        browser.close()
    model = core.load("minilm")
    tokens = sorted(len(model.trace(text).tokens) for text in (*texts, sentences.STAYS))
    size = f"{SIZE['width']} × {SIZE['height']}"
    return (
        "## The Compare page in a browser\n\n"
        f"Headless Chromium {version} on the same machine, {size} pixels, one visitor, MiniLM loaded. "
        "The clock runs inside the page: from the key's own time stamp to the second frame after the "
        "new numbers were there, which is when a screencast shows them; it looks once a frame (17 ms). "
        f"{ROUNDS} rounds after {WARM_UP} unmeasured, all rows in turns. Each round enters a sentence "
        "that the server has not seen, beside one that stays; all have "
        f"{tokens[0]} to {tokens[-1]} tokens.\n\n"
        + report(spent)
        + f"\n\n{about_peer(spent, calls, why_not)}\n\n"
        "Resident memory of a fresh server, its caches at their defaults, while one visitor enters "
        f"{page_memory.TEXTS} different texts of 512 tokens: {page_memory.sentence(memory)}"
    )
