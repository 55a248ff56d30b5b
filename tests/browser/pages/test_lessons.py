"""A button of "Try this" is below the picture that it changes: the picture scrolls into view."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.tiers import some

Visit = Callable[..., Page]
MAIN = '[data-testid="stMain"]'
SCROLLED = f"() => document.querySelector('{MAIN}').scrollTop"


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
