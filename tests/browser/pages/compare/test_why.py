""" "What put the word there?" from a visitor's view: a real server, a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, back, rested
from tests.browser.pages.compare.test_compare import answered, link, picture, saved, saved_alone
from tests.browser.reading import labels

Visit = Callable[..., Page]


def choose(page: Page, box: str, option: str) -> None:
    rested(page)  # a list that is open while the page runs may close
    closed = page.get_by_role("combobox", name=box, exact=True)
    closed.evaluate("(box) => box.scrollIntoView({ block: 'center' })")  # scrolling closes a list
    closed.click()
    page.get_by_role("option", name=option, exact=True).click()


def test_sum_cut_and_look_side_by_side_and_every_control(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, fw="1", fi="1")))
    cut = page.get_by_text("If it no longer attended to fishing, it would stand at 0.67.")
    expect(cut).to_be_visible()
    shown = {label.text for label in labels(picture(page, "why-adds"))}
    assert {"river", "fishing", "+0.36", "+0.30", "+0.49"} <= shown
    columns, words, numbers = saved(page, "why-A", "why-adds")
    assert columns == ["adds", "cut moves by", "attention"]
    assert words[:2] == ["(alone)", "[CLS]"]
    assert words[-2:] == ["(biases)", "(coordinate)"]
    np.testing.assert_allclose(numbers[:-1, 0].sum(), numbers[-1, 0], atol=1e-4)
    np.testing.assert_allclose(numbers[-1, 0], 1.1408, atol=0.0001)  # as in the moving picture
    np.testing.assert_allclose(numbers[1:-2, 2].sum(), 1, atol=1e-5)

    choose(page, "What if …", "another word replaces")
    box = page.get_by_role("textbox", name="New word", exact=True)
    box.fill("money")
    box.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]yk=replace&yr=money"))
    expect(page.get_by_text("towards money.").last).to_be_visible()
    page.get_by_role("radio", name="A minus B").click()
    expect(page.get_by_text("bank stands 2.28 nearer to river in A than in B")).to_be_visible()
    back(page)
    # A click that reached the server before it had gone back would count, and Back would not.
    expect(page.get_by_role("radio", name="A minus B")).not_to_be_checked()
    expect(box).to_have_value("money")
    rested(page)  # until then the switch of what stood here before may be there still
    page.get_by_text("Layer by layer, head by head", exact=True).click()
    expect(page).to_have_url(re.compile(r"[?&]ya=1"))
    picture(page, "why-ablated")
    columns, cuts, moved = saved_alone(page, "why-ranked-A")
    assert columns == ["moves by", "adds"]
    assert len(cuts) == 11 + 72
    assert (np.diff(np.abs(moved[:, 0])) <= 0).all()  # the one that is missed most comes first


@pytest.mark.fuzz
def test_a_link_holds_what_was_asked(server: Server, visit: Visit) -> None:
    # What it chooses is folded away at first: the link opens it.
    page = answered(visit(link(server, y="B", yi="B", yk="silence", yl="6", yh="11")))
    expect(page.get_by_text("In B, bank stands at −1.14").first).to_be_visible()
    told = page.get_by_text("Without the change, bank stands at −1.14; with it, at −0.79.")
    expect(told).to_be_visible()
    expect(told).to_contain_text("by +0.35, towards river.")
    picture(page, "why-changed")
