"""The menu that saves a picture: by keys, by pointer, in a narrow window, without a server."""

from __future__ import annotations

import csv
import io
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, Shown, rested
from tests.browser.reading import frames
from tests.browser.saving import button, entry, save_picture
from tests.tiers import crossed

Visit = Callable[..., Page]


def menu(page: Page) -> Locator:
    return page.get_by_role("menu", name="Save this picture as")


def closed(page: Page) -> None:
    expect(menu(page)).to_have_count(0)  # a role is found only where there is something to see
    expect(button(page)).to_have_attribute("aria-expanded", "false")


def test_keys_open_walk_and_close_it(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?n=14")
    (frame,) = frames(page)
    opens = button(page)
    expect(opens).to_have_attribute("aria-haspopup", "menu")
    closed(page)
    frame.locator(".area").focus()
    page.keyboard.press("Tab")
    expect(opens).to_be_focused()
    for key, first in (("Enter", "PNG"), ("Space", "PNG"), ("ArrowDown", "PNG"), ("ArrowUp", "SVG")):
        page.keyboard.press(key)
        expect(menu(page)).to_be_visible()
        expect(opens).to_have_attribute("aria-expanded", "true")
        expect(entry(page, first)).to_be_focused()
        page.keyboard.press("Escape")
        closed(page)
        expect(opens).to_be_focused()
    page.keyboard.press("Enter")
    for key, reached in (
        ("ArrowDown", "SVG"),
        ("ArrowDown", "PNG"),
        ("ArrowUp", "SVG"),
        ("Home", "PNG"),
        ("End", "SVG"),
        ("p", "PNG"),
        ("c", "PNG"),  # in a page of its own there is no CSV
    ):
        page.keyboard.press(key)
        expect(entry(page, reached)).to_be_focused()
    outline = "node => getComputedStyle(node).outlineStyle"
    assert entry(page, "PNG").evaluate(outline) == "solid"
    page.keyboard.press("Tab")
    closed(page)
    expect(page.get_by_role("button", name="After")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(opens).to_be_focused()
    assert opens.evaluate(outline) == "solid"
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    closed(page)
    expect(frame.locator(".area")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".svg")
    closed(page)
    expect(opens).to_be_focused()


def test_a_pointer_opens_it_and_closes_it_anywhere_else(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?n=14")
    frames(page)
    button(page).click()
    expect(entry(page, "PNG")).to_be_focused()
    button(page).click()
    closed(page)
    button(page).click()
    page.mouse.click(5, 5)
    closed(page)
    button(page).click()
    page.get_by_role("textbox").click()
    closed(page)
    expect(page.get_by_role("textbox")).to_be_focused()  # which is not taken from who has gone on


def test_it_stays_at_its_button_where_the_page_is_scrolled(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?n=64", height=300)
    frames(page)
    button(page).click()
    page.mouse.move(600, 100)
    for by in (-20, -20, 30):
        before = top(button(page))
        page.mouse.wheel(0, by)
        while top(button(page)) == before:
            page.wait_for_timeout(20)
        below = top(menu(page)) - top(button(page))
        assert 0 < below < 40 or -200 < below < -60  # under it, or all of it over it
    page.mouse.wheel(0, -5000)
    closed(page)
    expect(button(page)).to_be_focused()


def top(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize(
    ("query", "scheme"), crossed(["?n=14", "bars?kind=chances", "heads"], ["light", "dark"], of=2)
)
def test_all_of_it_is_seen_in_a_narrow_window(
    pictures: Shown, visit: Visit, query: str, scheme: Literal["light", "dark"]
) -> None:
    page = visit(f"{pictures.url}/{query}", width=390, height=844, scheme=scheme)
    frames(page)
    button(page).scroll_into_view_if_needed()
    whole = button(page).bounding_box()
    assert whole is not None
    assert min(whole["width"], whole["height"]) >= 24
    button(page).click()
    box = menu(page).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 844
    for kind in ("PNG", "SVG"):
        place = entry(page, kind).bounding_box()
        assert place is not None
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        at = page.evaluate(  # nothing lies over it
            """([x, y]) => { let at = document.elementFromPoint(x, y);
            while (at.shadowRoot) at = at.shadowRoot.elementFromPoint(x, y);
            return at.closest("button").textContent; }""",
            [x, y],
        )
        assert at.startswith(kind)
        assert entry(page, kind).evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    look = menu(page).evaluate("node => ({ ...getComputedStyle(node) })")
    paper, ink = look["backgroundColor"], look["color"]
    assert (_light(paper) > 0.5) == (scheme == "light")
    assert abs(_light(paper) - _light(ink)) > 0.5


def _light(colour: str) -> float:
    """How light a colour is, 0 to 1, by its red part: those of a page's paper and ink are near grey."""
    return float(colour[4:].split(",")[0]) / 255


def numbers(picture: Locator) -> np.ndarray:
    table = list(csv.reader(io.StringIO(save_picture(picture, "CSV").path().read_text())))
    return np.array([row[1:] for row in table[1:]], float)


def sinusoidal(page: Page) -> Locator:
    found = page.locator(".st-key-sinusoidal .picture[data-drawn]")
    expect(found).to_have_count(1)
    rested(page)
    return found


@pytest.mark.fuzz
def test_two_visitors_save_what_each_of_them_sees(server: Server, visit: Visit) -> None:
    pages = [visit(f"{server.url}/positions?pl={length}&pd=6") for length in (5, 7)]
    shown = [sinusoidal(page) for page in pages]
    for picture, length in [*zip(shown, (5, 7), strict=True)][::-1]:
        picture.page.bring_to_front()
        assert numbers(picture).shape == (length, 6)
    pages[0].bring_to_front()
    box = pages[0].get_by_label("Positions", exact=True)
    box.fill("9")
    box.press("Enter")
    pages[0].wait_for_url(lambda url: "pl=9" in url)
    assert numbers(sinusoidal(pages[0])).shape == (9, 6)
    pages[1].bring_to_front()
    assert numbers(sinusoidal(pages[1])).shape == (7, 6)


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    running = Server(tmp_path)
    running.start()
    yield running
    running.stop()


@pytest.mark.fuzz  # half a minute
def test_a_server_that_is_gone_is_said_and_one_that_comes_back_saves(
    mortal: Server, visit: Visit
) -> None:
    page = visit(f"{mortal.url}/positions?pl=5&pd=6")
    picture = sinusoidal(page)
    assert numbers(picture).shape == (5, 6)
    mortal.stop(signal.SIGKILL)
    button(picture).click()
    entry(picture, "CSV").click()
    expect(button(picture)).to_have_attribute("aria-busy", "true")
    expect(picture.get_by_role("alert")).to_contain_text("The server does not answer")
    expect(button(picture)).to_have_attribute("aria-busy", "false")
    box = picture.get_by_role("alert").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1440
    page.keyboard.press("Escape")  # whatever is done next takes it away
    expect(picture.get_by_role("alert")).to_have_count(0)
    save_picture(picture, "PNG")  # the browser needs nobody for it
    mortal.start()
    # It knows no such session: the page finds out by itself, runs again and names another address.
    assert numbers(sinusoidal(page)).shape == (5, 6)
