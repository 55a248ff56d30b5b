"""The route, clicked through: each of six scenes with its picture in view, then one's own sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from core.lessons import route
from core.lessons.keys import state
from tests.browser.axe import found
from tests.browser.conftest import Server, rested, until_link

Visit = Callable[..., Page]
ROUTE = route()
assert ROUTE is not None
SCENES, TEXTS = ROUTE.steps, ROUTE.texts
# The name of the box that has the caret, and whether its text is selected.
CARET = """() => {
  const one = document.activeElement;
  return [one.labels[0].textContent.trim(), one.selectionStart === 0 && one.selectionEnd > 0];
}"""


def arrived(page: Page, number: int) -> Locator:
    """Wait until a scene is on the screen, with its numbers; returns its card."""
    card = page.locator(".st-key-route")
    expect(card.get_by_text(f"{number} of {len(SCENES)}")).to_be_visible()
    expect(card).to_contain_text(re.compile(r"\d"))
    until_link(page, lambda link: link.get("lesson") == f"route.{number}")
    rested(page)
    return card


def picture_of(page: Page, number: int) -> Locator:
    return page.locator(f".st-key-{SCENES[number - 1].covers[0]}").first


@pytest.mark.few(1)
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_six_clicks_lead_to_a_sentence_of_ones_own(
    server: Server, visit: Visit, width: int, height: int
) -> None:
    page = visit(server.url, width=width, height=height)
    expect(page.locator(".picture[data-drawn]").first).to_be_visible()
    rested(page)
    start = page.get_by_test_id("stMain").get_by_role("button", name="What does it do?")
    expect(start).to_be_in_viewport(ratio=1)
    paths = page.locator(".st-key-trajectory .picture").first.bounding_box()
    assert paths is not None
    assert paths["y"] < height - 350  # the picture stays on the first screen
    start.click()
    for number in range(1, len(SCENES) + 1):
        card = arrived(page, number)
        picture = picture_of(page, number)
        expect(picture.locator(".picture[data-drawn]").first).to_be_visible()
        if number > 1:
            expect(card.get_by_role("button", name="Back")).to_be_visible()
        # The picture is in view, below the card, which covers none of it.
        expect(picture).to_be_in_viewport(ratio=0.4)
        at, below = card.bounding_box(), picture.bounding_box()
        assert at is not None
        assert below is not None
        assert at["y"] >= 50
        assert at["y"] + at["height"] <= below["y"]
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        if number < len(SCENES):
            page.wait_for_function("() => document.activeElement?.innerText.startsWith('Next')")
            page.keyboard.press("Enter")  # by keys, it is one key a scene
    card.get_by_role("button", name="Now your own sentence").click()
    expect(page.locator(".st-key-route")).to_have_count(0)
    page.wait_for_function("() => document.activeElement?.matches('textarea')")
    assert page.evaluate(CARET) == ["Sentence A", True]


def test_escape_leaves_it_and_keeps_what_is_shown(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/?v=2&b=A+man+is+on+the+bank.&lesson=route.5")
    card = arrived(page, 5)
    box = page.get_by_role("textbox", name="Sentence B")
    box.focus()
    page.keyboard.press("Escape")  # belongs to the box
    rested(page)
    expect(card).to_be_visible()
    card.get_by_role("button", name="Next").focus()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    rested(page)
    expect(box).to_have_count(1)
    expect(box).to_have_value("A man is on the bank.")
    until_link(page, lambda link: "lesson" not in link and link.get("b") == "A man is on the bank.")


@pytest.mark.few(1)
@pytest.mark.parametrize(("number", "scheme"), [(4, "dark"), (6, "light")])
def test_its_card_keeps_nobody_out(
    server: Server, visit: Visit, number: int, scheme: Literal["light", "dark"]
) -> None:
    scene = SCENES[number - 1]
    link = {"v": "2", **state(scene, TEXTS), "lesson": f"route.{number}"}
    page = visit(f"{server.url}/{scene.page.replace('compare', '')}?{urlencode(link)}", scheme=scheme)
    arrived(page, number)
    expect(picture_of(page, number).locator(".picture[data-drawn]").first).to_be_visible()
    wrong = found(page)
    assert not wrong, "\n".join(wrong)
