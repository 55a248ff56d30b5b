"""How 50,000 lines scroll in a real browser: the time between two frames, by wheel and by dragging."""

from __future__ import annotations

from typing import Any

import numpy as np
from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks import sentences
from core.figures import Picture, concordance, groups_of
from tools.browser import FLAGS, find_browser

LINES = 50_000
SENTENCES = 2_000  # different ones; each also carries the number of its line
STEPS = 240  # of the wheel, and of a drag from the first line to the last
WHEEL = 400  # pixels
STUTTER = 50  # milliseconds: three frames are lost
SIZE = {"width": 1440, "height": 900}
# Frames as the page sees them, and tasks that its thread was busy with for more than 50 ms.
_WATCH = """() => {
  const watch = window.watch = { frames: [], tasks: [], going: true };
  new PerformanceObserver((list) => watch.tasks.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: "longtask" });
  let last;
  const frame = (now) => {
    if (last !== undefined) watch.frames.push(now - last);
    last = now;
    if (watch.going) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
_SEEN = "() => { window.watch.going = false; return window.watch; }"
_NEXT = "() => new Promise(requestAnimationFrame)"


def scrolled() -> list[tuple[object, ...]]:
    """The rows of the report."""
    with sync_playwright() as playwright:
        # Without scroll bars, which headless browsers hide, nothing could be dragged.
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=list(FLAGS), ignore_default_args=["--hide-scrollbars"]
        )
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.set_content(picture(LINES).to_html())
        page.locator(".line").first.wait_for()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        found = [_row("by wheel", *_watched(page, session, _wheel))]
        found.append(_row("by dragging", *_watched(page, session, _drag)))
        browser.close()
    return found


def picture(count: int) -> Picture:
    """So many lines in three groups, sorted by what stands before the word: all in one list."""
    some = [sentences.of_tokens(24, seed=number) for number in range(SENTENCES)]
    texts = [f"{some[i % SENTENCES]} ({i})" for i in range(count)]
    starts = [text.index(" ", len(text) // 2 - 12) + 1 for text in texts]
    spans = [(at, text.index(" ", at)) for text, at in zip(texts, starts, strict=True)]
    rng = np.random.default_rng(0)
    made = concordance(
        texts,
        np.arange(count),
        spans,
        groups_of(["Cluster 1", "Cluster 2", "Cluster 3"]),
        rng.integers(0, 3, count),
        rng.random(count),
        columns={"year": [1990 + i % 30 for i in range(count)]},
        sentence=f"{count:,} lines.",
        name="concordance",
    )
    return made.choosing({"sort": "left"})


def _watched(page: Page, session: CDPSession, act: Any) -> tuple[dict[str, list[float]], float]:
    """What the page saw while it was scrolled; and its thread's time in all, in milliseconds."""
    page.evaluate(_WATCH)
    before = _busy(session)
    act(page)
    return page.evaluate(_SEEN), 1e3 * (_busy(session) - before)


def _busy(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def _wheel(page: Page) -> None:
    page.locator(".area").hover()
    for _ in range(STEPS):
        page.mouse.wheel(0, WHEEL)
        page.evaluate(_NEXT)


def _drag(page: Page) -> None:
    area = page.locator(".area")
    area.evaluate("(one) => { one.scrollTop = 0; }")
    box = area.bounding_box()
    assert box is not None
    x, top, room = box["x"] + box["width"] - 6, box["y"] + 20, box["height"] - 30
    page.mouse.move(x, top)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(x, top + room * (step + 1) / STEPS)
        page.evaluate(_NEXT)
    page.mouse.up()
    far = area.evaluate("(one) => one.scrollTop / (one.scrollHeight - one.clientHeight)")
    assert far > 0.9, "The scroll bar was not dragged."


def _row(how: str, seen: dict[str, list[float]], busy: float) -> tuple[object, ...]:
    frames, tasks = np.array(seen["frames"]), seen["tasks"]
    median, most, worst = np.percentile(frames, [50, 95, 100])
    return (
        f"{LINES:,} lines scrolled {how}: frames over {STUTTER} ms (target 0)",
        f"**{(frames > STUTTER).sum()}** of {len(frames)}: median {median:.0f} ms, 95 of 100 within "
        f"{most:.0f} ms, worst {worst:.0f} ms; the page's own thread {busy / len(frames):.1f} ms a "
        f"frame, tasks over 50 ms: {len(tasks)}",
    )
