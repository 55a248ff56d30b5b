"""What a picture tells its page, and what it takes from it: a layer, whose state has most to tell."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pictures import heads_pictures as made
from tests.browser.pictures.telling import got, send
from tests.browser.reading import frames

Visit = Callable[..., Page]
N = 7
ELSEWHERE = '<button id="elsewhere">elsewhere</button>'


def give(frame: Locator, heard: int = 0, visit: str = "first", **state: Any) -> None:
    """The page runs, has heard so much, and wants this."""
    send(frame.page, made.random_layer("qk", N, state), heard=heard, visit=visit)


@pytest.fixture
def frame(visit: Visit) -> Locator:
    html = made.random_layer("qk", N, {}).to_html() + ELSEWHERE
    page = visit(
        "data:text/html;base64," + base64.b64encode(f"<meta charset=utf-8>{html}".encode()).decode(),
        height=1200,
    )
    (found,) = frames(page)
    give(found)
    return found


def told(frame: Locator) -> list[tuple[int, str, int]]:
    """Number, zoom level and head of each choice that was told."""
    return [(sent["n"], sent["level"], sent["head"]) for _, _, sent in got(frame.page)]


def head(frame: Locator, number: int) -> Locator:
    return frame.get_by_role("radio", name=f"Head {number}", exact=True)


def until_told(frame: Locator, count: int) -> None:
    frame.page.wait_for_function("count => got.length === count", arg=count)


def test_a_choice_is_told_once_when_it_has_come_to_rest(frame: Locator) -> None:
    frame.get_by_role("tab", name="One head").click()
    head(frame, 4).click()
    until_told(frame, 1)
    frame.page.wait_for_timeout(400)
    assert told(frame) == [(1, "head", 3)]
    head(frame, 5).click()
    head(frame, 4).click()  # as the page knows it already
    frame.page.wait_for_timeout(400)
    assert len(told(frame)) == 1


@pytest.mark.parametrize("how", ["pointer", "keys", "focus and press in one instant"])
def test_who_leaves_is_heard_before_what_they_do_next(frame: Locator, how: str) -> None:
    page, button = frame.page, frame.page.locator("#elsewhere")
    page.evaluate("""() => document.querySelector("#elsewhere").addEventListener(
      "click", () => got.push([0, "pressed", { n: 0, level: "", head: 0 }]))""")
    frame.get_by_role("tab", name="One head").click()
    if how == "pointer":
        button.click()
    elif how == "keys":
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.evaluate("node => { node.focus(); node.click(); }")
    assert [name for _, name, _ in got(page)] == ["state", "pressed"]
    assert told(frame)[0] == (1, "head", 0)


def test_what_a_new_server_was_not_told_is_told_and_not_turned_back(frame: Locator) -> None:
    frame.get_by_role("tab", name="One head").click()
    head(frame, 5).click()
    until_told(frame, 1)
    give(frame, visit="second")  # it has heard nothing
    expect(head(frame, 5)).to_be_checked()
    assert told(frame) == [(1, "head", 4), (1, "head", 4)]
    give(frame, 1, "second", level="head", head=4)
    expect(head(frame, 5)).to_be_checked()
    give(frame, 1, "second", level="head", head=8)  # now it asks
    expect(head(frame, 9)).to_be_checked()
    assert len(told(frame)) == 2


def test_a_new_server_that_knows_all_is_told_nothing(frame: Locator) -> None:
    give(frame, visit="second", level="head", head=2)
    expect(head(frame, 3)).to_be_checked()
    frame.page.wait_for_timeout(400)
    assert told(frame) == []


def test_back_counts_more_than_what_was_about_to_be_told(frame: Locator) -> None:
    page = frame.page
    page.evaluate("history.pushState({}, '', location.href)")
    frame.get_by_role("tab", name="One head").click()
    head(frame, 5).click()
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    give(frame, level="token")
    expect(frame.get_by_role("tab", name="One token", selected=True)).to_be_visible()
    page.wait_for_timeout(400)
    assert told(frame) == []


def test_an_answer_put_in_another_way_turns_back_nobody_who_has_gone_on(frame: Locator) -> None:
    frame.get_by_role("tab", name="One head").click()
    head(frame, 4).click()
    until_told(frame, 1)
    head(frame, 6).click()
    give(frame, 1, level="head", head=3, threshold=0.3)  # the page knows of no such threshold
    expect(head(frame, 6)).to_be_checked()
    until_told(frame, 2)
    give(frame, 2, level="head", head=5, threshold=0.3)
    expect(head(frame, 6)).to_be_checked()


def test_a_choice_that_was_lost_on_the_way_is_told_again(frame: Locator) -> None:
    page = frame.page
    frame.get_by_role("tab", name="One head").click()
    until_told(frame, 1)
    give(frame)  # some other run
    assert len(told(frame)) == 1
    page.evaluate(
        "{ const now = performance.now.bind(performance); performance.now = () => now() + 6000; }"
    )
    give(frame)
    assert told(frame) == [(1, "head", 0), (2, "head", 0)]
    expect(frame.get_by_role("tab", name="One head", selected=True)).to_be_visible()


_FETCH = """(all) => { globalThis.asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    const sent = all[address], status = sent === undefined ? 404 : 200;
    await new Promise((done) => setTimeout(done, 50));
    return new Response(sent && Uint8Array.from(atob(sent), (sign) => sign.charCodeAt(0)), { status });
  }; }"""


def encoded(n: int) -> str:
    return base64.b64encode(made.random_layer("qk", n, {}).numbers()).decode()


def options(frame: Locator) -> int:
    return frame.get_by_label("Query token").locator("option").count()


def test_numbers_are_fetched_once_and_what_was_there_stays_till_they_come(frame: Locator) -> None:
    page = frame.page
    page.evaluate(_FETCH, {"/numbers/nine": encoded(9), "/numbers/five": encoded(5)})
    give(frame, level="token")
    before = N
    expect(frame.get_by_label("Query token").locator("option")).to_have_count(before)
    for _ in range(3):
        send(page, made.random_layer("qk", 9, {"level": "token"}), address="/numbers/nine")
    assert options(frame) == before
    page.wait_for_function("asked.length === 1")
    page.wait_for_timeout(200)
    assert options(frame) == before + 2
    send(page, made.random_layer("qk", 9, {"level": "head"}), address="/numbers/nine")
    expect(frame.get_by_role("tab", name="One head", selected=True)).to_be_visible()
    assert page.evaluate("asked") == ["/numbers/nine"]
    # Of two that are on their way, the last counts.
    send(page, made.random_layer("qk", 5, {"level": "token"}), address="/numbers/five")
    send(page, made.random_layer("qk", 9, {"level": "token"}), address="/numbers/nine")
    page.wait_for_timeout(200)
    assert options(frame) == before + 2


def test_a_server_that_lost_the_numbers_is_asked_for_them(frame: Locator) -> None:
    page = frame.page
    page.evaluate(_FETCH, {})
    send(page, made.random_layer("qk", 9, {}), address="/numbers/nine")
    until_told_lost = "got.some(([, name]) => name === 'lost')"
    page.wait_for_function(until_told_lost)
    page.evaluate(_FETCH, {"/numbers/nine": encoded(9)})  # its page has run, and stored them anew
    give(frame, level="token")
    send(page, made.random_layer("qk", 9, {"level": "token"}), address="/numbers/nine")
    expect(frame.get_by_label("Query token").locator("option")).to_have_count(9)
