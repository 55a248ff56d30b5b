"""Read back all heads ordered by a pattern."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown
from tests.browser.reading import frames, labels

Visit = Callable[..., Page]
BEFORE = [
    "1·2 0.93",
    "2·2 0.59",
    "1·3 0.47",
    "2·3 0.30",
    "1·1 0.11",
    "2·1 0.05",
]  # by the first pattern
USUALLY = ["2·2 0.93", "1·2 0.59", "2·1 0.47", "1·1 0.30", "2·3 0.11", "1·3 0.05"]


def opened(
    server: Shown,
    visit: Visit,
    state: dict[str, Any],
    size: tuple[int, int] = (1440, 900),
    **more: Any,
) -> Locator:
    query = urlencode({"what": "ordered", "state": json.dumps(state), **more})
    (frame,) = frames(visit(f"{server.url}/?{query}", width=size[0], height=size[1]))
    return frame


def names(frame: Locator) -> list[str]:
    return [label.text for label in labels(frame, "name")]


def told(page: Page, **state: Any) -> None:
    """Wait until the page has received this state."""
    whole = {
        "threshold": 0.0,
        "pattern": None,
        "special": None,
        "token": None,
        "typical": False,
        "direction": "to",
    }
    expect(page.get_by_text(json.dumps(whole | state, sort_keys=True))).to_be_visible()


def walked(frame: Locator) -> list[tuple[float, ...]]:
    """The position of each map, in the order in which the arrow keys visit them."""
    frame.locator(".area").focus()
    frame.page.keyboard.press("Control+Home")
    found: list[tuple[float, ...]] = []
    while True:
        box = frame.locator(".cursor").evaluate(
            "({style: s}) => [s.left, s.top, s.width, s.height].map(parseFloat)"
        )
        place = (box[0] + 4, box[1] + 4, box[2] - 8, box[3] - 8)
        if place in found:
            return found
        found.append(place)
        frame.page.keyboard.press("ArrowRight")
