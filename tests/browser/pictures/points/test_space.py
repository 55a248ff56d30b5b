"""Points in three dimensions: drawn by Plotly, rotated by mouse and keys, and in a list."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from core.figures import style
from tests.browser.conftest import Shown
from tests.browser.pictures.points.planes import by_hand, go_on
from tests.browser.pictures.points.points_pictures import SPACE, cloud_places
from tests.browser.pictures.points.spaces import marks, plotted, spot, view
from tests.browser.reading import frames
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]


def is_whole(frame: Locator) -> None:
    """Check that no text by Plotly reaches the edge of the picture: no title is cut off."""
    shot = Image.open(io.BytesIO(frame.locator(".plot").screenshot())).convert("RGB")
    pixels = np.asarray(shot, int)[2:-2, 2:-2]
    paper = pixels[0, 0]
    for edge in (pixels[:3], pixels[-3:], pixels[:, :3], pixels[:, -3:]):
        assert (np.abs(edge - paper) <= 2).all()
    assert (np.abs(pixels - paper) > 40).any()


@pytest.mark.fuzz
@pytest.mark.parametrize("width", some([358, 940], 1))
def test_it_is_turned_and_played(pictures: Shown, visit: Visit, width: int) -> None:
    page = visit(f"{pictures.url}/?kind=space", width=width)
    (frame,) = frames(page)
    drawn = plotted(frame)
    assert drawn["titles"] == ["PCA 1: 50 %", "PCA 2: 30 %", "PCA 3: 10 %"]
    assert view(frame) == pytest.approx((34, 23), abs=0.01)
    np.testing.assert_allclose(marks(frame), sorted(SPACE[:, 2].tolist()), atol=1e-5)
    ways = [trace for trace in drawn["traces"] if trace["mode"] == "lines"]
    assert [way["colour"] for way in ways[:2]] == [style.SENTENCE_A, style.SENTENCE_B]
    np.testing.assert_allclose(ways[0]["z"], SPACE[0, :, 2], atol=1e-5)
    is_whole(frame)
    plot = frame.locator(".plot").bounding_box()
    assert plot is not None
    # By mouse: dragging to the right moves the viewpoint to the left, like turning an object.
    page.mouse.move(plot["x"] + 60, plot["y"] + 60)
    page.mouse.down()
    page.mouse.move(plot["x"] + 120, plot["y"] + 60, steps=4)
    page.mouse.up()
    turn, tilt = view(frame)
    assert 180 < (turn - 34) % 360 < 359
    assert tilt == pytest.approx(23, abs=3)
    is_whole(frame)
    area = frame.get_by_role("listbox", name="Five points.")
    area.focus()
    for key, round_it, up in (("Shift+ArrowRight", 11, 0), ("Shift+ArrowUp", 0, 11)):
        before = view(frame)
        page.keyboard.press(key)
        after = view(frame)
        assert (after[0] - before[0] + 180) % 360 == pytest.approx(round_it + 180, abs=0.1)
        assert after[1] - before[1] == pytest.approx(up, abs=0.1)
    for _ in range(8):  # all round
        for _ in range(4):
            page.keyboard.press("Shift+ArrowRight")
        is_whole(frame)
    for _ in range(9):  # no farther than from straight above
        page.keyboard.press("Shift+ArrowUp")
    assert view(frame)[1] == pytest.approx(89.9, abs=0.1)
    slider = page.get_by_role("slider", name="After layer")
    by_hand(page)
    page.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("0")
    np.testing.assert_allclose(marks(frame), sorted(SPACE[:, 0].tolist()), atol=1e-5)
    go_on(page)
    expect(slider).to_have_value("1")
    go_on(page)
    expect(slider).to_have_value("2")
    np.testing.assert_allclose(marks(frame), sorted(SPACE[:, 2].tolist()), atol=1e-5)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.fuzz
def test_a_point_is_chosen_in_the_picture_or_in_the_list(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=space", width=940)
    (frame,) = frames(page)
    plotted(frame)
    options = frame.get_by_role("option")
    expect(options).to_have_count(5)
    numbers = [style.signed(float(value), 2, plus=True) for value in SPACE[3, 2]]
    for text in ("p3", *numbers):
        expect(options.nth(3)).to_contain_text(text)
    said = options.nth(3).get_attribute("aria-label")
    assert said == (
        f"p3: {numbers[0]} on PCA 1: 50 %, {numbers[1]} on PCA 2: 30 %, "
        f"{numbers[2]} on PCA 3: 10 %, after Layer 1"
    )
    # Exact numbers where the pointer is, and a click chooses.
    x, y = spot(frame, SPACE[0, 2])
    page.mouse.move(x - 30, y + 30)
    page.mouse.move(x, y, steps=3)
    tip = frame.locator(".tip")
    exact = style.signed(float(SPACE[0, 2, 0]), 3, plus=True)
    expect(tip).to_contain_text(f"p0: {exact} on PCA 1: 50 %")
    page.mouse.down()
    page.mouse.up()
    expect(options.nth(0)).to_have_attribute("aria-selected", "true")
    (note,) = plotted(frame)["notes"]
    assert note["text"] == "<b>p0</b>"
    np.testing.assert_allclose(note["at"], SPACE[0, 2], atol=1e-5)
    expect(frame.get_by_role("status")).to_contain_text("Chosen: p0: ")
    # By keys: arrows move, Enter chooses, and a second Enter undoes the choice.
    area = frame.get_by_role("listbox")
    area.focus()
    page.keyboard.press("End")
    expect(area).to_have_attribute("aria-activedescendant", "o4")
    assert [one["text"] for one in plotted(frame)["notes"]] == ["<b>p0</b>", "p4"]
    page.keyboard.press("Enter")
    expect(options.nth(4)).to_have_attribute("aria-selected", "true")
    expect(options.nth(0)).to_have_attribute("aria-selected", "false")
    assert [one["text"] for one in plotted(frame)["notes"]] == ["<b>p4</b>"]
    page.keyboard.press("Enter")
    expect(frame.locator("[aria-selected=true]")).to_have_count(0)
    options.nth(2).click()
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")
    # A drag that starts on a point chooses nothing.
    x, y = spot(frame, SPACE[0, 2])
    page.mouse.move(x, y, steps=3)
    page.mouse.down()
    page.mouse.move(x + 50, y + 9, steps=3)
    page.mouse.up()
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")


@pytest.mark.fuzz
def test_thousands_of_points_are_listed_as_far_as_they_are_seen_and_found(
    pictures: Shown, visit: Visit
) -> None:
    page = visit(f"{pictures.url}/?kind=cloudspace", width=940, scheme="dark")
    (frame,) = frames(page)
    drawn = plotted(frame)
    assert [len(trace["x"]) for trace in drawn["traces"]] == [668, 668, 667]
    assert [trace["colour"] for trace in drawn["traces"]] == list(style.HEADS_ON_DARK[:3])
    assert frame.locator("[data-part=group]").all_text_contents() == [
        "one (668)",
        "<b>two</b> (668)",
        "three (667)",
    ]
    assert [note["text"] for note in drawn["notes"]] == ["<b>5</b>"]
    area, options = frame.get_by_role("listbox"), frame.get_by_role("option")
    assert 5 < options.count() < 40
    chosen = frame.locator("[aria-selected=true]")
    expect(chosen).to_have_attribute("aria-posinset", "5")
    expect(chosen).to_have_attribute("aria-setsize", "2003")
    expect(chosen.locator("u")).to_have_text("bank")
    area.focus()
    page.keyboard.press("End")
    expect(area).to_have_attribute("aria-activedescendant", "o2002")
    last = frame.locator("#o2002")
    expect(last).to_be_in_viewport()
    expect(last).to_contain_text(f"{style.signed(float(cloud_places(2003)[2002, 2, 0]), 2, plus=True)}")
    box = frame.get_by_role("searchbox", name="Find a point")
    box.fill("BANK sentence 77")
    found = {i for i in range(2003) if "77" in f"{i + 1}. Sentence {i} on the bank." and i % 7}
    expect(frame.locator("output")).to_have_text(f"{len(found)} of 2,003")
    expect(options.first).to_have_attribute("aria-setsize", str(len(found)))
    box.press("ArrowDown")
    expect(area).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    first = min(found)
    expect(frame.locator(f"#o{first}")).to_have_attribute("aria-selected", "true")
    assert [note["text"] for note in plotted(frame)["notes"]] == [f"<b>{first + 1}</b>"]
    box.fill("no such thing")
    expect(options).to_have_count(0)
    assert frame.locator("b").count() == 0  # no sentence became part of the page


def test_the_wheel_scrolls_the_page_and_with_ctrl_zooms(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=space", width=940, height=400)
    (frame,) = frames(page)
    sides = plotted(frame)["sides"]
    page.mouse.move(200, 200)
    page.mouse.wheel(0, 90)
    page.wait_for_function("scrollY > 50")
    assert plotted(frame)["sides"] == sides
    frame.get_by_role("listbox").focus()
    page.keyboard.press("+")
    for axis, nearer in plotted(frame)["sides"].items():
        assert nearer == pytest.approx(1.15 * sides[axis], rel=1e-6)
    page.keyboard.down("Control")
    page.mouse.wheel(0, 90)
    page.keyboard.up("Control")
    page.wait_for_function(
        "near => document.querySelector('[data-polysee] div').shadowRoot.querySelector('.plot')"
        ".layout.scene.aspectratio.x < near",
        arg=1.1 * sides["x"],
    )
    assert page.evaluate("visualViewport.scale") == 1


@pytest.mark.fuzz
@pytest.mark.parametrize("scheme", some(["dark", "light"], 1))
def test_it_is_saved_as_it_is_seen(pictures: Shown, visit: Visit, tmp_path: Path, scheme: str) -> None:
    page = visit(f"{pictures.url}/?kind=cloudspace", width=900, scheme=scheme)
    (frame,) = frames(page)
    plotted(frame)
    for kind in ("SVG", "PNG"):
        waiting = save_picture(frame, kind)
        waiting.save_as(tmp_path / kind)
        assert waiting.suggested_filename == f"polysee-cloud-space.{kind.lower()}"
    text = (tmp_path / "SVG").read_text("utf-8")
    assert len(re.findall(r'<image [^>]*href="data:image/png;base64,', text)) == 1
    assert "after Layer 2" in text
    image = np.asarray(Image.open(tmp_path / "PNG").convert("RGB"), int)
    for colour in (style.HEADS_ON_LIGHT if scheme == "light" else style.HEADS_ON_DARK)[:3]:
        parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(image - parts).max(axis=2) < 20).sum() > 500
    assert image[0, -1].mean() > 250 if scheme == "light" else image[0, -1].mean() < 40


def test_without_webgl_the_list_is_there_and_says_why_there_is_no_picture(
    pictures: Shown, visit: Visit
) -> None:
    page = visit("about:blank")
    page.add_init_script(
        "const all = HTMLCanvasElement.prototype, get = all.getContext; all.getContext = function ("
        "kind, ...more) { return /webgl/.test(kind) ? null : get.call(this, kind, ...more); }"
    )
    page.goto(f"{pictures.url}/?kind=space")
    (frame,) = frames(page)
    expect(frame).to_contain_text("in three dimensions. The list has all points.")
    frame.get_by_role("option", name=re.compile("^p2: ")).click()
    expect(frame.get_by_role("option").nth(2)).to_have_attribute("aria-selected", "true")
