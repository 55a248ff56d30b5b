"""“More contexts” of the two ends: its boxes appear at once, and the page does not scroll."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, rested, until_link
from tests.browser.pages.compare.test_compare import answered
from tests.tiers import some

Visit = Callable[..., Page]
SCROLLED = "() => document.querySelector('[data-testid=\"stMain\"]').scrollTop"


@pytest.mark.parametrize(("width", "height", "both"), some([(390, 844, False), (1440, 900, True)], 1))
def test_boxes_show_at_once_and_the_page_stays(
    server: Server, visit: Visit, width: int, height: int, both: bool
) -> None:
    page = answered(visit(server.url, width=width, height=height))
    fold = page.get_by_role("button", name="More contexts")
    fold.scroll_into_view_if_needed()
    before = page.evaluate(SCROLLED), fold.bounding_box()
    fold.click()
    high, low = (page.get_by_role("textbox", name=f", at {end}") for end in ("+1", "−1"))
    for box in (high, low):
        expect(box).not_to_have_value("")
    expect(high).to_be_in_viewport(ratio=1)
    if both:  # on a phone, the fold scrolls by itself
        expect(low).to_be_in_viewport(ratio=1)
    # Past the nearest place, which may be a third of a pixel short of all of it.
    low.evaluate("box => box.scrollIntoView({ block: 'center' })")
    expect(low).to_be_in_viewport(ratio=1)
    assert (page.evaluate(SCROLLED), fold.bounding_box()) == before


@pytest.mark.fuzz
def test_what_is_typed_in_one_box_shows_in_the_other(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    small = page.get_by_role("textbox", name="bank as in …")
    small.fill("cash")
    small.press("Enter")
    until_link(page, lambda link: link.get("hi") == "cash")
    rested(page)
    page.get_by_role("button", name="More contexts").click()
    contexts = page.get_by_role("textbox", name="“cash”, at +1")
    expect(contexts).to_have_value("cash")
    contexts.fill("money, cash, loan")
    contexts.press("Control+Enter")
    until_link(page, lambda link: link.get("hi") == "money, cash, loan")
    expect(page.get_by_role("textbox", name="“money”, at +1")).to_have_value("money, cash, loan")
    expect(small).to_have_value("money")
    small.fill("")  # an emptied box has the word's own meaning again
    small.press("Enter")
    until_link(page, lambda link: "hi" not in link)
    expect(small).not_to_have_value("")
