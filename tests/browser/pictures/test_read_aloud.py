"""Each picture for screen readers: its keys, its numbers, and the elements that the keys reach."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.figures.web import MODULES
from tests.browser.pictures.every_module import MADE
from tests.browser.reading import frames
from tests.tiers import some

Visit = Callable[..., Page]


@pytest.mark.parametrize("module", some(MODULES, 4))
def test_keys_reach_what_is_read_aloud(visit: Visit, module: str) -> None:
    page = visit("about:blank")
    page.set_content(MADE[module]().to_html())  # larger than an address of data may be
    (frame,) = frames(page)
    assert (frame.locator("#keys").text_content() or "").strip()
    assert frame.locator("table tr, [role=option]").count() >= 2  # in space, a list of the points
    area = frame.locator(".area")
    assert area.get_attribute("aria-label")
    area.focus()
    for key in ("Home", "End"):
        area.press(key)
        if area.get_attribute("role") == "listbox":  # which readers read by themselves
            expect(area).to_have_attribute("aria-activedescendant", re.compile("."))
        else:
            expect(frame.get_by_role("status").first).not_to_be_empty()
