"""The Senses page as a visitor has it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, back
from tests.browser.reading import frames

Visit = Callable[..., Page]


def test_the_map_moves_and_the_link_follows(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/senses")
    shown, curve = frames(page, 2)
    for picture in (shown, curve):
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900
    expect(page.get_by_text("money or river? In 16 places")).to_be_visible()
    shown.get_by_role("slider").focus()
    shown.get_by_role("slider").press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"[?&]l=1(&|$)"))
    expect(page.get_by_text("By the cosine of their vectors, Layer 5.")).to_be_visible()
    typed = page.get_by_role("textbox", name="Word")
    typed.fill("lake")
    typed.press("Enter")
    expect(page.get_by_text("No sentence has the word “lake” by itself")).to_be_visible()
    back(page)
    expect(typed).to_have_value("bank")
    frames(page, 2)


def test_on_a_phone(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/senses", width=390, height=844, scheme="dark")
    frames(page, 2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
