"""Two linked layers: a choice or a hovered token in one shows in the other."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown, rested
from tests.browser.pictures import heads_pictures as made
from tests.browser.pictures.layer import linked_pictures
from tests.browser.pictures.layer.test_layer import middle, numbers, press, softmax
from tests.browser.reading import frames, labels, point, point_at, settle

Visit = Callable[..., Page]
TIP = "frame => frame.querySelector('.tip').style.visibility"
# Every event of the group, with its detail.
LISTEN = """() => { window.told = [];
  document.addEventListener("polysee-link", ({ detail: { kind, change } }) =>
    window.told.push([kind, change])); }"""


def opened(
    app_heads: Shown, visit: Visit, state: Mapping[str, Any], more: str = "", **how: Any
) -> tuple[Locator, Locator]:
    whole = {"special": True, **state}  # all tokens, where the state does not say otherwise
    page = visit(f"{app_heads.url}/?what=linked{more}&state={quote(json.dumps(whole))}", **how)
    first, second = frames(page, 2)
    page.evaluate(LISTEN)
    return first, second


def weights(second: int, n: int) -> np.ndarray:
    found = made.inner(n, heads=(12, 3)[second], d_head=(32, 5)[second], seed=1 + second)
    q, k = np.asarray(found.query, float), np.asarray(found.key, float)
    return softmax(np.einsum("hid,hjd->hij", q, k) / np.sqrt((32, 5)[second]))


def texts(frame: Locator) -> dict[int, float]:
    """The weights at the other end, by token."""
    return {
        int(label.get_attribute("data-of") or -1): float(label.text_content() or "")
        for label in frame.locator("text[data-part=weight]").all()
    }


def marked(frame: Locator) -> bool:
    return bool(
        frame.evaluate(
            "frame => [...frame.querySelectorAll('.cursor')].at(-1).style.visibility === 'visible'"
        )
    )


@pytest.mark.fuzz
def test_lines_of_a_token_light_up_in_the_other_and_go(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {"on": [2], "head": 2, "threshold": 0.0})
    page = one.page
    point_at(one, *middle(one, "query", 4))  # bank: token 4 here, 5 there
    expect(other.locator("[data-part=weight]").first).to_be_visible()
    settle(page)
    shown = weights(1, 8)[2, 5]
    got = texts(other)
    assert set(got) == {i for i, weight in enumerate(shown) if weight >= 0.01}
    assert all(abs(weight - shown[i]) <= 0.0051 for i, weight in got.items())
    (bold,) = [label for label in labels(other) if label.bold and label.part in ("query", "key")]
    assert (bold.part, bold.text) == ("query", "bank")
    point_at(one, *middle(one, "key", 5))
    settle(page)
    shown = weights(1, 8)[2, :, 6]
    assert set(texts(other)) == {i for i, weight in enumerate(shown) if weight >= 0.01}
    point_at(one, *middle(one, "query", 3))  # river, which the other does not have
    settle(page)
    assert texts(other) == {}
    assert texts(one) != {}
    page.mouse.move(1, 1)
    settle(page)
    assert texts(one) == texts(other) == {}
    # And the other way round, by keys; only the focused picture is read aloud.
    other.locator(".area").focus()
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    expect(other.get_by_role("status")).to_contain_text("she attends to: ")
    settle(page)
    shown = weights(0, 7)[2, 5]
    assert set(texts(one)) == {i for i, weight in enumerate(shown) if weight >= 0.01}
    assert one.get_by_role("status").inner_text() == ""
    page.keyboard.press("Escape")
    settle(page)
    assert texts(one) == {}
    kinds = [kind for kind, _ in page.evaluate("told")]
    assert kinds.count("lit") < 20  # nothing goes round in circles
    before = len(kinds)
    page.wait_for_timeout(500)
    assert len(page.evaluate("told")) == before


@pytest.mark.fuzz
def test_a_cell_and_a_bar_are_marked_in_the_other(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {"level": "head", "head": 1})
    page = one.page
    point(one, 4, 5, 7, 7)  # bank → she
    settle(page)
    assert marked(other)
    assert other.evaluate(TIP) == "visible"
    said = other.locator(".tip").inner_text()
    assert said.startswith("bank → she: weight ")
    assert abs(numbers(said)[0] - weights(1, 8)[1, 5, 6]) < 6e-5
    assert one.locator(".tip").inner_text() != said
    mark = other.locator(".cursor").last.bounding_box()
    cells = other.locator("canvas").bounding_box()
    assert mark is not None
    assert cells is not None
    column = (mark["x"] + mark["width"] / 2 - cells["x"]) / cells["width"] * 8
    row = (mark["y"] + mark["height"] / 2 - cells["y"]) / cells["height"] * 8
    assert (int(row), int(column)) == (5, 6)
    assert other.get_by_role("status").inner_text() == ""
    point(one, 4, 3, 7, 7)  # bank → river: not there
    settle(page)
    assert not marked(other)
    assert other.evaluate(TIP) == "hidden"
    page.mouse.move(1, 1)
    one.page.get_by_role("tab", name="One token").first.click()
    settle(page)
    assert other.get_attribute("data-level") == "token"
    at = one.locator("text[data-part=weight]").nth(5).bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + 4, at["y"] + at["height"] / 2)
    settle(page)
    assert marked(other)
    mark, name = other.locator(".cursor").last.bounding_box(), None
    name = other.locator("text[data-part=key][data-of='6']").bounding_box()
    assert mark is not None
    assert name is not None
    assert abs(mark["y"] + mark["height"] / 2 - name["y"] - name["height"] / 2) < 3
    page.mouse.move(1, 1)
    settle(page)
    assert not marked(other)


@pytest.mark.fuzz
def test_what_is_chosen_is_chosen_in_both_but_for_the_heads(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {"threshold": 0.0})
    page = one.page
    expect(page.get_by_text("heard 0 and 0")).to_be_visible()
    one.get_by_role("button", name="Head 7", exact=True).click()  # the other has three
    settle(page)
    assert page.evaluate("told.filter(([kind]) => kind === 'state').length") == 0
    assert other.locator(".heads [aria-pressed=true]").count() == 3
    expect(page.get_by_text("heard 1 and 0")).to_be_visible()
    press(one, "One head", "tab")
    settle(page)
    assert other.get_attribute("data-level") == "head"
    press(one, "Mean over all heads")
    expect(other.get_by_role("radio", name="Head 1", exact=True, checked=True)).to_be_visible()
    point(one, 4, 5, 7, 7)
    page.mouse.down()
    page.mouse.up()
    page.mouse.move(1, 1)
    settle(page)
    bold = {label.text for label in labels(other) if label.bold}
    assert {"bank", "she"} <= bold
    one.get_by_role("checkbox", name="special tokens").click()
    settle(page)
    expect(other.get_by_role("checkbox", name="special tokens")).not_to_be_checked()
    assert not any("s>" in label.text for label in labels(other))
    press(other, "scores before softmax")  # the mean has none; it stays as it is
    settle(page)
    assert "mean of 12 heads" in " ".join(label.text for label in labels(one))
    press(other, "One token", "tab")
    settle(page)
    expect(one.get_by_label("Query token")).to_have_value("4")
    expect(other.get_by_label("Query token")).to_have_value("5")
    press(one, "by size")
    settle(page)
    expect(other.get_by_role("radio", name="by size", checked=True)).to_be_visible()
    other.get_by_label("Query token").select_option("she (7)")
    settle(page)
    expect(one.get_by_label("Query token")).to_have_value("5")
    page.wait_for_timeout(1500)  # the page has answered all; nobody has turned anything back
    expect(one.get_by_label("Query token")).to_have_value("5")
    expect(other.get_by_label("Query token")).to_have_value("6")
    expect(one.get_by_role("radio", name="Mean over all heads", checked=True)).to_be_visible()


@pytest.mark.fuzz
def test_the_page_hears_from_the_one_that_was_used(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {})
    page = one.page
    # In quick succession, by the page's own clock: on a busy machine a driver's clicks are far apart.
    other.evaluate("""async (frame) => { for (const name of ["One head", "One token", "One product"]) {
      [...frame.querySelectorAll("[role=tab]")].find((tab) => tab.textContent.trim() === name).click();
      await new Promise((done) => setTimeout(done, 40));
    } }""")
    expect(page.get_by_text("heard 0 and 1")).to_be_visible()
    page.wait_for_timeout(1000)
    expect(page.get_by_text("heard 0 and 1")).to_be_visible()
    assert one.get_attribute("data-level") == other.get_attribute("data-level") == "product"
    some = ("One head", "Lines", "One token", "One head", "One product", "Lines")
    for i, name in enumerate(some):  # answers come while more is chosen
        press((one, other)[i % 2], name, "tab")
        page.wait_for_timeout(330)
    page.wait_for_timeout(1500)
    assert one.get_attribute("data-level") == other.get_attribute("data-level") == "lines"


@pytest.mark.fuzz
def test_a_late_answer_turns_back_neither(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {}, "&slow=0.4")
    page = one.page
    rested(page)
    for frame in (one, other):
        frame.evaluate("""(frame) => {
          const own = [], { dataset } = frame;
          (window.levels ??= []).push(own);
          new MutationObserver(() => { if (own.at(-1) !== dataset.level) own.push(dataset.level); })
            .observe(frame, { attributes: true, attributeFilter: ["data-level"] }); }""")
    # It is told after 250, and answered after 400 more; meanwhile another is chosen. A busy server may
    # begin to hear later, and two choices that wait for it are one: the second waits until it hears.
    one.evaluate("""async (frame) => {
      const pause = (time) => new Promise((done) => setTimeout(done, time));
      const all = [...frame.querySelectorAll("[role=tab]")];
      const choose = (name) => all.find((tab) => tab.textContent.trim() === name).click();
      choose("One head");
      while (!document.querySelector("[data-test-script-state=running]")) await pause(10);
      await pause(200);
      choose("One token");
    }""")
    expect(page.get_by_text("heard 2 and 0")).to_be_visible()
    page.wait_for_timeout(1500)
    assert page.evaluate("levels") == [["head", "token"]] * 2


@pytest.mark.fuzz
def test_a_token_that_stays_alone_is_let_go_where_it_is_not(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {"on": [0], "threshold": 0.0})
    page = one.page
    for token, there in ((4, 5), (3, None)):
        point_at(one, *middle(one, "query", token))
        page.mouse.down()
        page.mouse.up()
        page.mouse.move(1, 1)
        settle(page)
        assert texts(one) != {}
        assert bool(texts(other)) is (there is not None)
    page.wait_for_timeout(1000)
    assert texts(other) == {}


@pytest.mark.fuzz
def test_long_texts_follow_each_other_in_sight(app_heads: Shown, visit: Visit) -> None:
    one, other = opened(app_heads, visit, {"head": 1}, "&n=300")
    page = one.page
    one.locator(".area").focus()
    page.keyboard.press("End")
    settle(page)
    for frame in (one, other):
        expect(frame.locator("text[data-part=query][data-of='299']")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    settle(page)
    assert other.get_attribute("data-level") == "token"
    page.keyboard.press("Home")
    settle(page)
    expect(other.locator("text[data-part=key][data-of='0']")).to_be_visible()
    assert marked(other)
    page.keyboard.press("End")
    settle(page)
    expect(other.locator("text[data-part=key][data-of='299']")).to_be_visible()


def test_a_picture_that_goes_leaves_no_light_behind(visit: Visit) -> None:
    both = "".join(linked_pictures.layer(i, {"level": "head"}).to_html() for i in (0, 1))
    whole = "<!doctype html><meta charset=utf-8>" + both
    page = visit(
        "data:text/html;base64," + base64.b64encode(whole.encode()).decode(), width=900, height=1600
    )
    one, other = frames(page, 2)
    point(one, 4, 5, 7, 7)
    settle(page)
    assert marked(other)
    page.evaluate("() => document.querySelector('[data-polysee]').polysee()")
    expect(page.locator(".picture")).to_have_count(1)
    (other,) = frames(page)
    settle(page)
    assert not marked(other)
    point(other, 5, 6, 8, 8)  # alone it is as ever
    assert numbers(other.locator(".tip").inner_text())[0] > 0
