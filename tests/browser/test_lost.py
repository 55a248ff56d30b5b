"""A page of which nothing is left is opened again, with its state, and only once in a while."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, rested

pytestmark = pytest.mark.check

# As the browser shows it after the run of a part that is no longer there.
EMPTY = """() => document.querySelector(
  '[data-testid="stMain"] [data-testid="stVerticalBlock"]').replaceChildren()"""


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.parametrize("present", ["", "&present=1"])
def test_it_is_opened_again_once(server: Server, visit: Callable[..., Page], present: str) -> None:
    page = visit(f"{server.url}/?v=2&a=A+river+bank.{present}")
    opened: list[str] = []
    page.on("load", lambda _: opened.append(page.url))
    rested(page)
    with page.expect_event("load", timeout=20_000):
        page.evaluate(EMPTY)
    expect(page.locator(".picture[data-drawn]").first).to_be_visible()
    assert opened == [page.url]
    assert "a=A+river+bank." in page.url
    rested(page)
    page.evaluate(EMPTY)
    page.wait_for_timeout(3_500)
    assert len(opened) == 1


def test_a_link_to_the_home_page_leads_there_in_a_new_tab(
    server: Server, visit: Callable[..., Page]
) -> None:
    page = visit(f"{server.url}/lessons")
    link = page.get_by_role("link", name="Start with lesson 1")
    expect(link).to_have_attribute("href", re.compile(r"^/\?v=2&"))
    address = link.evaluate("(one) => one.href")
    rested(page)
    page.goto(address)
    expect(page.locator(".st-key-lesson").get_by_text("step 1 of")).to_be_visible()
    assert "belongs to another page" not in page.locator("body").inner_text()
