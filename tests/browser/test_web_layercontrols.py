"""What the controls above a layer say of its picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.conftest import Shown
from tests.browser.reading import frames, labels

Visit = Callable[..., Page]


def test_of_a_chosen_token_the_slider_says_from_where_weights_are_drawn(
    heads: Shown, visit: Visit
) -> None:
    state = quote(json.dumps({"query": 5, "pin": "query", "threshold": 0.9}))
    (frame,) = frames(visit(f"{heads.url}/?n=14&state={state}"))
    slider = frame.get_by_role("slider", name="weights from")
    expect(slider).to_be_disabled()
    expect(slider).to_have_attribute("aria-valuetext", ".01")
    assert "from .01" in labels(frame, "note")[0].text
    frame.locator(".area").focus()
    frame.page.keyboard.press("Escape")  # all tokens once more
    expect(slider).to_be_enabled()
    expect(slider).to_have_attribute("aria-valuetext", ".90")
