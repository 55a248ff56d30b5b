"""The atlas of the heads from a visitor's view: ranked by a weight, ablated and restored, by role."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, until_link
from tests.browser.pages.compare.test_compare import picture, saved
from tests.browser.pages.compare.test_why import choose
from tests.browser.pages.heads.test_heads import opened, query, settled, wait_for

Visit = Callable[..., Page]
TIRED = "The cat sat on the mat because it was tired."


@pytest.mark.fuzz
@pytest.mark.check
def test_the_heads_of_one_weight(server: Server, visit: Visit, minilm_eager: Callable) -> None:
    _, attentions = minilm_eager(TIRED)
    weights = np.stack(attentions)
    page = opened(server, visit, t=TIRED, l="4", r="head")
    page.get_by_text("Which heads attend from one token to another?", exact=True).click()
    wait_for(page, ra="1")
    # A cell of the picture sets both lists.
    cells = page.locator(".area[aria-roledescription=heatmap]").first
    cells.focus()
    page.keyboard.press("Control+Home")
    for key in (*("ArrowDown",) * 8, *("ArrowRight",) * 2):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    wait_for(page, q="9", k="3")
    settled(page)
    expect(page.get_by_text(re.compile("it → cat: the weight is largest in"))).to_be_visible()
    columns, _, numbers = saved(page, "ranked-heads")
    exact = np.sort(weights[:, :, 8, 2].ravel())[::-1]
    np.testing.assert_allclose(numbers[:, columns.index("weight")], exact, atol=1e-5)
    # A list sets the cell.
    choose(page, "To", "mat (7)")
    wait_for(page, k="7")
    settled(page)
    expect(page.get_by_text(re.compile("it → mat"))).to_be_visible()
    layer, head = np.unravel_index(weights[:, :, 8, 6].argmax(), (6, 12))
    area = picture(page, "ranked-heads").locator(".area")
    area.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    wait_for(page, l=str(layer + 1), h=str(head + 1), r="head", q="9", k="7")


TEXT = "t=Write+a+poem+about+a+man+fishing+on+a+river+bank."


@pytest.mark.fuzz
@pytest.mark.check
def test_a_head_is_ablated_and_back(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/heads?{TEXT}&l=6&h=11&r=head&q=12&yo=1")
    page.get_by_role("button", name="Ablate layer 6, head 11", exact=True).click()
    wait_for(page, ab="6.11")
    expect(page.get_by_text(re.compile("bank stands at 0.90 instead of 0.86"))).to_be_visible()
    page.get_by_role("button", name=re.compile("layer 6, head 11 back$")).click()
    expect(page.get_by_text(re.compile("stands at 0.90 instead of"))).to_have_count(0)
    settled(page)
    assert "ab" not in query(page)


@pytest.mark.fuzz
@pytest.mark.check
def test_the_roles_of_heads(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/heads?ro=1")
    settled(page)
    cells = picture(page, "roles-of-heads").locator(".area")
    cells.focus()
    page.keyboard.press("Control+Home")
    for key in ("ArrowDown", *("ArrowRight",) * 3):
        page.keyboard.press(key)
    expect(picture(page, "roles-of-heads").get_by_role("status")).to_contain_text("0.38")
    page.keyboard.press("Enter")
    wait_for(page, l="2", h="4", r="head", ro="1")
    settled(page)
    expect(page.get_by_text("Layer 2, head 4, all roles")).to_be_visible()
    page.get_by_role("button", name=re.compile("^0.67 in “")).click()
    until_link(page, lambda link: "she" in link.get("t", ""))
    settled(page)
    assert {"l": "2", "h": "4", "r": "head", "ro": "1"}.items() <= query(page).items()
