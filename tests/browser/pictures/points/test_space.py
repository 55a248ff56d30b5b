"""Points in space: where they stand from each side, turned by hand and by keys, and titles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.points.planes import PIXEL, by_hand, go_on, settled
from tests.browser.pictures.points.points_pictures import SPACE
from tests.browser.reading import frames, labels, scale, shapes

Visit = Callable[..., Page]
TURN, TILT, BY = 0.6, 0.4, 0.008  # radians, as `turning.js` begins, and a pixel of a drag


def viewed(depth: int, turn: float, tilt: float) -> np.ndarray:
    """(points, 2), right and up of the middle: turned round the third axis, then tipped forward."""
    round_it = np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    tip = np.array([[1, 0, 0], [0, np.sin(tilt), np.cos(tilt)]])
    low, high = SPACE.min(axis=(0, 1)), SPACE.max(axis=(0, 1))
    return (SPACE[:, depth] - (low + high) / 2) @ round_it.T @ tip.T


def check(frame: Locator, depth: int, turn: float, tilt: float) -> None:
    """The marks stand where they must, by one scale for both directions on the screen."""
    settled(frame)
    marks = shapes(frame, "mark")
    wanted = viewed(depth, turn, tilt)[[mark.of for mark in marks]]
    x = scale([mark.x for mark in marks], wanted[:, 0].tolist())
    y = scale([mark.y for mark in marks], wanted[:, 1].tolist())
    assert x[0] == pytest.approx(-y[0], rel=0.01)
    np.testing.assert_allclose([m.x for m in marks], wanted[:, 0] * x[0] + x[1], atol=2 * PIXEL)
    np.testing.assert_allclose([m.y for m in marks], wanted[:, 1] * y[0] + y[1], atol=2 * PIXEL)


@pytest.mark.parametrize("width", [358, 940])
def test_it_is_turned_and_played(pictures: Shown, visit: Visit, width: int) -> None:
    page = visit(f"{pictures.url}/?kind=space", width=width)
    (frame,) = frames(page)
    check(frame, 2, TURN, TILT)
    whole, area = frame.bounding_box(), frame.locator(".area").bounding_box()
    assert whole is not None
    assert area is not None

    def inside() -> None:
        titles = labels(frame, "direction")
        assert [title.text for title in titles] == ["PCA 1: 50 %", "PCA 2: 30 %", "PCA 3: 10 %"]
        for label in [*titles, *labels(frame, "name")]:
            assert label.left >= 0
            assert label.right <= whole["width"]
        assert len(shapes(frame, "edge")) == 12

    inside()
    x, y = area["x"] + 100, area["y"] + 200
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y - 30, steps=3)
    expect(frame.locator(".tip")).to_be_hidden()
    page.mouse.up()
    turn, tilt = TURN - 90 * BY, TILT - 30 * BY
    check(frame, 2, turn, tilt)
    page.mouse.move(x, y)  # let go: it is not turned any more
    check(frame, 2, turn, tilt)
    inside()
    frame.locator(".area").focus()
    for key, across, up in (("Shift+ArrowRight", -24, 0), ("Shift+ArrowUp", 0, 24)):
        page.keyboard.press(key)
        turn, tilt = turn - across * BY, tilt + up * BY
        check(frame, 2, turn, tilt)
    expect(frame.locator("[data-part=edge][stroke-dasharray]")).to_have_count(3)  # at the back
    for _ in range(99):  # no farther than from straight above
        page.keyboard.press("Shift+ArrowUp")
    check(frame, 2, turn, np.pi / 2)
    # The third direction is seen end-on: there is no line for it to be the name of.
    assert [title.text[:5] for title in labels(frame, "direction")] == ["PCA 1", "PCA 2"]
    slider = page.get_by_role("slider", name="After layer")
    by_hand(page)
    page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("0")
    check(frame, 0, turn, np.pi / 2)
    go_on(page)
    expect(slider).to_have_value("1")
    go_on(page)
    expect(slider).to_have_value("2")
    check(frame, 2, turn, np.pi / 2)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.locator(".area").focus()
    page.keyboard.press("Home")
    leftmost = int(viewed(2, turn, np.pi / 2)[:, 0].argmin())
    expect(frame.get_by_role("status")).to_contain_text(f"p{leftmost}: ")
    expect(frame.get_by_role("status")).to_contain_text("on PCA 3: 10 %")
