"""The slider of a plane of points: it moves them, reports, and follows the page."""

from __future__ import annotations

import base64
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.figures import Picture
from core.figures.web import code
from tests.browser.conftest import Shown
from tests.browser.pictures import telling
from tests.browser.pictures.points import points_pictures as made
from tests.browser.pictures.points.planes import NAMES, PIXEL, axes, drawn, expected, settled
from tests.browser.reading import frames, labels

Visit = Callable[..., Page]


def page_of(picture: Picture, **options: object) -> str:
    whole = f"<!doctype html><meta charset=utf-8><title>saved</title>{picture.to_html(**options)}"  # type: ignore[arg-type]
    return "data:text/html;base64," + base64.b64encode(whole.encode()).decode()


def test_the_slider_reports_and_the_page_can_move_it(app_pictures: Shown, visit: Visit) -> None:
    page = visit(f"{app_pictures.url}/?kind=moving")
    (frame,) = frames(page)
    frame.evaluate("frame => { frame.same = true; }")
    slider = page.get_by_role("slider", name="After layer")
    slider.focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.get_by_text("depth 4")).to_be_visible()
    expect(slider).to_have_value("4")
    expect(slider).to_be_focused()
    np.testing.assert_allclose(drawn(frame), expected(frame, 4), atol=PIXEL)
    page.get_by_role("button", name="To the start").click()
    expect(page.get_by_text("depth 0")).to_be_visible()
    expect(slider).to_have_value("0")
    np.testing.assert_allclose(drawn(frame), expected(frame, 0), atol=PIXEL)
    assert frame.evaluate("frame => frame.same") is True
    expect(frame.get_by_role("status")).to_have_text("")


_LATE = """([first, late, other]) => {
  const root = document.querySelector("main"), told = [];
  const emit = (name, { n, depth }) => told.push([name, n, depth]);
  const slider = () => root.firstChild.shadowRoot.querySelector("input");
  const go = (depth, how) => { slider().value = depth;
    for (const type of how) slider().dispatchEvent(new Event(type)); };
  const found = [];
  render(root, first, emit);
  go(4, ["input", "change"]);
  go(2, ["input"]);                       // on with it before the page has answered
  render(root, late, emit);        // the answer to 4
  found.push(slider().value);
  go(2, ["change"]);
  render(root, other, emit);              // no answer to anything: the page moves it
  found.push(slider().value);
  return [found, told];
}"""


def test_a_late_answer_does_not_turn_the_slider_back(visit: Visit) -> None:
    page = visit("data:text/html,<meta charset=utf-8><title>t</title><main></main>")
    page.evaluate(f"globalThis.render = (() => {{{code('plane')}; return render;}})(); 0")
    sent = [
        telling.message(made.plane_picture(depth), heard=heard)
        for depth, heard in ((7, 0), (4, 1), (6, 2))
    ]
    got = page.evaluate(_LATE, sent)
    assert got == [["2", "6"], [["state", 1, 4], ["state", 2, 2]]]


def test_a_slider_nobody_listens_to_keeps_its_place_when_the_numbers_change(
    app_pictures: Shown, visit: Visit
) -> None:
    page = visit(f"{app_pictures.url}/?kind=plane")
    (frame,) = frames(page)
    slider = page.get_by_role("slider", name="After layer")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    settled(frame)
    painted = frame.get_attribute("data-drawn")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("run 2")).to_be_visible()
    page.wait_for_timeout(300)
    assert frame.get_attribute("data-drawn") == painted
    page.get_by_role("combobox", name="Seed").click()
    page.get_by_role("option", name="3").click()
    expect(page.get_by_text("run 3")).to_be_visible()
    expect(frame).not_to_have_attribute("data-drawn", str(painted))
    expect(slider).to_have_value("6")
    moved = expected(frame, 6)
    moved += (np.array(NAMES) == "alone")[:, None] * (axes(frame)[0] * 0.2)
    np.testing.assert_allclose(drawn(frame), moved, atol=PIXEL)


@pytest.mark.motion
def test_points_travel_unless_motion_is_unwelcome(visit: Visit) -> None:
    moves = """frame => new Promise((done) => { const slider = frame.querySelector("input"), seen = [];
      slider.value = 0; slider.dispatchEvent(new Event("input"));
      const look = () => { seen.push(frame.querySelector("[data-part=mark][data-of='0']").getBBox().x);
        const over = frame.dataset.moving === undefined && seen.length > 1;
        over ? done(seen) : requestAnimationFrame(look); };
      look(); })"""
    page = visit(page_of(made.plane_picture()))
    (frame,) = frames(page)
    seen = frame.evaluate(moves)
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) > 2
    page = visit(page_of(made.plane_picture()))
    page.emulate_media(reduced_motion="reduce")
    (frame,) = frames(page)
    assert len(set(frame.evaluate(moves))) == 1


def test_a_move_is_an_event_of_a_saved_page_in_both_themes(visit: Visit) -> None:
    page = visit(page_of(made.plane_picture(), events=["state"]), scheme="dark")
    (frame,) = frames(page)
    page.evaluate("addEventListener('polysee:state', event => { globalThis.chosen = event.detail; })")
    frame.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("chosen") == {"n": 1, "depth": 6}
    settled(frame)
    night = labels(frame, "tick")[0].fill
    page.emulate_media(color_scheme="light")
    page.wait_for_function(
        "fill => !document.querySelector('div').firstChild.shadowRoot"
        ".querySelector(`[fill='${fill}']`)",
        arg=night,
    )
    np.testing.assert_allclose(drawn(frame), expected(frame, 6), atol=PIXEL)
