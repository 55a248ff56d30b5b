"""The Heads page with two models side by side, and with predictions, from a visitor's view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Response, expect

import core
from tests.browser.conftest import Server, back, until_link
from tests.browser.pages.heads.test_heads import query, settled, wait_for

Visit = Callable[..., Page]
TEXT = "On the river bank"


def opened(server: Server, visit: Visit, pictures: int, link: str, **screen: object) -> list[Locator]:
    """The pictures of the page, once all of them are drawn."""
    page = visit(f"{server.url}/heads?{link}", **screen)
    drawn = page.locator(".picture[data-drawn]")
    expect(drawn).to_have_count(pictures)
    settled(page)
    return [drawn.nth(i) for i in range(pictures)]


def received(page: Page) -> list[int]:
    """The sizes of the app's responses from now on, in order, without Streamlit's own files.

    A browser fetches those at any time: on one machine, the fonts of formulas came last.
    """
    sizes: list[int] = []

    def answered(answer: Response) -> None:
        if "/static/" not in answer.url:
            sizes.append(int(answer.headers.get("content-length", "0")))

    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))),
    )
    page.on("response", answered)
    return sizes


@pytest.mark.fuzz
def test_what_is_chosen_in_one_model_is_chosen_in_the_other(server: Server, visit: Visit) -> None:
    one, other, _ = opened(server, visit, 3, "m2=small-bert&l=3&h=6&l2=2&h2=2&r=head")
    one.get_by_role("tab", name="One token").click()
    expect(other.get_by_role("tab", name="One token")).to_have_attribute("aria-selected", "true")
    other.get_by_label("Query token").select_option("7")
    expect(one.get_by_label("Query token")).to_have_value("7")
    wait_for(one.page, r="token", q="8")
    one.get_by_role("radio", name="Head 9").click()
    wait_for(one.page, h="9")
    expect(other.get_by_role("radio", name="Head 2")).to_have_attribute("aria-checked", "true")
    expect(one.page.get_by_text("MiniLM, Layer 3, head 9").first).to_be_visible()
    one.page.reload()
    drawn = one.page.locator(".picture[data-drawn]")
    expect(drawn).to_have_count(3)
    expect(drawn.nth(1).get_by_label("Query token")).to_have_value("7")
    expect(drawn.nth(1).get_by_role("radio", name="Head 2")).to_have_attribute("aria-checked", "true")


@pytest.mark.fuzz
def test_both_grids_stand_in_one_order_and_a_head_opens_on_its_side(
    server: Server, visit: Visit
) -> None:
    one, other, _ = opened(server, visit, 3, "m2=small-bert")
    one.get_by_role("combobox", name="Heads in order of").select_option("itself")
    expect(other.get_by_role("combobox", name="Heads in order of")).to_have_value("itself")
    wait_for(one.page, f="itself")
    settled(one.page)
    other.locator(".area").focus()
    one.page.keyboard.press("Control+Home")
    one.page.keyboard.press("Enter")
    wait_for(one.page, r="head")
    asked = query(one.page)
    assert "l2" in asked
    assert "l" not in asked


@pytest.mark.fuzz
def test_choosing_in_a_layer_sends_no_numbers_again(server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    sizes = received(page)
    page.goto(f"{server.url}/heads?l=3&h=6&r=head")
    drawn = page.locator(".picture[data-drawn]")
    expect(drawn).to_have_count(1)
    settled(page)
    assert max(sizes) > 40_000  # the layer itself, when it is opened
    sizes.clear()
    drawn.get_by_role("radio", name="Head 7").click()
    wait_for(page, h="7")
    drawn.get_by_role("tab", name="One token").click()
    wait_for(page, r="token")
    drawn.get_by_role("radio", name="Head 2").click()
    wait_for(page, h="2")
    settled(page)
    assert sum(sizes) < 40_000
    back(page)
    expect(drawn.get_by_role("radio", name="Head 7")).to_have_attribute("aria-checked", "true")
    back(page)
    expect(drawn.get_by_role("tab", name="One head")).to_have_attribute("aria-selected", "true")
    back(page)
    expect(drawn.get_by_role("radio", name="Head 6")).to_have_attribute("aria-checked", "true")


@pytest.mark.fuzz
def test_a_hidden_word_and_what_stands_in_its_place(
    server: Server, visit: Visit, made: Callable[..., Path]
) -> None:
    _, panel = opened(
        server, visit, 2, "m=small-bert&t=On the river bank"
    )  # after the head that strikes
    page = panel.page
    choice = page.get_by_label("Mask words")
    choice.evaluate("(box) => box.scrollIntoView({ block: 'center' })")  # or scrolling closes the list
    choice.click()
    page.get_by_role("option", name="river (4)").click()
    page.keyboard.press("Escape")
    wait_for(page, mk="4")
    bars = page.locator(".picture[data-drawn]").nth(2)
    (expected,) = core.load(str(made("bert"))).predict("On the [MASK] bank")
    expect(bars.get_by_role("row").nth(1)).to_contain_text(expected.texts[0].strip())
    expect(panel.get_by_role("radio", name="[MASK]")).to_be_attached()


@pytest.mark.fuzz
def test_words_are_written_on_by_a_click_and_taken_back(server: Server, visit: Visit) -> None:
    panel, bars = opened(server, visit, 2, "m=small-gpt2&t=On the river bank&l=2&r=head")
    page = panel.page
    bars.locator(".area").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until_link(page, lambda link: "g" in link)
    expect(page.get_by_text("Continuation:")).to_be_visible()
    page.get_by_role("button", name="Sample 10").click()
    until_link(page, lambda link: link.get("g", "").count(".") > 2)
    settled(page)
    page.reload()
    expect(page.get_by_text("Continuation:")).to_be_visible()
    page.get_by_role("button", name="Start over").click()
    until_link(page, lambda link: "g" not in link)
    expect(page.get_by_text("Continuation:")).to_have_count(0)


@pytest.mark.fuzz
def test_two_models_on_a_phone(server: Server, visit: Visit) -> None:
    one, other, _ = opened(
        server, visit, 3, "m2=small-bert&l=2&l2=2&r=product", width=390, height=844, scheme="dark"
    )
    for name in ("Query", "Key"):  # nothing is chosen: the same pair in both
        values = [frame.get_by_label(f"{name} token").input_value() for frame in (one, other)]
        assert values[0] == values[1] != ""
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 390
