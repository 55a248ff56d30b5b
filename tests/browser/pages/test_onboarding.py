"""The introduction for a first-time visitor: beside the page on a laptop, in a menu on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, rested

Visit = Callable[..., Page]
BUTTON = "New here? Three things to try"


@pytest.mark.fuzz
def test_a_laptop_shows_it_beside_the_page(server: Server, visit: Visit) -> None:
    page = visit(server.url)
    beside = page.get_by_test_id("stSidebar")
    expect(beside.get_by_role("link", name="Which token attends to which")).to_be_in_viewport()
    expect(beside.get_by_role("link", name="How attention is learned")).to_be_in_viewport()
    expect(page.get_by_role("button", name=BUTTON)).to_be_hidden()
    expect(page).to_have_title("Compare · Polysee")  # so that tabs and bookmarks differ
    beside.get_by_role("link", name="Heads", exact=True).click()
    expect(page).to_have_title("Heads · Polysee")


def test_the_first_lesson_begins_from_the_home_page(server: Server, visit: Visit) -> None:
    page = visit(server.url)
    rested(page)
    page.get_by_test_id("stSidebar").get_by_role("button", name="Start with lesson 1").click()
    expect(page.locator(".st-key-lesson").get_by_text("step 1 of")).to_be_visible()
    expect(page).to_have_url(re.compile(r"lesson=one-vector\.1"))


@pytest.mark.fuzz
def test_a_phone_has_it_behind_a_button(server: Server, visit: Visit) -> None:
    page = visit(server.url, width=390, height=844)
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)  # what still comes above would move it
    page.get_by_role("button", name=BUTTON).click()
    things = page.get_by_test_id("stPopoverBody")
    expect(things.get_by_text("type two sentences")).to_be_in_viewport()
    things.get_by_role("link", name="Which token attends to which").click()
    expect(page).to_have_url(re.compile(r"/heads\?"))
    expect(page.get_by_role("radio", name="Layer 4")).to_be_checked()
