"""Events from a picture of all heads to the page and to linked pictures, and back."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.figures import Picture
from tests.browser.conftest import Shown
from tests.browser.pictures.heads import ordered_pictures as made
from tests.browser.pictures.heads.ordered_reading import BEFORE, USUALLY, names, opened, told
from tests.browser.pictures.telling import got, send
from tests.browser.reading import frames, labels
from tests.tiers import some

Visit = Callable[..., Page]
EVENTS = ("head", "state")
# A clock that the test advances: on a busy machine, a driver's keys are far apart.
_TIME = """globalThis.later = null;
  globalThis.setTimeout = (then) => { globalThis.later = then; return 1; };
  globalThis.clearTimeout = () => { globalThis.later = null; };"""


def asks(page: Page, picture: Picture, number: int = 0, *, heard: int = 0) -> None:
    """Rerun the page, which has received so many of the picture's choices."""
    send(page, picture, number, heard=heard, events=EVENTS)


def alone(visit: Visit, *pictures: Any) -> Page:
    """Show pictures without a server; their events are stored in `got`."""
    html = "".join(
        picture.to_html(with_code=not i, events=EVENTS) for i, picture in enumerate(pictures)
    )
    page = visit(
        "data:text/html;base64," + base64.b64encode(f"<meta charset=utf-8>{html}".encode()).decode()
    )
    frames(page, len(pictures))
    for number, picture in enumerate(pictures):
        asks(page, picture, number)
    return page


def state_of(sent: dict[str, Any]) -> dict[str, Any]:
    """The reported state, without the number of the choice."""
    return {name: value for name, value in sent.items() if name != "n"}


def checked(frame: Locator) -> list[str]:
    return [one.inner_text() for one in frame.get_by_role("radio", checked=True).all()]


def test_a_slider_is_told_when_it_rests(visit: Visit) -> None:
    page = alone(visit, made.ordered({"pattern": 0}))
    (frame,) = frames(page)
    frame.get_by_role("slider").focus()
    page.evaluate(_TIME)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert got(page) == []
    page.evaluate("later()")
    whole = {
        "token": None,
        "direction": "to",
        "pattern": 0,
        "typical": False,
        "threshold": 0.3,
        "special": None,
    }
    assert got(page) == [[0, "state", whole | {"n": 1}]]
    page.keyboard.press("ArrowRight")
    frame.get_by_role("radio", name="usually").click()  # tells all at once
    assert page.evaluate("later") is None
    assert got(page)[1:] == [[0, "state", whole | {"n": 2, "threshold": 0.35, "typical": True}]]


def test_a_head_is_opened_after_what_waits_to_be_told(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {"pattern": 0})
    frame.get_by_role("slider").focus()
    for key in ("ArrowRight", "Tab", "Enter"):
        frame.page.keyboard.press(key)
    expect(frame.page.get_by_text("head (0, 1)")).to_be_visible()
    told(frame.page, pattern=0, threshold=0.05)


def test_an_answer_turns_nothing_back(visit: Visit) -> None:
    page = alone(visit, made.ordered({}))
    (frame,) = frames(page)
    frame.get_by_role("radio", name="the token before").click()
    frame.get_by_role("radio", name="usually").click()
    frame.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    first, second = (state_of(sent) for _, _, sent in got(page)[:2])
    for heard, answer in enumerate((first, second), 1):
        asks(page, made.ordered(answer), heard=heard)
        assert names(frame) == USUALLY
        assert frame.get_by_role("slider").input_value() == "0.05"
    page.wait_for_function("globalThis.got.length === 3")
    assert got(page)[2][2] == second | {"n": 3, "threshold": 0.05}
    asks(page, made.ordered({**second, "threshold": 0.05}), heard=3)
    assert names(frame) == USUALLY
    asks(page, made.ordered({"pattern": 0}), heard=3)  # what nobody here has asked for: a link, or Back
    assert names(frame) == BEFORE
    assert frame.get_by_role("slider").input_value() == "0"


def test_new_numbers_leave_what_a_visitor_chose(visit: Visit) -> None:
    page = alone(visit, made.ordered({}))
    (frame,) = frames(page)
    frame.get_by_role("radio", name="the token before").click()
    (_, _, told_state), *_ = got(page)
    asks(page, made.ordered({}, n=9))
    assert names(frame) == BEFORE
    asks(page, made.ordered(state_of(told_state), n=9), heard=1)
    assert names(frame) == BEFORE


@pytest.mark.fuzz
def test_slow_answers_of_a_server(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {}, echo=1.5)
    page = frame.page
    frame.get_by_role("radio", name="the token before").click()
    page.wait_for_timeout(700)  # the answer is on its way
    frame.get_by_role("radio", name="usually").click()
    told(page, pattern=0, typical=True)
    assert names(frame) == USUALLY
    page.wait_for_timeout(500)
    assert names(frame) == USUALLY


@pytest.mark.fuzz
def test_special_tokens_are_asked_for(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, {"special": True}, echo=0)
    page, box = frame.page, frame.get_by_role("checkbox", name="special tokens")
    expect(box).to_be_checked()
    note = "special tokens left out, each row rescaled to 1 over the tokens shown"
    frame.get_by_role("radio", name="bank").first.click()
    told(page, special=True, token=4)
    assert note not in [label.text for label in labels(frame, "note")]
    box.focus()
    page.keyboard.press("Space")
    expect(frame.get_by_role("radio", name="[CLS]")).to_have_count(0)
    told(page, special=False, token=4)  # the same token of the text, though one is before it no more
    assert checked(frame)[1] == "bank"
    expect(box).not_to_be_checked()
    assert note in [label.text for label in labels(frame, "note")]
    box.click()
    expect(frame.get_by_role("radio", name="[CLS]")).to_be_visible()
    told(page, special=True, token=4)


def test_without_it_there_is_no_box(app_heads: Shown, visit: Visit) -> None:
    expect(opened(app_heads, visit, {}).get_by_role("checkbox")).to_have_count(0)


@pytest.mark.parametrize("way", some(["from", "to"], 1))
def test_linked_pictures_show_the_same_choice(visit: Visit, way: str) -> None:
    page = alone(visit, made.linked(0), made.linked(1))
    one, other = frames(page, 2)
    if way == "from":
        one.get_by_role("radio", name="attention from").click()
        assert checked(other) == ["attention from", "all", "position"]
    one.get_by_role("radio", name="a1").click()
    assert checked(one)[:2] == [f"attention {way}", "a1"]
    assert checked(other)[:2] == [f"attention {way}", "b2"]
    other.get_by_role("radio", name="b1").click()
    assert checked(one)[1] == "a3"
    one.get_by_role("radio", name="a2").click()  # the other has no such token
    assert checked(other)[1] == "all"
    assert labels(other, "share") == []
    one.get_by_role("radio", name="a0").click()
    assert checked(other)[1] == "b0"
    assert {number for number, *_ in got(page)} == {0, 1}
    told_by = [number for number, *_ in got(page)]
    assert told_by == [0] * (way == "from") + [0, 1, 0, 0]  # each choice once, by whom it was made


def test_linked_pictures_have_one_order(visit: Visit) -> None:
    page = alone(visit, made.linked(0), made.linked(1))
    one, other = frames(page, 2)
    other.get_by_role("radio", name="the token before").click()
    assert names(one) == names(other) == BEFORE
    one.get_by_role("radio", name="usually").click()
    assert names(one) == USUALLY
    assert names(other) == BEFORE  # it knows of no usual scores
    one.get_by_role("slider").focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert names(other) == BEFORE[:4]
    assert other.get_by_role("slider").get_attribute("aria-valuetext") == "0.30"
    one.get_by_role("radio", name="position", exact=True).click()
    assert names(one) == names(other) == []


def test_a_layer_of_the_same_group_changes_no_more_than_the_order(visit: Visit) -> None:
    page = alone(visit, made.linked(0), made.linked(1))
    one, _ = frames(page, 2)
    one.get_by_role("radio", name="the token before").click()
    page.evaluate(
        """document.dispatchEvent(new CustomEvent("polysee-link", { detail: { from: null,
        group: "pair", kind: "state", change: { level: "head", query: 1, special: false } } }))"""
    )
    assert names(one) == BEFORE
    one.get_by_role("radio", name="a1").click()
    assert set(got(page)[-1][2]) == {
        "n",
        "token",
        "direction",
        "pattern",
        "typical",
        "threshold",
        "special",
    }
