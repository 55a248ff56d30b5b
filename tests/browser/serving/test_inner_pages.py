"""A direct visit of an inner page: no request finds nothing, and its links lead to the other pages."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import Server

Visit = Callable[..., Page]


@pytest.mark.smoke
def test_no_request_of_a_direct_visit_finds_nothing(server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    lost: list[str] = []

    def note(answer: Response) -> None:
        if answer.status >= 400:
            lost.append(answer.url)

    page.on("response", note)
    page.goto(f"{server.url}/positions")
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    page.get_by_role("link", name="Glossary").first.click()
    expect(page).to_have_url(re.compile(r"/glossary"))
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Where a word stands")
    assert lost == []
