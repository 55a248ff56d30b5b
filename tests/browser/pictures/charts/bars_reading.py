"""Read bars back: their boxes, and a server that shows them."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Locator

_RECTS = """frame => [...frame.querySelectorAll("svg rect[data-part]")].map((rect) => ({
  part: rect.dataset.part, of: Number(rect.dataset.of ?? -1), fill: rect.getAttribute("fill"),
  ...Object.fromEntries(["x", "y", "width", "height"].map((at) => [at, +rect.getAttribute(at)]))}))"""


class Rect(NamedTuple):
    part: str
    of: int
    fill: str
    x: float
    y: float
    width: float
    height: float


def rects(frame: Locator, part: str) -> list[Rect]:
    found = [Rect(**rect) for rect in frame.evaluate(_RECTS)]
    return [rect for rect in found if rect.part == part]


def middle(frame: Locator, row: int) -> tuple[float, float]:
    """A point on a bar, near its start."""
    bar = next(bar for bar in rects(frame, "bar") if bar.of == row)
    return bar.x + 5, bar.y + bar.height / 2


def focus(frame: Locator) -> Locator:
    """Focus the picture by the keyboard; returns the text that is read aloud."""
    frame.page.get_by_label("Before", exact=True).focus()
    frame.page.keyboard.press("Tab")
    return frame.get_by_role("status")
