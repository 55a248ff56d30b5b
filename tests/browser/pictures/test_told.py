"""A picture reports its choice before another action on the page; numbers that arrive later.

Which answers apply is tested without a browser: `tests/figures/web/runtime/report.test.js`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pictures import heads_pictures as made
from tests.browser.pictures.telling import got, send
from tests.browser.reading import frames
from tests.tiers import some

Visit = Callable[..., Page]
N = 7
ELSEWHERE = '<button id="elsewhere">elsewhere</button>'


def give(frame: Locator, heard: int = 0, visit: str = "first", **state: Any) -> None:
    """Rerun the page, which has received so many choices and requests this state."""
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
    """The number, zoom level and head of each reported choice."""
    return [(sent["n"], sent["level"], sent["head"]) for _, _, sent in got(frame.page)]


def head(frame: Locator, number: int) -> Locator:
    return frame.get_by_role("radio", name=f"Head {number}", exact=True)


def until_told(frame: Locator, count: int) -> None:
    frame.page.wait_for_function("count => got.length === count", arg=count)


@pytest.mark.parametrize("how", some(["pointer", "keys", "focus and press in one instant"], 2))
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


# Answers in place of the server, a new one each time; with `held`, when the test calls `release`.
_FETCH = """([all, held]) => { globalThis.asked = []; globalThis.answered = 0;
  const waiting = [];
  globalThis.release = () => waiting.splice(0).forEach((go) => go());
  globalThis.fetch = async (address) => {
    asked.push(address);
    const sent = all[address], status = sent === undefined ? 404 : 200;
    if (held) await new Promise((done) => waiting.push(done));
    answered += 1;
    return new Response(sent && Uint8Array.from(atob(sent), (sign) => sign.charCodeAt(0)), { status });
  }; }"""


def encoded(n: int) -> str:
    return base64.b64encode(made.random_layer("qk", n, {}).numbers().content).decode()


def options(frame: Locator) -> int:
    return frame.get_by_label("Query token").locator("option").count()


def test_numbers_are_fetched_once_and_what_was_there_stays_till_they_come(frame: Locator) -> None:
    page = frame.page
    page.evaluate(_FETCH, [{"/numbers/nine": encoded(9), "/numbers/five": encoded(5)}, True])
    give(frame, level="token")
    before = N
    expect(frame.get_by_label("Query token").locator("option")).to_have_count(before)
    for _ in range(3):
        send(page, made.random_layer("qk", 9, {"level": "token"}), address="/numbers/nine")
    assert options(frame) == before
    assert page.evaluate("asked") == ["/numbers/nine"]
    page.evaluate("release()")
    expect(frame.get_by_label("Query token").locator("option")).to_have_count(before + 2)
    send(page, made.random_layer("qk", 9, {"level": "head"}), address="/numbers/nine")
    expect(frame.get_by_role("tab", name="One head", selected=True)).to_be_visible()
    assert page.evaluate("asked") == ["/numbers/nine"]
    # Of two pending answers, the last one applies.
    send(page, made.random_layer("qk", 5, {"level": "token"}), address="/numbers/five")
    send(page, made.random_layer("qk", 9, {"level": "token"}), address="/numbers/nine")
    page.evaluate("release()")
    page.wait_for_function("answered === 2")
    page.wait_for_timeout(200)  # for what would be drawn wrongly
    assert options(frame) == before + 2


def test_a_server_that_lost_the_numbers_is_asked_for_them(frame: Locator) -> None:
    page = frame.page
    page.evaluate(_FETCH, [{}, False])
    send(page, made.random_layer("qk", 9, {}), address="/numbers/nine")
    until_told_lost = "got.some(([, name]) => name === 'lost')"
    page.wait_for_function(until_told_lost)
    page.evaluate(
        _FETCH, [{"/numbers/nine": encoded(9)}, False]
    )  # its page has run, and stored them anew
    give(frame, level="token")
    send(page, made.random_layer("qk", 9, {"level": "token"}), address="/numbers/nine")
    expect(frame.get_by_label("Query token").locator("option")).to_have_count(9)


def height(frame: Locator) -> float:
    box = frame.bounding_box()
    assert box is not None
    return box["height"]


def test_larger_letters_make_it_higher_without_new_numbers_and_nothing_makes_it_lower(
    visit: Visit,
) -> None:
    html = "<meta charset=utf-8>" + made.random_layer("qk", 64, {}).to_html()
    page = visit("data:text/html;base64," + base64.b64encode(html.encode()).decode(), height=1200)
    (frame,) = frames(page)
    usual = height(frame)
    send(page, made.random_layer("qk", 64, {"level": "product"}))
    expect(frame).to_have_attribute("data-level", "product")
    assert height(frame) < usual  # this level needs less
    send(page, made.random_layer("qk", 64, {"level": "head"}))
    expect(frame).to_have_attribute("data-level", "head")
    assert height(frame) == usual
    larger = made.random_layer("qk", 64, {"level": "head"}).scaled(1.25)
    for picture, wanted in (
        (larger, 1.25 * usual),
        (made.random_layer("qk", 64, {"level": "head"}), usual),
    ):
        send(page, picture)
        page.wait_for_function(
            "([frame, wanted]) => frame.getBoundingClientRect().height === wanted",
            arg=[frame.element_handle(), wanted],
        )
        expect(frame).to_have_attribute("data-level", "head")
