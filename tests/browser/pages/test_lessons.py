"""A button of "Try this" is below the picture that it changes: the picture scrolls into view."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.tiers import some

Visit = Callable[..., Page]
MAIN = '[data-testid="stMain"]'
SCROLLED = f"() => document.querySelector('{MAIN}').scrollTop"


def above(page: Page, selector: str) -> float:
    """How far down the first such element ends, in pixels of the first screen."""
    found = page.locator(selector).first
    expect(found).to_be_visible()
    box = found.bounding_box()
    assert box
    return box["y"] + box["height"]


def done(page: Page) -> None:
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_visible()


@pytest.mark.parametrize(
    ("path", "lesson", "place", "said"),
    some(
        [
            ("positions", "Both words moved on", "rotary", "Rotated by their positions"),
            ("encoder-decoder", "What the mask hides", "translate-picture", "Layer 1, head 4"),
        ],
        1,
    ),
)
def test_a_lesson_brings_its_picture_into_view(
    server: Server, visit: Visit, path: str, lesson: str, place: str, said: str
) -> None:
    page = visit(f"{server.url}/{path}", width=390)
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    done(page)
    expect(page.locator("[data-listens]")).to_be_attached()
    button = page.get_by_role("button", name=lesson)
    button.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport()
    button.click()
    expect(page.get_by_text(said).first).to_be_visible()
    done(page)
    picture = page.locator(f".st-key-{place} .picture[data-drawn]").first
    expect(picture).to_be_in_viewport(ratio=0.9)
    # From then on, the page is not scrolled again.
    page.mouse.move(200, 400)
    before = page.evaluate(SCROLLED)
    page.mouse.wheel(0, 10_000)
    page.wait_for_function(f"before => ({SCROLLED})() > before + 100", arg=before)
    page.set_viewport_size({"width": 392, "height": 900})  # all is drawn anew
    done(page)
    assert page.evaluate(SCROLLED) > before + 100


@pytest.mark.check
def test_the_card_with_its_answer_leaves_the_picture_on_the_screen_of_a_laptop(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/compare?lesson=one-vector.3", width=1440, height=900)
    card = page.locator(".st-key-lesson")
    card.locator("[role=radiogroup] label").last.click()
    card.get_by_role("button", name="Reveal").click()
    expect(card.get_by_role("button", name="Predict again")).to_be_visible()
    done(page)
    assert above(page, ".st-key-trajectory .picture[data-drawn]") <= 900


@pytest.mark.check
def test_a_phone_shows_a_head_and_whole_meanings_on_its_first_screen(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/heads", width=390, height=844)
    picture = page.locator(".st-key-striking .picture[data-drawn]").first
    expect(picture).to_be_in_viewport(ratio=0.2)
    many = "a=I read a good book on the train.&b=We should book a table for tonight.&w=book"
    page = visit(f"{server.url}/compare?{many}", width=390, height=844)
    chips = page.locator('[class*="st-key-meanings-chosen"] button[aria-pressed]')
    expect(chips.nth(1)).to_be_attached()
    expect(page.locator(".picture[data-drawn]").first).to_be_in_viewport(ratio=0.2)
    boxes = [box for one in chips.all() if (box := one.bounding_box())]
    assert len(boxes) > 2
    for box in boxes:  # none is cut: nobody looks for what a row hides
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844
    page.get_by_role("button", name=re.compile(r"^\d+ more$")).click()
    expect(chips.nth(4)).to_be_attached()
