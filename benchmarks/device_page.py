"""Compare and Heads on the visitor's own device, in a real browser: from a key to the picture."""

from __future__ import annotations

import statistics
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from benchmarks.compare_page import SIZE, server
from benchmarks.side_by_side import table
from core import web
from tools.browser import FLAGS, find_browser

TITLE = "## On the visitor's own device"
MOST = 0.15  # seconds, at 20 tokens
WARM_UP = 4  # keys, not counted
REST = 250  # milliseconds between two keys, of somebody who types fast
START = 180_000  # milliseconds until the model has come
# 17 tokens with the two special ones; what is typed makes it 21.
TEXT = "The children sat on the bank of the river and watched the slow brown"
TYPED = " water carry its leaves"
PAGES = {"Compare": ("", "a", "Sentence A"), "Heads": ("heads", "t", "Text")}
_COMPARED = ".polysee-line:not([data-difference='null'])"  # the server has answered the same text
_WATCH = """() => {
  const line = document.querySelector(".polysee-line"), times = (globalThis.polyseeTimes = []);
  let since = 0;
  document.addEventListener("input", () => { since = performance.now(); }, { capture: true });
  new MutationObserver(() => {
    if (!since) return;
    const start = since;
    since = 0;
    requestAnimationFrame(() => requestAnimationFrame(() => times.push(performance.now() - start)));
  }).observe(line, { attributes: true, attributeFilter: ["data-ms"] });
}"""


def run() -> str:
    """The section of the report."""
    if web.find() is None:
        return f"{TITLE}\n\nNot measured. {web.why_not()}"
    rows: list[tuple[object, ...]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with server() as app, browser.new_context(viewport=SIZE) as context:
            page = context.new_page()
            for name, (path, key, box) in PAGES.items():
                page.goto(f"{app.url}/{path}?{urlencode({'v': 2, key: TEXT})}")
                spent, difference = measure(page, box)
                median = statistics.median(spent)
                within = "yes" if median <= MOST else "**no**"
                times = (f"{1e3 * one:.0f} ms" for one in (min(spent), median, max(spent)))
                rows.append((name, *times, within, f"{difference:.1e}"))
        browser.close()
    head = "page", "fastest", "median", "slowest", f"median within {1e3 * MOST:.0f} ms", "difference"
    return (
        f"{TITLE}\n\n"
        "MiniLM in WebAssembly, one thread, in headless Chromium; a sentence of 17 to 21 tokens, a key "
        f"every {REST} ms: from the key to the second frame after the picture was drawn, and no "
        "message to the server. The difference is the largest between the numbers of the device’s "
        "picture and those of the server’s.\n\n" + table(head, rows)
    )


def measure(page: Page, box: str) -> tuple[list[float], float]:
    """Seconds of each key, and the largest difference from the server."""
    switch = page.get_by_role("switch", name="Compute on this device")
    switch.wait_for(timeout=START)
    page.wait_for_timeout(1000)  # where the model is cached, it begins by itself
    if not switch.is_checked():
        switch.check()
    page.locator(_COMPARED).wait_for(timeout=START)
    page.evaluate(_WATCH)
    typed = page.get_by_role("textbox", name=box, exact=True)
    typed.press("End")
    for sign in TYPED:
        typed.press_sequentially(sign)
        page.wait_for_timeout(REST)
    times: list[float] = page.evaluate("polyseeTimes")
    typed.press("Enter")
    page.locator(_COMPARED).wait_for(timeout=START)
    difference = float(page.locator(".polysee-line").get_attribute("data-difference") or "nan")
    return [one / 1e3 for one in times[WARM_UP:]], difference
