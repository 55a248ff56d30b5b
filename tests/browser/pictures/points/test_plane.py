"""Points in the browser: their positions, their labels, and reading aloud."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.figures import style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures.points import points_pictures as made
from tests.browser.pictures.points.planes import NAMES, PIXEL, drawn, expected, places, settled
from tests.browser.reading import frames, labels, shapes
from tests.tiers import crossed, some

Visit = Callable[..., Page]


@pytest.mark.parametrize("width", some([440, 1440], 1))
def test_points_stand_where_their_numbers_say_at_every_depth_in_one_frame(
    pictures: Shown, visit: Visit, width: int
) -> None:
    page = visit(f"{pictures.url}/?kind=plane", width=width)
    (frame,) = frames(page)
    slider = page.get_by_role("slider", name="After layer")
    guides = [(guide.x, guide.y) for guide in shapes(frame, "guide")]
    for depth in (7, 6, 5, 0):
        slider.focus()
        while int(slider.input_value()) > depth:
            page.keyboard.press("ArrowLeft")
        np.testing.assert_allclose(drawn(frame), expected(frame, depth), atol=PIXEL)
        assert [(guide.x, guide.y) for guide in shapes(frame, "guide")] == guides
        expect(slider).to_have_attribute("aria-valuetext", made.STEPS[depth])
        expect(frame.locator(".slider .value bdi")).to_have_text(made.STEPS[depth])
    fills = {mark.of: mark.fill for mark in shapes(frame, "mark")}
    assert [fills[i] for i in range(3)] == [style.SENTENCE_A, style.SENTENCE_B, style.LEARNED]
    assert len({mark.d.count("L") + 10 * mark.d.count("a") for mark in shapes(frame, "mark")}) == 3


def test_dashed_lines_lead_from_the_start_to_the_point(pictures: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?kind=plane"))
    at, start = expected(frame, 7), expected(frame, 0)
    dashed = {line.of: line for line in shapes(frame, "dashed")}
    assert sorted(dashed) == [0, 1]
    for i, line in dashed.items():
        corners = [tuple(map(float, place.split())) for place in line.d[1:].split("L")]
        np.testing.assert_allclose(corners, [start[i], at[i]], atol=PIXEL)
    assert [dashed[i].stroke for i in (0, 1)] == [style.SENTENCE_A, style.SENTENCE_B]


def test_trails_pass_through_all_depths_so_far(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=trails")
    (frame,) = frames(page)
    page.get_by_role("slider").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    settled(frame)
    trails = {trail.of: trail for trail in shapes(frame, "trail")}
    assert sorted(trails) == [0, 1, 3]
    for i, trail in trails.items():
        corners = [tuple(map(float, place.split())) for place in trail.d[1:].split("L")]
        by_hand = [expected(frame, depth)[i] for depth in range(5)]
        np.testing.assert_allclose(corners, by_hand, atol=PIXEL)
    dots = {dots.of: dots.d.count("M") for dots in shapes(frame, "dots")}
    assert dots == {0: 4, 1: 4, 3: 4}
    assert shapes(frame, "dashed") == []


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("query", "width"), crossed(["start", "plane", "oddplane", "trails"], [360, 700], of=2)
)
def test_no_names_meet_and_all_stay_inside(
    app_pictures: Shown, visit: Visit, query: str, width: int
) -> None:
    page = visit(f"{app_pictures.url}/?kind={query}", width=width)
    (frame,) = frames(page)
    whole, save = frame.bounding_box(), frame.locator(".save").bounding_box()
    bar = frame.locator(".slider").bounding_box()
    assert whole is not None
    assert save is not None
    assert bar is not None
    for depth in range(int(frame.get_by_role("slider").get_attribute("max") or 0) + 1):
        frame.get_by_role("slider").evaluate(
            "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }", depth
        )
        settled(frame)
        found = labels(frame)
        boxes = []
        for button in (save, bar):
            left, top = button["x"] - whole["x"], button["y"] - whole["y"]
            right, bottom = left + button["width"], top + button["height"]
            boxes.append(found[0]._replace(left=left, top=top, right=right, bottom=bottom))
        for one, other in combinations([*found, *boxes], 2):
            assert not reading.meet(one, other), (depth, one, other)
        obstacles = [*shapes(frame, "mark"), *shapes(frame, "head")]
        for name in labels(frame, "name"):
            for mark in obstacles:
                box = name._replace(
                    left=mark.x - mark.width / 2,
                    right=mark.x + mark.width / 2,
                    top=mark.y - mark.height / 2,
                    bottom=mark.y + mark.height / 2,
                )
                assert not reading.meet(name, box), (depth, name, mark)
            assert name.left >= -1
            assert name.right <= whole["width"] + 1
        if query == "plane" and depth:
            shown = {label.text for label in labels(frame, "name")}
            assert {"A", "B", "learned"} <= shown
            assert len(shown) >= 15
    if query == "plane":  # the last layer, where all have room
        assert shown == set(NAMES)


def test_hover_reads_both_numbers(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=plane")
    (frame,) = frames(page)
    whole, tip, ring = frame.bounding_box(), frame.locator(".tip"), frame.locator(".near")
    assert whole is not None
    for i, (x, y) in enumerate(expected(frame, 7)):
        page.mouse.move(whole["x"] + x + 1, whole["y"] + y - 1)
        along, across = (style.signed(v, 3) for v in places(7)[i])
        said = f"{NAMES[i]}: {'+' * (along[0] != '−')}{along} along, {'+' * (across[0] != '−')}{across}"
        expect(tip).to_have_text(f"{said} across, after Layer 6")
        box = ring.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] / 2 - whole["x"] == pytest.approx(x, abs=0.6)
        assert box["y"] + box["height"] / 2 - whole["y"] == pytest.approx(y, abs=0.6)
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    expect(ring).to_be_hidden()


def test_the_keyboard_alone_moves_the_slider_and_reads_every_point(
    pictures: Shown, visit: Visit
) -> None:
    page = visit(f"{pictures.url}/?kind=plane")
    (frame,) = frames(page)
    heard = frame.get_by_role("status")
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("slider", name="After layer")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("application", name="The move of bank.")).to_be_focused()
    expect(heard).to_have_text("A: −0.167 along, −0.076 across, after Layer 6")
    order = [NAMES[i] for i in np.argsort(places(7)[:, 0], kind="stable")]
    page.keyboard.press("Home")
    for i, name in enumerate(order):
        if i:
            page.keyboard.press("ArrowRight")
        expect(heard).to_contain_text(f"{name}: ")
    page.keyboard.press("ArrowRight")
    expect(heard).to_contain_text(f"{order[-1]}: ")
    rising = [NAMES[i] for i in np.argsort(places(7)[:, 1], kind="stable")]
    at = rising.index(order[-1])
    page.keyboard.press("ArrowUp")
    expect(heard).to_contain_text(f"{rising[at + 1]}: ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(heard).to_contain_text(f"{rising[max(0, at - 1)]}: ")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Home")  # of the slider
    settled(frame)
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    expect(heard).to_have_text("cash: −1.208 along, −0.043 across, learned")
    passed = [NAMES[i] for i in np.argsort(places(0)[:, 0], kind="stable")]
    assert passed[6:10] == ["A", "B", "learned", "alone"]  # one stop, not four
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(heard).to_have_text("A, B, learned, alone: −0.622 along, −0.026 across, learned")
    page.keyboard.press("ArrowRight")
    expect(heard).to_contain_text(f"{passed[10]}: ")
    table = page.get_by_role("table")
    expect(table.locator("caption")).to_have_text("All 16 points, learned")
    assert table.get_by_role("columnheader").all_inner_texts() == ["", "along", "across"]
    assert table.locator("tr").nth(1).locator("td").all_inner_texts() == ["A", "−0.622", "−0.026"]


def test_odd_names_are_text_and_what_has_no_place_is_not_drawn(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=oddplane", width=700)
    (frame,) = frames(page)
    assert {mark.of for mark in shapes(frame, "mark")} == {0, 1, 2, 3, 4, 5}
    slider = frame.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    settled(frame)
    expect(slider).to_have_attribute("aria-valuetext", "<b>0</b>")
    assert {mark.of for mark in shapes(frame, "mark")} == {0, 1, 2, 3, 5}
    found = {label.text for label in labels(frame, "name")}
    assert found <= {"<b>bold</b>", "😀👩‍👩‍👧 family", "שלום", "a␁�b", "(space)"}
    assert len(found) >= 4
    assert frame.locator("b, i").count() == 0
    assert "NaN" not in frame.inner_html()
    long = labels(frame, "tick")[0].text
    assert made.ODD[4].startswith(long.rstrip("…"))
    page.keyboard.press("Tab")
    heard = set()
    page.keyboard.press("Home")
    for _ in range(6):
        heard.add(frame.get_by_role("status").inner_text().split(":")[0])
        page.keyboard.press("ArrowRight")
    assert heard == {"<b>bold</b>", "😀👩‍👩‍👧 family", "שלום", "a␁�b", "(space)"}
    cells = frame.locator("tr:last-child td").all_inner_texts()
    assert cells == ["nowhere", "–", "–"]
