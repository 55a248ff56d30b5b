"""The Compare page in a real browser, from the key press to the painted picture."""

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

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

import core
from benchmarks import page_memory, sentences, stopwatch
from benchmarks.side_by_side import table
from tools.browser import FLAGS, find_browser
from tools.server import Server

ROUNDS = 15
WARM_UP = 2  # unmeasured rounds at the start
READY_SECONDS = 120
OPENS = {"a": sentences.BEFORE, "b": sentences.STAYS}
HEADS = OPENS | {"fa": "1"}  # with the fold of the heads open
SIZE = ViewportSize(width=1440, height=900)

# The measured actions, and the time limit of each in seconds.
ROWS = {
    "Enter → first screen: the verdict and the dots": 0.4,
    "Enter → everything: what each word adds, underlined": 1.0,
    "Enter → everything, with a word that is new: its meanings, the model's guess": 0.35,
    "key on the layer slider → both heatmaps": 0.15,
    "key on the head slider → both heatmaps": 0.15,
}
FIRST, EVERYTHING, NEW_WORD, BY_LAYER, BY_HEAD = ROWS

Seconds = dict[str, list[float]]


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    """The app with its default settings except these, and a warm model, until the block ends."""
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
    """The Compare page of one visitor, after it has answered."""
    with browser.new_context(viewport=SIZE) as context:
        page = context.new_page()
        stopwatch.visit(page, url)
        yield page


def there_and_back(steps: int) -> Iterator[str]:
    """Key presses that move a slider to its far end and back by one value each, endlessly."""
    while True:
        yield from ["ArrowRight"] * steps
        yield from ["ArrowLeft"] * steps


def measure(page: Page, heads: Page, own: Page) -> tuple[Seconds, list[str]]:
    """Measure all rounds, alternating between the actions.

    Args:
        page: the Compare page as it opens, with all questions folded.
        heads: the same with the heads unfolded.
        own: the same, for words that no one has asked about.

    Returns:
        The times by action, and the texts.
    """
    spent: Seconds = defaultdict(list)
    texts = sentences.short()
    shown = [next(texts) for _ in range(WARM_UP + ROUNDS)]
    keys = there_and_back(5)  # for 6 layers and 12 heads
    for number, (text, two, key) in enumerate(zip(shown, sentences.NEW_WORDS, keys, strict=False)):
        times = stopwatch.enter(page, text, "first", "everything")
        seconds_by_row = {FIRST: times["first"], EVERYTHING: times["everything"]}
        seconds_by_row[NEW_WORD] = stopwatch.enter_pair(own, *two, "everything")["everything"]
        seconds_by_row[BY_LAYER] = stopwatch.move(heads, stopwatch.LAYER, key)
        seconds_by_row[BY_HEAD] = stopwatch.move(heads, stopwatch.HEAD, key)
        if number >= WARM_UP:
            for row, seconds in seconds_by_row.items():
                spent[row].append(seconds)
    return spent, shown


def report(spent: Seconds) -> str:
    """The table of the times."""
    rows: list[tuple[object, ...]] = []
    for row, seconds in spent.items():
        target, median = ROWS[row], statistics.median(seconds)
        times = (f"{1e3 * time:.0f} ms" for time in (median, max(seconds)))
        rows.append((row, *times, f"≤ {1e3 * target:.0f} ms", "yes" if median <= target else "**no**"))
    return table(("from → to", "median", "slowest", "target", "median within"), rows)


def run() -> str:
    """Measure, and return the section of the report."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with (
            server() as app,
            visitor(browser, f"{app.url}/?{urlencode(OPENS)}") as page,
            visitor(browser, f"{app.url}/?{urlencode(HEADS)}") as heads,
            visitor(browser, app.url) as own,
        ):
            spent, texts = measure(page, heads, own)
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
        f"{tokens[0]} to {tokens[-1]} tokens. For a new word, sentence A stands already, and "
        "sentence B is entered, with which the page has a word to compare.\n\n"
        + report(spent)
        + "\n\nResident memory of a fresh server, its caches at their defaults, while one visitor "
        f"enters {page_memory.TEXTS} different texts of 512 tokens: {page_memory.sentence(memory)}"
    )
