"""What a picture of a layer writes into the address, and when its page hears of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.figures import Picture
from core.figures.attention.layer_state import start
from tests.browser.conftest import Shown, until_link
from tests.browser.pictures import heads_pictures as made
from tests.browser.reading import frames
from ui import layer_state, permalink

Visit = Callable[..., Page]
N = 7
USUAL = start({}, 12, (N, N))
FIELDS = layer_state.fields("picture")
KEYS = {what: field.parameter.short for what, field in FIELDS.items()}
# Gives a picture its bytes once more, as a page does; what it tells is kept.
_SHOW = """(frame, sent) => {
  const host = frame.getRootNode().host.parentElement;
  globalThis.heard ??= [];
  polysee.layer(host, Uint8Array.from(atob(sent), (sign) => sign.charCodeAt(0)),
    (name, state) => heard.push(state));
}"""


def give(frame: Locator, *, turn: int = 1, state: Mapping[str, Any] | None = None) -> None:
    picture = made.asked_for({"n": str(N)}, dict(state or {}))
    address = {
        "keys": KEYS,
        "order": ["v", permalink.PACKED, *KEYS.values()],
        "version": permalink.VERSION,
        "packed": permalink.PACKED,
        "usual": USUAL,
    }
    header = {**picture.header, "turn": turn, "address": address}
    sent = Picture(picture.module, header, picture.payload).to_bytes(events=("state",))
    frame.evaluate(_SHOW, base64.b64encode(sent).decode())


@pytest.fixture
def frame(heads: Shown, visit: Visit) -> Locator:
    (found,) = frames(visit(f"{heads.url}/?n={N}", height=1200))
    give(found)
    return found


def told(frame: Locator) -> list[dict[str, Any]]:
    return list(frame.evaluate("() => heard"))


def head(frame: Locator, number: int) -> Locator:
    return frame.get_by_role("radio", name=f"Head {number}", exact=True)


def choose(frame: Locator, number: int) -> None:
    head(frame, number).click()
    until_link(frame.page, lambda link: link.get("h", "1") == str(number))


def test_the_address_is_what_the_page_would_write(frame: Locator) -> None:
    page = frame.page
    frame.get_by_role("tab", name="One token").click()
    choose(frame, 4)
    frame.get_by_role("radio", name="by size").click()
    frame.get_by_label("Query token").select_option("2")
    frame.get_by_role("checkbox", name="special tokens").click()
    until_link(page, lambda link: link.get("s") == "0")
    assert told(frame) == []
    page.mouse.move(1, 1)
    page.get_by_label("Before", exact=True).click()
    (state,) = told(frame)
    assert (state["head"], state["query"], state["sort"]) == (3, 2, "size")
    chosen = layer_state.chosen(state, USUAL)
    expected = {
        KEYS[what]: FIELDS[what].parameter.write(value)
        for what, value in chosen.items()
        if value is not None
    }
    until_link(page, lambda link: link == {"n": str(N), "v": "2", **expected})


def test_the_page_hears_when_the_keys_leave_and_not_from_one_part_to_another(frame: Locator) -> None:
    page = frame.page
    page.get_by_label("Before", exact=True).focus()
    for key in ("Tab", "ArrowRight", "Tab", "Space", "Tab", "Tab"):  # One head; then its controls
        page.keyboard.press(key)
        page.wait_for_timeout(20)
    until_link(page, lambda link: link.get("r") == "head")
    expect(frame.get_by_role("tab", name="One head", selected=True)).to_be_visible()
    assert told(frame) == []
    page.get_by_role("button", name="After").focus()
    page.wait_for_function("() => heard.length === 1")


def test_what_a_new_server_was_not_told_is_not_turned_back(frame: Locator) -> None:
    frame.get_by_role("tab", name="One head").click()
    choose(frame, 5)
    assert told(frame) == []
    give(frame, turn=2, state={"level": "lines"})
    expect(head(frame, 5)).to_be_checked()
    assert [(state["level"], state["head"]) for state in told(frame)] == [("head", 4)]
    give(frame, turn=3, state={"level": "head", "head": 8})  # now it asks
    expect(head(frame, 9)).to_be_checked()
    assert len(told(frame)) == 1


def test_back_leads_to_what_the_page_knows_until_it_asks(frame: Locator) -> None:
    page = frame.page
    frame.get_by_role("tab", name="One head").click()
    until_link(page, lambda link: link.get("r") == "head")
    page.mouse.move(1, 1)  # told
    choose(frame, 5)
    choose(frame, 6)
    assert [state["head"] for state in told(frame)] == [0]
    page.go_back()
    until_link(page, lambda link: link.get("h") == "5")
    expect(head(frame, 1)).to_be_checked()
    page.get_by_label("Before", exact=True).click()
    assert len(told(frame)) == 1  # what was undone is not told
