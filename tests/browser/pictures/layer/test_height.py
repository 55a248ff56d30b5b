"""A layer's picture is as high as its zoom level needs, and hovering never changes the layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.layer.test_layer import middle, opened, press
from tests.browser.reading import labels, point_at, settle
from tests.tiers import some

Visit = Callable[..., Page]
TABS = ("Lines", "One head", "One token", "One product")
LEAST, MOST = 260, 640


def height(frame: Locator) -> float:
    box = frame.bounding_box()
    assert box is not None
    return box["height"]


def used(frame: Locator) -> float:
    """The lower edge of the last word or button."""
    box, save = frame.bounding_box(), frame.locator(".save").bounding_box()
    assert box is not None
    assert save is not None
    words = max(label.bottom for label in labels(frame))
    return max(words, save["y"] + save["height"] - box["y"])


@pytest.mark.fuzz
@pytest.mark.parametrize("width", some([390, 1440], 1))
def test_no_zoom_level_of_a_short_text_leaves_much_paper(
    app_heads: Shown, visit: Visit, width: int
) -> None:
    frame = opened(app_heads, visit, "n=6", {"head": 3}, width=width)
    found = {}
    for tab in TABS:
        press(frame, tab, "tab")
        found[tab] = height(frame)
        assert LEAST <= found[tab] < MOST
        assert used(frame) <= found[tab] + 1
        assert found[tab] - used(frame) < 30 or found[tab] == LEAST, tab
    press(frame, "One token", "tab")
    assert height(frame) == found["One token"]
    assert found["One token"] < found["One product"]
    page = frame.page
    press(frame, "Mean over all heads")
    press(frame, "One product", "tab")
    assert used(frame) <= height(frame) + 1
    assert height(frame) - used(frame) < 30  # a mean has none: one sentence
    page.set_viewport_size({"width": 800, "height": 900})
    press(frame, "One head", "tab")
    assert height(frame) - used(frame) < 30


def test_a_long_text_takes_what_there_is(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, "n=64")
    for tab in TABS[:3]:
        press(frame, tab, "tab")
        assert height(frame) == MOST
        assert used(frame) <= MOST + 1
    press(frame, "One product", "tab")
    assert height(frame) < MOST


@pytest.mark.parametrize("width", some([390, 1440], 1))
def test_pointing_moves_nothing(app_heads: Shown, visit: Visit, width: int) -> None:
    frame = opened(app_heads, visit, "n=14&kind=weights", {"threshold": 0.3}, width=width)
    page = frame.page

    def names() -> list[tuple[str, float]]:
        return [(label.text, round(label.top)) for label in labels(frame) if label.part == "query"]

    before = height(frame), names()
    for token in (0, 3, 11, 13):  # "nevertheless" and "[SEP]" among them
        point_at(frame, *middle(frame, "query", token))
        settle(page)  # those of the one before may stand there still
        expect(frame.locator("[data-part=weight]").first).to_be_visible()
        assert (height(frame), names()) == before
    frame.locator(".area").focus()
    for key in ("Home", "ArrowDown", "End"):
        page.keyboard.press(key)
        settle(page)
        assert (height(frame), names()) == before
