"""The Heads page from a visitor's view: all zoom levels, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.examples.first_texts import HORSE
from tests.browser.conftest import Server, back, rested, until_link
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


def opened(server: Server, visit: Visit, **state: str) -> Page:
    page = visit(f"{server.url}/heads?{urlencode(state)}")
    # Where no layer is chosen, the head that strikes stands before all heads.
    expect(page.locator(".picture[data-drawn]")).to_have_count(1 if "l" in state else 2)
    expect(picture(page)).to_have_count(1)
    settled(page)
    return page


def settled(page: Page) -> None:
    rested(page)  # the sign of a run comes only half a second after it


def picture(page: Page) -> Locator:
    """The picture of all heads, or of the chosen layer."""
    names = ".st-key-all-heads", '[class*="st-key-layer-"]'
    return page.locator(", ".join(f"{name} .picture[data-drawn]" for name in names))


def query(page: Page) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def wait_for(page: Page, **state: str) -> None:
    until_link(page, lambda link: state.items() <= link.items())


@pytest.mark.smoke
def test_a_click_on_a_head_opens_it_and_back_leads_up(server: Server, visit: Visit) -> None:
    page = opened(server, visit)
    area = picture(page).locator(".area")
    box = area.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 2.5 * box["width"] / 12, box["y"] + 0.5 * box["height"] / 6)
    wait_for(page, l="1", h="3", r="head")
    expect(page.get_by_role("radio", name="Layer 1")).to_be_checked()
    expect(
        page.get_by_text("In head 3, a token’s attention goes, on average, to: the token before")
    ).to_be_visible()
    back(page)
    expect(page.get_by_role("radio", name="All heads", exact=True)).to_be_checked()
    assert "l" not in query(page)


def test_the_zoom_levels_by_keyboard_alone_and_the_link_opens_the_same(
    server: Server, visit: Visit, minilm_eager: Callable
) -> None:
    page = opened(server, visit)
    picture(page).locator(".area").focus()
    page.keyboard.press("Control+Home")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(picture(page).get_by_role("status")).to_contain_text("Layer 3")
    page.keyboard.press("Enter")
    wait_for(page, l="3", h="2", r="head")
    settled(page)
    tokens, attentions = minilm_eager(HORSE)
    weights = attentions[2][1]
    expect(page.get_by_text("In head 2, a token’s attention goes")).to_be_visible()
    area = picture(page).locator(".area[aria-roledescription=heatmap]")
    expect(area).to_be_focused()  # the keys go on in what they have opened
    expect(picture(page).get_by_role("status")).to_contain_text("One head: Layer 3, head 2")
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    heard = picture(page).get_by_role("status").inner_text()
    assert f"{tokens[1]} (2) → {tokens[1]} (2)" in heard
    (number,) = re.findall(r"\d\.\d{3,}", heard)[:1]
    assert float(number) == pytest.approx(weights[1, 1], abs=6e-4)
    other = opened(server, visit, **query(page))
    expect(other.get_by_role("radio", name="Layer 3")).to_be_checked()
    expect(other.get_by_text("In head 2, a token’s attention goes")).to_be_visible()
    page.bring_to_front()
    page.keyboard.press("Backspace")
    expect(picture(page).get_by_role("status")).to_contain_text("Lines: Layer 3, heads 1–12")
    page.keyboard.press("Backspace")
    area = picture(page).locator(".area[aria-roledescription='grid of heads']")
    expect(area).to_be_focused()
    status = picture(page).get_by_role("status")
    expect(status).to_contain_text("All 6 × 12 heads")
    expect(status).to_contain_text("Layer 3, head 2")  # where one was
    until_link(page, lambda link: "l" not in link)
    page.keyboard.press("Enter")
    expect(picture(page).get_by_role("button", name="Back to all heads")).to_be_visible()
    picture(page).get_by_role("button", name="Back to all heads").click()
    expect(area).to_be_visible()


@pytest.mark.fuzz
def test_zoom_levels_of_a_layer_are_in_the_link_and_ask_nobody(server: Server, visit: Visit) -> None:
    page = opened(server, visit, l="3")
    picture(page).get_by_role("tab", name="One product").click()
    expect(picture(page).get_by_text("Σ q·k").first).to_be_attached()
    wait_for(page, r="product")
    settled(page)
    page.reload()
    expect(picture(page).get_by_role("tab", name="One product")).to_have_attribute(
        "aria-selected", "true"
    )


def test_numbers_are_saved(
    server: Server,
    visit: Visit,
    offline: Callable[[Path], Page],
    minilm_eager: Callable,
    tmp_path: Path,
) -> None:
    page = opened(server, visit, l="5", h="7", r="head")
    tokens, attentions = minilm_eager(HORSE)
    save_picture(page, "NPZ").save_as(tmp_path / "layer.npz")
    found = np.load(tmp_path / "layer.npz")
    assert found["keys"].tolist() == tokens
    np.testing.assert_allclose(found["weights"][0], attentions[4], atol=1e-5)
    save_picture(page, "HTML").save_as(tmp_path / "layer.html")
    saved = offline(tmp_path / "layer.html")
    expect(saved.locator(".picture[data-drawn]")).to_have_count(1)
    expect(saved.locator(".picture").get_by_role("tab", name="One head")).to_be_visible()


@pytest.mark.fuzz
def test_whole_words_and_patterns(server: Server, visit: Visit) -> None:
    page = opened(server, visit, t="An unbelievability of banks")
    page.get_by_role("button", name="Two texts, whole words").click()
    page.get_by_text("Whole words", exact=True).click()
    wait_for(page, u="1")
    settled(page)
    picture(page).get_by_role("radio", name="the token before").click()
    wait_for(page, f="previous")
    whole = picture(page).evaluate("frame => frame.offsetHeight")
    picture(page).get_by_role("slider").fill("0.6")  # most are left out, and so is their room
    wait_for(page, ge="0.6")
    few = picture(page).evaluate("frame => frame.offsetHeight")
    assert few < whole / 2
    save, frame = picture(page).locator(".save").bounding_box(), picture(page).bounding_box()
    assert save is not None
    assert frame is not None
    assert save["y"] + save["height"] <= frame["y"] + few
    area = picture(page).locator(".area")
    area.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    wait_for(page, l="1", h="3")  # the first in that order
    expect(page.get_by_text("In head 3, a token’s attention goes")).to_be_visible()


def test_phone_has_no_sideways_scroll(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/heads?l=2", width=390, height=844, scheme="dark")
    expect(picture(page)).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.fuzz
def test_compare_and_heads_do_not_mix_their_states(server: Server, visit: Visit) -> None:
    page = opened(server, visit, l="4")
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Compare").click()
    expect(page.locator(".st-key-verdict")).to_contain_text("Two meanings: bank sides with")
    rested(page)
    # The layer is carried to the next page, and opens the fold that shows it; nothing else is.
    expect(page.get_by_text("Sentence A, Layer 4, head 1")).to_be_visible()
    until_link(page, lambda link: link == {"v": "2", "l": "4", "fa": "1"})
    page.get_by_text("Special tokens", exact=True).click()
    until_link(page, lambda link: link.get("s") == "1")
    back(page)  # a choice is a step of its own
    until_link(page, lambda link: "s" not in link)
    for _ in range(2):  # the menu's own address, which is bare, is a step too
        rested(page)
        back(page)
    expect(page.get_by_role("radio", name="Layer 4")).to_be_checked()
