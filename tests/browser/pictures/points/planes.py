"""Read back a plane of points: their positions, computed independently of the JavaScript."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Locator, Page, expect

from tests.browser import reading
from tests.browser.pictures.points import points_pictures as made
from tests.browser.reading import shapes

NAMES = ("A", "B", "learned", "alone", *made.LOW, *made.HIGH)
PIXEL = 0.15  # positions are written with two digits


def places(depth: int) -> np.ndarray:
    """The positions of the points of the bank picture, (points, 2)."""
    of = {**made.BANK, "learned": made.BANK["A"][[0] * 8]}
    return np.array([of[name][depth] for name in NAMES])


def settled(frame: Locator) -> None:
    expect(frame).not_to_have_attribute("data-moving", "")


# The clock of animations: it runs on, but during an animation only up to a limit. An animation waits
# 350 ms, then takes 560 ms a step, or less, so that all steps take at most 3050 ms; a move takes 150
# ms. A frame counts 200 ms at most, so a leap of the clock is spread over frames of 100 ms.
_BY_HAND = """() => { const real = performance.now.bind(performance), frame = requestAnimationFrame;
  const hand = (globalThis.hand = { begun: 0, done: 0, limit: Infinity, ahead: 0, shown: null });
  const goal = () => Math.min(hand.limit, real() + hand.ahead);
  const now = () => hand.shown ?? goal();
  const next = () => {
    if (hand.shown !== null) hand.shown = goal() - hand.shown > 100 ? hand.shown + 100 : null;
    return now();
  };
  const to = (at, more) => { hand.limit = Infinity; hand.ahead = at - real(); hand.limit = at + more; };
  performance.now = now;
  globalThis.requestAnimationFrame = (act) => frame(() => act(next()));
  document.addEventListener("click", (event) => {
    const plays = event.composedPath()[0].textContent === "Play", at = now();
    Object.assign(hand, { begun: at, done: 0, shown: null });
    to(at, plays ? 200 : Infinity);
  }, true);
  hand.goOn = (steps, count) => {
    hand.done += steps;
    hand.shown = now();
    const step = Math.min(3050, 560 * count) / count;
    to(hand.begun + 350 + step * hand.done + 10, hand.done < count ? 200 : Infinity);
  }; }"""


def by_hand(page: Page) -> None:
    """Let only `go_on` continue the animation: on a busy machine, a test might miss a step."""
    page.evaluate(_BY_HAND)


def go_on(page: Page, steps: int = 1) -> None:
    """Let the animation continue by so many steps, counted from its first one."""
    count = int(page.locator(".picture .slider input").last.get_attribute("max") or 0)
    page.evaluate("([steps, count]) => globalThis.hand.goOn(steps, count)", [steps, count])


def axes(frame: Locator) -> tuple[np.ndarray, np.ndarray]:
    """The pixels per unit and the pixel of 0, for x and y, from guides with known values."""
    guides = shapes(frame, "guide")
    x = reading.scale([guide.x for guide in guides if guide.width < 1], [-1, 0, 1])
    y = reading.scale([guide.y for guide in guides if guide.width > 1], [-0.5, 1.5])
    assert x[0] > 0 > y[0]  # y goes up
    return np.array([x[0], y[0]]), np.array([x[1], y[1]])


def expected(frame: Locator, depth: int) -> np.ndarray:
    """The expected positions of the points in pixels, (points, 2)."""
    unit, zero = axes(frame)
    return places(depth) * unit + zero


def drawn(frame: Locator) -> np.ndarray:
    settled(frame)
    marks = {mark.of: (mark.x, mark.y) for mark in shapes(frame, "mark")}
    return np.array([marks[i] for i in range(len(NAMES))])
