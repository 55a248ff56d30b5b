"""All heads ordered by a pattern: drawn, read aloud, left out, reported to the page and saved."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.heads import ordered_pictures as made
from tests.browser.pictures.heads.ordered_reading import BEFORE, USUALLY, names, opened, told, walked
from tests.browser.pictures.heads.test_overview import colours, shade
from tests.browser.reading import WHITE, labels, meet
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


@pytest.mark.fuzz
def test_order_scores_and_least_by_keyboard_alone(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {})
    page, press = frame.page, frame.page.keyboard.press
    assert [label.text for label in labels(frame, "row")] == ["Layer 1", "Layer 2"]
    assert names(frame) == []
    page.get_by_label("Before", exact=True).focus()
    for name in ("attention to", "All tokens: maps", "position"):
        press("Tab")
        expect(page.get_by_role("radio", name=name, exact=True)).to_be_focused()
    press("ArrowRight")
    expect(page.get_by_role("radio", name="the token before", checked=True)).to_be_focused()
    assert names(frame) == BEFORE
    assert [label.bold for label in labels(frame, "name")] == [True] * 4 + [False] * 2
    assert labels(frame, "row") == labels(frame, "column") == labels(frame, "axis") == []
    told(page, pattern=0)
    places = walked(frame)
    assert places == sorted(places, key=lambda place: (place[1], place[0]))
    for place, head in zip(places, (1, 4, 2, 5, 0, 3), strict=True):  # the pixels are of that head
        share = np.array([(head + 1) / 8])
        got = np.diagonal(colours(frame, place, 14, 14)).T
        np.testing.assert_allclose(got, np.broadcast_to(shade(share, WHITE), (14, 3)), atol=4)
    page.get_by_role("radio", name="the token before", exact=True).focus()
    press("Tab")
    expect(page.get_by_role("radio", name="in this text", checked=True)).to_be_focused()
    press("ArrowRight")
    assert names(frame) == USUALLY
    told(page, pattern=0, typical=True)
    press("ArrowLeft")
    press("Tab")
    slider = page.get_by_role("slider", name="from")
    expect(slider).to_be_focused()
    for _ in range(7):
        press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "0.35")
    expect(page.get_by_text("3 of 6 heads", exact=True)).to_be_visible()
    assert names(frame) == BEFORE[:3]
    heard = frame.get_by_role("status")
    expect(heard).to_have_text("3 of 6 heads, in order of “the token before” in this text, from 0.35")
    told(page, pattern=0, threshold=0.35)
    press("Tab")
    expect(frame.locator(".area")).to_be_focused()
    expect(heard).to_have_text(
        re.compile(
            "^Layer 1, head 2: strongest weight .*; the token before 0.93 in this text, 0.59 usually$"
        )
    )
    press("ArrowRight")
    press("ArrowDown")
    expect(heard).to_contain_text("Layer 2, head 2: ")
    press("End")
    expect(heard).to_contain_text("Layer 1, head 3: ")
    press("Enter")
    expect(page.get_by_text("head (0, 2)")).to_be_visible()
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows.first.get_by_role("columnheader")).to_have_text(
        [
            "layer",
            "head",
            "the token before in this text",
            "the token before usually",
            "strongest weight",
        ]
    )
    cells = [row.get_by_role("cell").all_inner_texts() for row in rows.all()[1:]]
    assert cells == [
        ["Layer 1", "2", "0.93", "0.59", "0.25"],
        ["Layer 2", "2", "0.59", "0.93", "0.62"],
        ["Layer 1", "3", "0.47", "0.05", "0.38"],
    ]
    page.get_by_role("radio", name="position", exact=True).click()
    assert names(frame) == []
    assert len(labels(frame, "row")) == 2
    expect(heard).to_contain_text("all 6 heads")


def test_where_none_is_left_a_sentence_says_so(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {"pattern": 0, "threshold": 0.95})
    page = frame.page
    assert [label.text for label in labels(frame, "none")] == ["No head scores 0.95 or more."]
    expect(page.get_by_text("0 of 6 heads", exact=True)).to_be_visible()
    frame.locator(".area").click()
    for key in ("ArrowRight", "Enter", "Control+End"):
        page.keyboard.press(key)
    expect(frame.locator(".cursor")).to_be_hidden()
    expect(page.get_by_text("head None")).to_be_visible()
    frame.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    expect(frame.get_by_role("status")).to_contain_text("Layer 1, head 2: ")


def test_hover_and_a_click_mean_the_head_that_is_there(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {"pattern": 0})
    whole, (_, second, *_) = frame.bounding_box(), walked(frame)
    assert whole is not None
    at = whole["x"] + second[0] + second[2] / 2, whole["y"] + second[1] + second[3] / 2
    frame.page.mouse.move(*at)
    expect(frame.locator(".tip")).to_contain_text("Layer 2, head 2: ")
    frame.page.mouse.move(at[0], whole["y"] + second[1] - 6)  # its name is a part of it
    expect(frame.locator(".tip")).to_contain_text("0.59 in this text, 0.93 usually")
    frame.page.mouse.click(*at)
    expect(frame.page.get_by_text("head (1, 1)")).to_be_visible()


@pytest.mark.fuzz
def test_a_token_recolours_the_heads_in_their_order(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {"pattern": 0, "direction": "from"})
    frame.get_by_role("radio", name="river").click()
    assert names(frame) == BEFORE
    shares = [(head + 1) / 8 for head in (1, 4, 2, 5, 0, 3)]
    got = [float(label.text) for label in labels(frame, "share")]
    np.testing.assert_allclose(got, shares, atol=0.0101)
    for share, place in zip(shares, walked(frame), strict=True):
        corner = colours(frame, (place[0], place[1], 8, 8), 1, 1)[0, 0]
        np.testing.assert_allclose(corner, shade(np.array(share / 0.75), WHITE), atol=8)
    told(frame.page, pattern=0, direction="from", token=3)


def test_on_a_phone_patterns_are_a_list(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {}, (390, 844))
    chosen = frame.locator("select").and_(frame.get_by_label("Heads in order of"))
    chosen.focus()
    frame.page.keyboard.type("the token b")
    expect(chosen).to_have_js_property("selectedIndex", 1)
    assert names(frame) == BEFORE
    expect(frame.get_by_role("radio", name="the token after")).to_have_count(0)


@pytest.mark.fuzz
def test_names_are_readable_and_apart(app_heads: Shown, visit: Visit) -> None:
    size = (390, 844)  # in the app's own letters
    frame = opened(app_heads, visit, {"pattern": 0}, size, kind="long", layers=6, heads=12, n=14)
    found, whole = labels(frame), frame.bounding_box()
    assert whole is not None
    own = [label for label in found if label.part == "name"]
    assert len(own) == 72
    assert min(label.size for label in own) >= 9
    for label in own:
        assert re.fullmatch(r"\d·\d+ (0\.\d\d|1\.00)", label.text)
        assert label.left >= -1
        assert label.right <= whole["width"] + 1
    assert max(label.bottom for label in found) <= whole["height"] + 1
    for i, label in enumerate(own):
        assert not any(meet(label, other) for other in own[i + 1 :])
    places = walked(frame)
    assert min(min(place[2:]) for place in places) >= 28
    controls = frame.locator(".controls").bounding_box()
    assert controls is not None
    assert controls["y"] + controls["height"] <= whole["y"] + min(label.top for label in own) + 1


def test_a_saved_file_holds_the_order(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, {"pattern": 0, "threshold": 0.3})
    download = save_picture(frame, "SVG")
    root = ET.fromstring(download.path().read_bytes())
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:4] == BEFORE[:4]
    assert texts[-1] == "4 of 6 heads, in order of “the token before” in this text, from 0.30"


@pytest.mark.parametrize("heads_of_a_layer", [pytest.param((6, 12), marks=pytest.mark.fuzz), (12, 12)])
def test_a_long_text_is_painted_in_each_order(
    heads: Shown, visit: Visit, heads_of_a_layer: tuple[int, int]
) -> None:
    layers, count = heads_of_a_layer
    assert len(made.long(layers, count, 512, {}).to_bytes()) <= 1_200_000
    frame = opened(heads, visit, {"pattern": 0}, kind="long", layers=layers, heads=count, n=512)
    orders = [names(frame)]
    for pattern in ("itself", "the first token", "separators"):
        frame.get_by_role("radio", name=pattern, exact=True).click()
        orders.append(names(frame))
    assert {len(order) for order in orders} == {layers * count}
    assert len({tuple(order) for order in orders}) == 4
