"""How a map of 100,000 words moves in a real browser, and what its neighbours take."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.corpus.scrolling import _NEXT, _WATCH, SIZE, _busy
from core.corpus.querying.word_means import WordMeans
from core.figures import Picture, Side, groups_of, word_map
from core.figures.cloud import Group
from tools.browser import FLAGS, find_browser

WORDS = 100_000
ISLANDS = 60
WIDTH = 384
STEPS = 180  # frames of each motion
FRAME = 1_000 / 30  # milliseconds
_SEEN = "() => { window.watch.going = false; return window.watch; }"


def measured() -> list[tuple[object, ...]]:
    """The rows of the report."""
    return [*moved(), neighbours()]


def moved() -> list[tuple[object, ...]]:
    """A map that is dragged, and magnified, on one side and on two."""
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        for sides in (1, 2):
            page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
            page.set_content(picture(WORDS, sides).to_html())
            page.locator(".tools").first.wait_for()
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            for how, act in (("dragged", _drag), ("magnified", _zoom)):
                before, drawn = _busy(session), _drawn(page)
                page.evaluate(_WATCH)
                act(page)
                seen = page.evaluate(_SEEN)
                busy = 1e3 * (_busy(session) - before)
                found.append(_row(how, sides, seen["frames"], busy, _drawn(page) - drawn))
            page.close()
        browser.close()
    return found


def picture(count: int, sides: int = 1) -> Picture:
    """So many words in islands, of eight groups and one more."""
    rng = np.random.default_rng(0)
    middle = rng.normal(size=(ISLANDS, 2)) * 6
    of = rng.integers(0, ISLANDS, count)
    words = [f"word{i}" for i in range(count)]
    groups = [*groups_of([f"genre {i}" for i in range(8)]), Group("", "#8a8f98", "#8a8f98", "circle")]
    counts = (1e6 / (np.arange(count) + 10)).astype(np.uint32)
    each = [
        Side(name, middle[of] + rng.normal(size=(count, 2)), counts, of % 9)
        for name in ("spoken", "written")[:sides]
    ]
    if sides == 1:
        each = [Side("", each[0].coordinates, counts, of % 9)]
    return word_map(words, each, groups, sentence=f"{count:,} words.", name="words")


def _drawn(page: Page) -> int:
    return int(page.locator(".picture").get_attribute("data-drawn") or 0)


def _middle(page: Page) -> tuple[float, float]:
    box: Any = page.locator(".area").bounding_box()
    return box["x"] + box["width"] / 4, box["y"] + box["height"] / 2


def _drag(page: Page) -> None:
    x, y = _middle(page)
    for _ in range(3):  # larger, so that there is something to move
        page.get_by_role("button", name="Larger").click()
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(x + 120 * np.sin(step / 15), y + 80 * np.sin(step / 11))
        page.evaluate(_NEXT)
    page.mouse.up()
    page.get_by_role("button", name="Whole map").click()


def _zoom(page: Page) -> None:
    x, y = _middle(page)
    page.locator(".area").focus()
    page.mouse.move(x, y)
    for step in range(STEPS):
        page.mouse.wheel(0, -60 if step % 60 < 30 else 60)
        page.evaluate(_NEXT)


def _row(how: str, sides: int, frames: list[float], busy: float, drawings: int) -> tuple[object, ...]:
    times = np.array(frames)
    median, most, worst = np.percentile(times, [50, 95, 100])
    return (
        f"a map of {WORDS:,} words {how}, {'two sides' if sides > 1 else 'one side'}: frames a second "
        "(target ≥ 30)",
        f"**{1e3 * len(times) / times.sum():.0f}**; median {median:.0f} ms, 95 of 100 within "
        f"{most:.0f} ms, worst {worst:.0f} ms, over {FRAME + 1:.0f} ms {(times > FRAME + 1).sum()} of "
        f"{len(times)}; the page’s own thread {busy / drawings:.1f} ms of processor time for each of "
        f"{drawings} drawings",
    )


def neighbours() -> tuple[object, ...]:
    """The exact neighbours of one of so many words."""
    rng = np.random.default_rng(0)
    names = tuple(map(str, range(WORDS)))
    vectors = rng.normal(size=(WORDS, WIDTH)).astype(np.float32)
    means = WordMeans(names, names, np.ones(WORDS, np.int64), vectors, np.ones(WORDS, np.float32))
    means.nearest(0)
    spent = []
    for word in range(1, 8):
        begin = time.process_time()
        means.nearest(word)
        spent.append(1e3 * (time.process_time() - begin))
    return (
        f"the ten nearest of {WORDS:,} words, exactly",
        f"{np.median(spent):.0f} ms of processor time",
    )
