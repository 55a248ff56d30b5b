"""A term on a page: its meaning by pointer and by keyboard, and its link to the glossary."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from core import glossary
from tests.browser.conftest import Server, rested

Visit = Callable[..., Page]


def test_a_term_says_its_meaning_and_leads_to_the_glossary(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/positions?p=rotary")
    rested(page)
    meaning = glossary.find("attention")
    assert meaning is not None
    term = page.locator('a[href="glossary?g=attention"]').first
    expect(term).to_have_text("attention")
    assert term.get_attribute("title") == meaning.meaning  # what a browser shows under the pointer
    shown = "one => getComputedStyle(one, '::after').content"
    assert term.evaluate(shown) == "none"
    page.keyboard.press("Tab")  # whoever goes by keys
    term.focus()
    assert term.evaluate(shown).startswith(f'"{meaning.meaning}"')
    with page.expect_popup() as opened:
        page.keyboard.press("Enter")
    beside = opened.value
    expect(beside.get_by_role("heading", name="attention", exact=True)).to_be_visible()
    expect(beside.get_by_text("Also: self-attention")).to_be_visible()
    assert "g=attention" in beside.url
    assert page.url.startswith(f"{server.url}/positions")  # the page stays as it is
    beside.close()
