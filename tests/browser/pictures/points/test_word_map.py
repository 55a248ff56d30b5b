"""A map of words from a visitor's view: searched, lassoed, magnified, chosen by keys."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Locator, Page, expect

from core.figures.word_map import inside
from tests.browser.conftest import Shown
from tests.browser.pictures.points import points_pictures as made
from tests.browser.reading import frames, labels, shapes
from tests.browser.saving import save_picture

Visit = Callable[..., Page]
COUNT = 200


def opened(pictures: Shown, visit: Visit, width: int = 1000) -> tuple[Page, Locator]:
    page = visit(f"{pictures.url}/?kind=wordmap", width=width)
    (frame,) = frames(page)
    return page, frame


def counted(frame: Locator) -> str:
    return frame.locator(".tools output").inner_text()


def test_words_are_searched_chosen_and_read_aloud(pictures: Shown, visit: Visit) -> None:
    page, frame = opened(pictures, visit)
    assert [label.text for label in labels(frame, "group")] == ["one", "<b>two</b>", "three"]
    assert [label.text for label in labels(frame, "side")] == ["left", "right"]
    names = [label.text for label in labels(frame, "name")]
    assert names[0] == "word0"  # the most frequent one first, and none over another
    assert counted(frame) == "200 words"
    search = frame.get_by_label("Find a word on the map")
    search.fill("word12")
    words = made.word_map_picture().header["words"]
    assert counted(frame) == f"{sum('word12' in word for word in words)} of 200 words"
    search.press("Enter")  # the exact one, before word120
    rings = shapes(frame, "chosen")
    assert len(rings) == 2  # on either map
    search.fill("")
    area = frame.locator(".area")
    area.focus()
    area.press("Home")
    expect(frame.locator("[role=status]")).to_have_text("word0: left: 400 occurrences, one")
    area.press("ArrowRight")  # to what lies beside it
    expect(frame.locator("[role=status]")).to_have_text("word1: left: 399 occurrences, <b>two</b>")
    area.press("s")  # which is not on the other map
    expect(frame.locator("[role=status]")).to_have_text("word1: left: 399 occurrences, <b>two</b>")
    area.press("ArrowUp")
    expect(frame.locator("[role=status]")).to_contain_text("word11:")
    area.press("s")
    expect(frame.locator("[role=status]")).to_have_text("word11: right: 388 occurrences, three")
    page.close()


def test_a_lasso_holds_the_words_that_python_finds_in_it(pictures: Shown, visit: Visit) -> None:
    page, frame = opened(pictures, visit)
    frame.get_by_role("button", name="Lasso").click()
    box = frame.locator(".area").bounding_box()
    assert box is not None
    x, y, r = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2, 110
    page.mouse.move(x + r, y)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + r * math.cos(step / 9.5), y + 1.6 * r * math.sin(step / 9.5))
    page.mouse.up()
    expect(frame.get_by_role("button", name="Clear lasso")).to_be_visible()
    (line,) = shapes(frame, "lasso")
    assert line
    found = int(counted(frame).split()[0])
    assert 20 < found < 150
    header = made.word_map_picture().header
    at = np.array([(i % 10, i // 10) for i in range(COUNT)], np.float32)
    corners = frame.evaluate(
        """(frame) => frame.querySelector('[data-part="lasso"]').getAttribute("d")
          .slice(1, -1).split("L").map((one) => one.split(" ").map(Number))"""
    )
    area = frame.evaluate(
        """(frame) => {
          const { offsetTop, offsetHeight, offsetWidth } = frame.querySelector(".area");
          return [offsetTop, offsetHeight, offsetWidth];
        }"""
    )
    points = np.array(corners)
    hold = _as_parts(points, header["bounds"], area)
    assert int(inside(hold, at, header["bounds"]).sum()) == found
    frame.get_by_role("button", name="Clear lasso").click()
    assert counted(frame) == "200 words"


def _as_parts(points: np.ndarray, bounds: tuple[float, ...], box: list[float]) -> list[int]:
    """Pixels of the left map as thousandths of it."""
    top, high, width = box
    wide = math.floor((width - 0.8 * 12.8) / 2)
    left, bottom, right, upper = bounds
    scale = min(wide / (right - left), high / (upper - bottom))
    x = (points[:, 0] - (wide / 2 - (left + right) / 2 * scale)) / scale
    y = ((top + high / 2 + (bottom + upper) / 2 * scale) - points[:, 1]) / scale
    parts = np.stack([(x - left) / (right - left), (y - bottom) / (upper - bottom)], axis=1)
    return [round(float(one) * 1000) for one in parts.ravel()]


def test_it_is_magnified_moved_and_saved(pictures: Shown, visit: Visit) -> None:
    page, frame = opened(pictures, visit, width=390)
    first = {label.text for label in labels(frame, "name")}
    for _ in range(4):
        frame.get_by_role("button", name="Larger").click()
    expect(frame).not_to_have_attribute("data-drawn", "1")
    page.wait_for_timeout(100)
    near = {label.text for label in labels(frame, "name")}
    assert near != first
    frame.get_by_role("button", name="Whole map").click()
    page.wait_for_timeout(100)
    assert {label.text for label in labels(frame, "name")} == first
    text = save_picture(page, "SVG").path().read_text("utf-8")
    assert text.count("h0") == 2 * COUNT - 1  # a dot a word; one is missing on one map
    assert "&lt;b&gt;two" in text
