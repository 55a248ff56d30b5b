"""The Embeddings page in a real browser: the first screen, a cell by mouse and by keys, a phone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, back
from tests.browser.reading import frames, point

Visit = Callable[..., Page]


def test_a_cell_chooses_its_pair_in_all_three_pictures(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/embeddings")
    pictures = frames(page, 4)[:3]  # below them the vectors themselves
    for picture in pictures:
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900
    expect(page.get_by_text("cosine 1.000")).to_be_visible()
    point(pictures[1], 3, 6, 13, 13)
    expect(pictures[1].locator(".tip")).to_contain_text("money and bank")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function("location.search.includes('q=4') && location.search.includes('k=7')")
    expect(page.get_by_role("combobox", name="Word")).to_have_value("4. money")
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(pictures[1].get_by_role("status")).to_contain_text("the and bank")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('q=3')")
    expect(page.get_by_role("combobox", name="Word")).to_have_value("3. the")
    back(page)
    expect(page.get_by_role("combobox", name="Word")).to_have_value("4. money")
    page.get_by_role("button", name="Whole sentences").click()
    expect(page.get_by_text("mean of the last vectors")).to_be_visible()
    frames(page, 3)


def test_a_phone_shows_one_below_the_other(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/embeddings?l=6", width=390, height=844, scheme="dark")
    tops = [picture.bounding_box() for picture in frames(page, 4)[:3]]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    heights = [box["y"] for box in tops if box is not None]
    assert heights == sorted(heights)
    assert heights[1] > heights[0] + 100
