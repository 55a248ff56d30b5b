"""Choices within a layer, on the page: shown at once, and in the link after a pause."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

import core
from core.examples.first_texts import HORSE
from core.measures import head_similarity, patterns
from tests.browser.conftest import Server, rested, until_link
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


def opened(server: Server, visit: Visit, **state: str) -> tuple[Page, Locator, list[str]]:
    """The idle page, its picture, and the addresses of all numbers fetched from then on."""
    page = visit("about:blank", height=1500)  # nothing scrolls away under the pointer
    fetched: list[str] = []
    page.on("request", lambda one: fetched.append(one.url) if "/numbers/" in one.url else None)
    page.goto(f"{server.url}/heads?{urlencode(state)}")
    frame = page.locator(".picture[data-drawn]")
    expect(frame).to_have_count(1)
    rested(page)
    assert len(fetched) == 1
    fetched.clear()
    return page, frame, fetched


def query(page: Page) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def head(frame: Locator, number: int) -> Locator:
    return frame.get_by_role("radio", name=f"Head {number}", exact=True)


@pytest.mark.fuzz
def test_choices_within_a_layer_are_in_the_link_and_fetch_no_numbers_again(
    server: Server, visit: Visit
) -> None:
    page, frame, fetched = opened(server, visit, l="3")
    frame.get_by_role("tab", name="One head").click()
    until_link(page, lambda link: link == {"v": "2", "l": "3", "r": "head"})
    head(frame, 4).click()
    until_link(page, lambda link: link.get("h") == "4")
    expect(
        page.get_by_text("In head 4, a token’s attention goes, on average, to: the token before")
    ).to_be_visible()
    head(frame, 4).press("ArrowRight")
    until_link(page, lambda link: link.get("h") == "5")
    frame.locator(".area").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    until_link(page, lambda link: (link.get("q"), link.get("k")) == ("2", "1"))
    frame.get_by_role("tab", name="One product").click()
    frame.get_by_role("checkbox", name="special tokens").click()
    until_link(page, lambda link: (link.get("r"), link.get("s")) == ("product", "0"))
    frame.get_by_role("tab", name="Lines").click()
    frame.get_by_role("button", name="Mean over all heads").click()
    until_link(page, lambda link: link.get("on") == "mean")
    page.get_by_role("button", name="The same in Python").click()
    expect(page.get_by_text("mean_of_heads(block.attention.weights[2])")).to_be_visible()
    rested(page)
    assert fetched == []
    page.reload()
    expect(frame.get_by_role("button", name="Mean over all heads")).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.fuzz
def test_back_and_forward_through_choices(server: Server, visit: Visit) -> None:
    page, frame, _ = opened(server, visit, l="3", r="head", h="2")
    for number in (5, 9):
        head(frame, number).click()
        page.wait_for_url(re.compile(f"[?&]h={number}&"), wait_until="commit")
    for step, number in (("back", 5), ("back", 2), ("forward", 5), ("forward", 9), ("back", 5)):
        page.evaluate(f"history.{step}()")
        expect(head(frame, number)).to_be_checked()
        expect(page.get_by_text(f"In head {number}, a token’s attention goes")).to_be_visible()
        rested(page)
        expect(head(frame, number)).to_be_checked()
        assert query(page)["h"] == str(number)
    page.mouse.move(2, 2)
    page.get_by_role("button", name="The same in Python").click()
    expect(page.get_by_text("block.attention.weights[2, 4]")).to_be_visible()


@pytest.mark.fuzz
def test_heads_that_are_like_one_are_opened_from_it(
    server: Server, visit: Visit, minilm: core.Model
) -> None:
    page, frame, fetched = opened(server, visit, l="3", r="head", h="6")
    trace = minilm.trace(HORSE)
    cosines = head_similarity(trace, 2)[5]
    cosines[2, 5] = -1
    layer, best = divmod(int(cosines.argmax()), 12)
    first = page.locator(".about button").first
    expect(first).to_have_text(f"{layer + 1}·{best + 1} ({cosines.max():.2f})")
    own = page.locator(".about button", has_text="3·").first  # of this layer
    other = (own.text_content() or "").split("·")[1].split(" ")[0]
    own.click()
    expect(head(frame, int(other))).to_be_checked()
    until_link(page, lambda link: link.get("h") == other)
    assert fetched == []
    before = patterns(trace).values[2, int(other) - 1, 0]
    words = f"In head {other}, a token’s attention goes, on average, to: the token before: {before:.2f}"
    expect(page.get_by_text(words)).to_be_visible()
    away = page.locator(".about button").filter(has_not_text="3·").first
    to_layer, to_head = (away.text_content() or "").split(" ")[0].split("·")
    away.click()
    expect(page.get_by_role("radio", name=f"Layer {to_layer}", exact=True)).to_be_checked()
    expect(head(frame, int(to_head))).to_be_checked()
    until_link(page, lambda link: (link["l"], link["h"], link["r"]) == (to_layer, to_head, "head"))


@pytest.mark.fuzz
def test_a_choice_is_packed_with_the_rest_of_a_long_link(server: Server, visit: Visit) -> None:
    text = " ".join(["мост"] * 100)
    page, frame, _ = opened(server, visit, t=text, l="2", h="4", r="head")
    until_link(page, lambda link: "z" in link)
    before = query(page)["z"]
    head(frame, 1).click()  # the usual one, where the packed state has another
    until_link(page, lambda link: link.get("z", before) != before)
    page.reload()
    expect(head(frame, 1)).to_be_checked()
    expect(page.get_by_role("radio", name="Layer 2")).to_be_checked()
    expect(page.get_by_role("textbox", name="Text", exact=True)).to_have_value(text)
    rested(page)
    assert {*query(page)} == {"v", "z"}


@pytest.mark.fuzz
def test_saved_pages_say_what_heads_do(
    server: Server, visit: Visit, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    page, _, _ = opened(server, visit, l="3", r="head", h="6")
    download = save_picture(page, "HTML")
    download.save_as(tmp_path / "layer.html")
    saved = offline(tmp_path / "layer.html")
    expect(
        saved.get_by_text("In head 6, a token’s attention goes, on average, to: the token before")
    ).to_be_visible()
    expect(saved.locator(".about i").first).to_contain_text("(0.")  # of a layer that is not there
    own = saved.locator(".about button").first
    other = (own.text_content() or "").split("·")[1].split(" ")[0]
    own.click()
    expect(saved.get_by_role("radio", name=f"Head {other}", exact=True)).to_be_checked()
    expect(saved.get_by_text(f"In head {other}, a token’s attention goes")).to_be_visible()


def pressed(button: Locator) -> None:
    """Press a button as a screen reader does: focus and press in the same instant."""
    button.evaluate("node => { node.focus(); node.click(); }")


def chosen(page: Page, frame: Locator, number: int) -> None:
    head(frame, number).click()
    until_link(page, lambda link: link.get("h") == str(number))


@pytest.mark.fuzz
def test_a_lesson_comes_after_what_was_chosen_whoever_presses(server: Server, visit: Visit) -> None:
    page, frame, _ = opened(server, visit, l="3", r="head")
    chosen(page, frame, 7)
    pressed(page.get_by_role("button", name="Who is tired?"))
    until_link(page, lambda link: (link.get("r"), link.get("pin")) == ("lines", "query"))
    box = page.get_by_role("textbox", name="Text", exact=True)
    expect(box).to_have_value("The cat sat on the mat because it was tired.")
    expect(frame.get_by_role("tab", name="Lines")).to_have_attribute("aria-selected", "true")
    rested(page)
    assert query(page)["l"] == "4"
    assert "h" not in query(page)

    frame.get_by_role("tab", name="One head").click()
    chosen(page, frame, 5)
    pressed(page.get_by_role("button", name="Reset the page"))
    until_link(page, lambda link: not link)
    rested(page)
    assert not query(page)
    expect(box).to_have_value(HORSE)


@pytest.mark.fuzz
def test_words_forget_the_piece_that_was_chosen_at_once(server: Server, visit: Visit) -> None:
    text = "The riverbank unbelievably refurbished Polysee bank"
    page, frame, _ = opened(server, visit, l="3", r="token", t=text)
    frame.get_by_label("Query token").select_option("5")
    until_link(page, lambda link: link.get("q") == "6")
    page.get_by_role("button", name="Two texts, whole words").click()
    pressed(page.get_by_role("switch", name="Whole words"))
    until_link(page, lambda link: link.get("u") == "1")
    rested(page)
    assert "q" not in query(page)


@pytest.mark.fuzz
def test_a_file_is_of_what_was_chosen_last(server: Server, visit: Visit) -> None:
    page, frame, _ = opened(server, visit, l="5", r="head", h="7")
    chosen(page, frame, 3)
    download = save_picture(frame, "CSV")
    assert download.suggested_filename == "polysee-layer-5-head-3.csv"
    of_three = download.path().read_text()
    head(frame, 4).click()
    download = save_picture(frame, "CSV")  # before the page has heard of it
    assert download.suggested_filename == "polysee-layer-5-head-4.csv"
    of_four = download.path().read_text()
    rested(page)
    again = save_picture(frame, "CSV")
    assert again.suggested_filename == "polysee-layer-5-head-4.csv"
    assert of_three != of_four == again.path().read_text()


@pytest.mark.fuzz
def test_a_choice_that_is_left_at_once_is_a_step_of_back(server: Server, visit: Visit) -> None:
    page, frame, _ = opened(server, visit, l="3", r="head")
    head(frame, 7).click()
    frame.get_by_role("button", name="Back to all heads").click()
    expect(page.get_by_role("radio", name="All heads", exact=True)).to_be_checked()
    rested(page)
    page.go_back()
    expect(page.get_by_role("radio", name="Layer 3")).to_be_checked()
    expect(head(frame, 7)).to_be_checked()
