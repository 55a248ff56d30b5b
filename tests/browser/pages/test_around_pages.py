"""Around every page: its menu on a phone, the contrast of text on the accent, its borders."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, Server, rested
from tests.browser.reading import Label, labels
from tests.figures.test_style import contrast
from tests.tiers import some

Visit = Callable[..., Page]

# For everything on the accent: the colours of its text and its background, "#rrggbb", and the opacity.
_FILLED = """() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const hex = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const parts = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    return "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");
  };
  const filled = '[data-testid="stBaseButton-primary"], .stMultiSelect [data-tag]';
  return [...document.querySelectorAll(filled)].filter((one) => one.getClientRects().length).flatMap(
    (one) => [one, ...one.querySelectorAll("p, kbd, button")].map((part) =>
      [hex(getComputedStyle(part).color), hex(getComputedStyle(one).backgroundColor),
        Number(getComputedStyle(part).opacity)]));
}"""


@pytest.mark.fuzz
def test_on_a_phone_the_menu_folds_once_a_page_is_chosen(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/positions", width=390, height=844)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    rested(page)
    menu = page.get_by_test_id("stSidebar")
    for name, address in (("Senses", "/senses"), ("Heads", "/heads")):
        page.get_by_test_id("stExpandSidebarButton").click()
        link = page.get_by_role("link", name=name, exact=True)
        expect(link).to_be_in_viewport()
        link.click()
        page.wait_for_url(re.compile(address))
        expect(page.get_by_test_id("stSidebarCollapseButton")).to_have_count(0)
        expect(menu).not_to_be_in_viewport()
        rested(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text("Large type, for a projector").click()  # what is no way off this page leaves it
    rested(page)
    reset = page.get_by_role("button", name="Reset the page")
    expect(menu).to_be_in_viewport()
    reset.click()
    expect(menu).not_to_be_in_viewport()


@pytest.mark.fuzz
def test_on_a_laptop_the_menu_stays(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/positions")
    rested(page)
    page.get_by_role("link", name="Heads", exact=True).click()
    page.wait_for_url(re.compile("/heads"))
    rested(page)
    expect(page.get_by_role("link", name="Senses", exact=True)).to_be_in_viewport()


@pytest.mark.fuzz
@pytest.mark.parametrize("scheme", some(["dark", "light"], 1))
def test_letters_on_the_accent_can_be_read(server: Server, visit: Visit, scheme: str) -> None:
    for address, part in (
        ("encoder-decoder", "stBaseButton-primary"),
        ("embeddings?p=path", "stMultiSelect"),
    ):
        page = visit(f"{server.url}/{address}", scheme=scheme)
        expect(page.get_by_test_id(part).first).to_be_visible()
        rested(page)
        found = page.evaluate(_FILLED)
        assert len(found) >= 3, address
        for letters, ground, opacity in found:
            assert opacity == 1
            assert contrast(letters, ground) >= 4.5, (address, letters, ground)


# Of each link of the menu: its address, and how many pixels what stands before its name covers.
_DRAWN = """() => [...document.querySelectorAll('[data-testid="stSidebarNavLink"]')].map((link) => {
  const style = getComputedStyle(link, "::before");
  return { page: new URL(link.href).pathname, drawn: style.maskImage, wide: parseFloat(style.width),
    said: style.content, text: link.textContent.trim() };
})"""


def test_every_page_has_an_icon_of_one_set_that_nobody_else_is_asked_for(
    server: Server, visit: Visit
) -> None:
    page = visit(server.url)  # the end of a visit asks whom the browser asked
    rested(page)
    found = page.evaluate(_DRAWN)
    assert len(found) == len([*(ROOT / "pages").glob("*/page.py")])
    assert len({one["drawn"] for one in found}) == len(found)  # a drawing of its own for each
    for one in found:
        assert one["drawn"].startswith('url("data:image/svg+xml')
        assert one["wide"] > 12
        assert one["said"] == '""'  # no reader says it
        assert all(letter.isascii() or letter == "–" for letter in one["text"]), one  # and no emoji
    icon = page.locator('link[rel*="icon"]').first.get_attribute("href") or ""
    assert icon.startswith("data:image/svg+xml")


@pytest.mark.fuzz
def test_numbers_above_matrices_beside_each_other_keep_apart(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/step-by-step?st=join")
    frame = page.locator(".picture[data-drawn]")
    expect(frame).to_have_count(1)
    expect(page.get_by_text("Heads side by side").first).to_be_visible()
    found = [one for one in labels(frame, "label") if one.text.isdigit()]
    assert len(found) >= 24  # twelve heads, and what they become
    rows: dict[int, list[Label]] = {}
    for one in found:
        rows.setdefault(round(one.top), []).append(one)
    for row in rows.values():
        in_order = sorted(row, key=lambda one: one.left)
        assert all(a.right <= b.left for a, b in pairwise(in_order))


def test_a_paragraph_has_a_box_of_several_lines(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/heads")
    box = page.get_by_role("textbox", name="Text", exact=True)
    expect(box).to_have_value("The king gave the queen a horse, and she rode it.")
    rested(page)
    low = (box.bounding_box() or {"height": 0})["height"]
    paragraph = "The bank of the river was steep. " * 16
    box.fill(paragraph)
    box.press("Enter")
    expect(page.locator("textarea").first).to_have_value(paragraph)
    rested(page)
    high = (box.bounding_box() or {"height": 0})["height"]
    assert high > 2 * low
    shown = box.evaluate("box => [box.scrollHeight, box.clientHeight]")
    assert shown[0] <= shown[1] + 2  # all of it can be seen
    box.fill("A river bank.")
    box.press("Control+Enter")
    rested(page)
    expect(box).to_have_value("A river bank.")
    assert (box.bounding_box() or {"height": 0})["height"] == low


@pytest.mark.fuzz
@pytest.mark.parametrize(
    ("address", "part"), some([("senses", "Nearest to"), ("training", "Load from a file")], 1)
)
def test_what_stands_below_has_the_whole_width(
    server: Server, visit: Visit, address: str, part: str
) -> None:
    page = visit(f"{server.url}/{address}")
    whole = page.get_by_test_id("stMainBlockContainer").locator("> div").first
    found = page.locator('[data-testid="stSelectbox"], [data-testid="stExpander"]').filter(
        has_text=part
    )
    expect(found.first).to_be_visible()
    rested(page)
    one, room = found.first.bounding_box(), whole.bounding_box()
    assert one is not None
    assert room is not None
    assert one["width"] > 0.9 * room["width"]
