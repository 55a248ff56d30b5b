"""Whether a head matters, on the Heads page: a real server, a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, back
from tests.browser.pages.compare.test_compare import picture, saved, type_into
from tests.browser.pages.compare.test_why import choose
from tests.browser.pages.heads.test_heads import opened, settled, wait_for
from tests.browser.reading import labels

Visit = Callable[..., Page]


@pytest.mark.fuzz
def test_every_control_of_the_section(server: Server, visit: Visit) -> None:
    page = opened(server, visit, l="6", h="11", r="head", q="12")
    title = page.get_by_text("Does this head matter, and for what?", exact=True)
    assert title.bounding_box()["y"] > 900  # type: ignore[index]  # the first screen is as it was
    expect(page.locator(".picture[data-drawn]")).to_have_count(1)
    title.click()
    wait_for(page, yo="1")
    expect(page.get_by_text(re.compile("Layer 6, head 11 adds .*bank"))).to_be_visible()
    assert "fishing" in {label.text for label in labels(picture(page, "why-head-cuts"))}
    columns, words, numbers = saved(page, "why-head", "why-head-adds")
    assert columns == ["adds", "cut moves by", "attention"]
    assert words[0] == "[CLS]"
    np.testing.assert_allclose(numbers[:, 2].sum(), 1, atol=1e-5)

    # What if: the head that is shown, then an ablated one.
    page.get_by_role("button", name="Take layer 6, head 11", exact=True).click()
    wait_for(page, yl="6", yh="11")
    choose(page, "What if …", "one head is ablated")
    wait_for(page, yk="silence")
    expect(page.get_by_text(re.compile("Without the change, bank stands at 0.86"))).to_be_visible()
    picture(page, "why-changed")

    # Another word in the section is another row of the panel; another axis.
    choose(page, "Word", "river")
    wait_for(page, q="11")
    expect(page.get_by_text("Name the two meanings of the word")).to_be_visible()  # ours are of bank
    for box, word in (("river as in …", "sea"), ("… or as in …", "stream")):
        settled(page)
        type_into(page, box, word)
    expect(page.get_by_text("Here, river stands at")).to_be_visible()
    back(page)
    expect(page.get_by_text("Here, river stands at")).to_have_count(0)
    back(page)
    expect(page.get_by_text("Name the two meanings of the word")).to_be_visible()
    back(page)
    expect(page.get_by_text("Here, bank stands at")).to_be_visible()
    settled(page)
    type_into(page, "bank as in …", "cash")
    wait_for(page, hi="cash")
    expect(page.get_by_text(re.compile(r"Here, bank stands at .*+ towards cash"))).to_be_visible()

    # A head of the map opens on the panel.
    settled(page)
    cells = picture(page, "why-ablated").locator(".area")
    cells.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        cells.press(key)
    expect(page).not_to_have_url(re.compile(r"[?&]l=6&h=11(&|$)"))
    settled(page)
    link = {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}
    said = f"Layer {link['l']}, head {link['h']}: the row of bank"
    expect(page.get_by_text(said)).to_be_visible()
