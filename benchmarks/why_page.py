"""What if, on the Compare page in a real browser: from a choice to the painted picture."""

from __future__ import annotations

import itertools
import statistics
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, sync_playwright

from benchmarks import sentences, stopwatch
from benchmarks.compare_page import SIZE, server
from benchmarks.heads import visit
from benchmarks.side_by_side import table
from tools.browser import FLAGS, find_browser

ROUNDS = 9  # with the warm-up, as many as there are heads after the chosen one
WARM_UP = 2  # unmeasured rounds at the start
MOST = 0.3  # seconds, at 20 tokens
PICTURE = "unchanged and changed"  # part of the name of the picture that must be repainted
# A kind of change in a link, and the list whose next option is then chosen, round after round.
KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "another head is ablated": ({"yk": "silence", "yl": 3, "yh": 1}, "Head"),
    "another word is not attended to": ({"yk": "cut", "yw": 1}, "Other word"),
    "another word is hidden": ({"yk": "mask", "yw": 1}, "Other word"),
}


def run() -> str:
    """Measure, and return part of a section of the report."""
    rows: list[tuple[object, ...]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        with server() as app:
            texts = itertools.islice(sentences.short(), 10, None)
            for name, (settings, of) in KINDS.items():
                with browser.new_context(viewport=SIZE) as context:
                    page = context.new_page()
                    spent = measure(page, app.url, next(texts), settings, of)
                median = statistics.median(spent)
                within = "yes" if median <= MOST else "**no**"
                rows.append((name, f"{1e3 * median:.0f} ms", f"{1e3 * max(spent):.0f} ms", within))
        browser.close()
    return (
        "The same on the Compare page in headless Chromium, one visitor, sentences of 20 or 21 tokens: "
        "from Enter in a list, which asks for what nobody has asked before, to the second frame after "
        "the picture of before and after was there.\n\n"
        + table(("what if", "median", "slowest", f"within {1e3 * MOST:.0f} ms"), rows)
    )


def measure(page: Page, url: str, text: str, settings: dict[str, Any], of: str) -> list[float]:
    """The seconds of each round."""
    for code in (stopwatch.CODE, visit.CODE):
        page.add_init_script(code)
    stopwatch.visit(page, f"{url}/?{urlencode({'a': text} | settings)}")
    options = page.get_by_role("combobox", name=of, exact=True).last
    options.wait_for()
    return [_next(page, options) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]


def _next(page: Page, options: Locator) -> float:
    """Choose the next option of a list; returns the seconds until the picture is painted."""
    page.bring_to_front()
    options.focus()
    stopwatch.rest(page)
    page.keyboard.press("ArrowDown")  # opens the list, at the entry below the chosen one
    page.get_by_role("listbox").wait_for()
    page.evaluate("(how) => headsWatch.opening(...how)", ["keydown", "", PICTURE, stopwatch.PATIENCE])
    page.keyboard.press("Enter")
    done = page.evaluate("() => headsWatch.done")
    if done is None:
        raise stopwatch.NotPainted("the picture of before and after did not come")
    return float(done["ms"]) / 1e3
