"""The browser pictures inside Streamlit: painted, read aloud, chosen and saved."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.figures import Picture
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import matrix_pictures as made
from tests.browser.reading import frames, labels, point
from tests.browser.saving import button
from tests.tiers import some

Visit = Callable[..., Page]
COLOUR = 2.0  # of 255: colours are steps of a scale, and a canvas rounds


def said(picture: Picture, row: int, column: int) -> str:
    """The text that must be read aloud for a cell of a head."""
    looks, seen = picture.header["rows"][row], picture.header["columns"][column]
    return f"{looks} → {seen}: {reading.numbers(picture)[row, column]:.4f}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_cell_has_the_colour_of_its_number(pictures: Shown, visit: Visit, scheme: str) -> None:
    n = 14
    page = visit(f"{pictures.url}/?n={n}", scheme=scheme)
    (frame,) = frames(page)
    colour = frame.evaluate("node => getComputedStyle(node).backgroundColor")
    paper = tuple(int(x) for x in colour.removeprefix("rgb(").rstrip(")").split(", "))
    assert (sum(paper) < 100) == (scheme == "dark")
    got = reading.pixels(frame, n, n)
    assert (got[..., 3] == 255).all()
    np.testing.assert_allclose(
        got[..., :3], reading.coloured(made.head_picture(n, 1), paper), atol=COLOUR
    )


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signed_cells_and_strips_have_the_colour_of_their_number(
    pictures: Shown, visit: Visit, scheme: str
) -> None:
    dark = scheme == "dark"
    for query, picture in (
        ("kind=signed&n=64", made.signed_picture(64, 1)),
        ("kind=strips&n=383", made.strips_picture(383, 1)),
    ):
        (frame,) = frames(visit(f"{pictures.url}/?{query}", scheme=scheme))
        colour = frame.evaluate("node => getComputedStyle(node).backgroundColor")
        paper = tuple(int(x) for x in colour.removeprefix("rgb(").rstrip(")").split(", "))
        got = reading.pixels(frame, *reading.shape(picture))[..., :3]
        np.testing.assert_allclose(got, reading.coloured(picture, paper, dark=dark), atol=COLOUR)


def test_hover_says_the_exact_number(pictures: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?n=14"))
    picture, tip = made.head_picture(14, 1), frame.locator(".tip")
    expect(tip).to_be_hidden()
    for row, column in [(0, 0), (3, 0), (13, 13), (11, 10), (5, 11)]:
        point(frame, row, column, 14, 14)
        expect(tip).to_have_text(said(picture, row, column))
        box, whole = tip.bounding_box(), frame.bounding_box()
        assert box is not None
        assert whole is not None
        assert box["x"] >= whole["x"]
        assert box["x"] + box["width"] <= whole["x"] + whole["width"] + 0.5
    frame.page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    (frame,) = frames(visit(f"{pictures.url}/?kind=strips&n=7"))
    point(frame, 1, 3, 3, 7)
    number = f"{made.vectors(7, 1)['in A'][3]:.4f}".replace("-", "−")
    expect(frame.locator(".tip")).to_have_text(f"in A, dimension 3: {number}")


def test_the_keyboard_alone_reaches_every_cell_and_is_heard(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?n=14")
    (frame,) = frames(page)
    picture = made.head_picture(14, 1)
    area = page.get_by_role("application", name="Head A, 14 tokens.")
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(area).to_be_focused()
    heard = frame.get_by_role("status")
    best = np.unravel_index(np.argmax(reading.numbers(picture)[[3, 8]]), (2, 14))
    row, column = (3, 8)[int(best[0])], int(best[1])
    expect(heard).to_have_text(said(picture, row, column))  # the strongest of the marked rows
    for key, to in [
        ("Control+Home", (0, 0)),
        ("ArrowRight", (0, 1)),
        ("ArrowDown", (1, 1)),
        ("ArrowDown", (2, 1)),
        ("ArrowLeft", (2, 0)),
        ("ArrowLeft", (2, 0)),
        ("End", (2, 13)),
        ("ArrowUp", (1, 13)),
        ("Home", (1, 0)),
        ("PageDown", (11, 0)),
        ("PageDown", (13, 0)),
        ("PageUp", (3, 0)),
        ("Control+End", (13, 13)),
    ]:
        page.keyboard.press(key)
        expect(heard).to_have_text(said(picture, *to))
        expect(frame.locator(".tip")).to_have_text(said(picture, *to))
    page.keyboard.press("Escape")
    expect(frame.locator(".tip")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(button(page)).to_be_focused()


def test_screen_readers_get_a_table_of_at_most_20_rows(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?n=14")
    frames(page)
    table = page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["token", "attends to", "weight"])
    values = reading.numbers(made.head_picture(14, 1))[[3, 8]]
    shown = [float(text) for text in table.locator("tr td:last-child").all_inner_texts()]
    np.testing.assert_allclose(shown, np.sort(values.ravel())[::-1][:20], atol=5e-5)
    expect(table.locator("caption")).to_have_text("The strongest 20 of 28 numbers of the marked rows")


@pytest.mark.parametrize(
    ("query", "width"), some([("n=14", 390), ("n=512", 1440), ("kind=odd", 390)], 2)
)
def test_labels_keep_clear_of_each_other_and_inside(
    pictures: Shown, visit: Visit, query: str, width: int
) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?{query}", width=width))
    whole, rows, columns = frame.bounding_box(), labels(frame, "row"), labels(frame, "column")
    assert whole is not None
    assert rows
    assert columns
    for above, below in pairwise(rows):
        assert below.top - above.top >= 0.95 * above.size
    for one, other in pairwise(columns):
        if one.turn:  # the distance of two slanted lines of text
            assert (other.x - one.x) * np.sin(np.radians(60)) >= 0.95 * one.size
        else:
            assert other.left > one.right
    for label in labels(frame):
        assert label.left >= -1
        assert label.right <= whole["width"] + 1
        assert label.top >= -3
        assert label.bottom <= whole["height"] + 1
    canvas, buttons = frame.locator("canvas").bounding_box(), frame.locator(".save").bounding_box()
    assert canvas is not None
    assert buttons is not None
    assert max(label.right for label in rows) <= canvas["x"] - whole["x"]
    for note in labels(frame, "note"):
        assert note.bottom <= buttons["y"] - whole["y"] + 4 or note.right < buttons["x"] - whole["x"]
    if query in ("n=14", "n=64", "n=512"):
        assert {row.text for row in rows if row.bold} == {"bank"}


def test_odd_tokens_are_text(pictures: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?kind=odd"))
    picture = made.odd_picture()
    assert [label.text for label in labels(frame, "row")] == list(made.ODD_ROWS)
    columns = [label.text for label in labels(frame, "column")]
    assert columns[:8] == [*made.ODD_ROWS, "\u202eabc", "日本語", "a␁b"]
    assert columns[8].endswith("…")
    assert columns[9:] == ["·ing", "(space)"]
    assert frame.locator("b, i, script").count() == 0
    for row in range(5):
        point(frame, row, 4, 5, 11)
        expect(frame.locator(".tip")).to_have_text(said(picture, row, 4))
    expect(frame.get_by_role("application", name="Odd tokens & <i>signs</i>.")).to_be_visible()


@pytest.mark.fuzz
def test_more_cells_than_pixels_keeps_the_strongest_and_says_so(
    app_pictures: Shown, visit: Visit
) -> None:
    (frame,) = frames(visit(f"{app_pictures.url}/?n=512", width=390))
    (note,) = [label for label in labels(frame, "note") if "strongest" in label.text]
    assert note.text == "each dot is the strongest of 1×3 cells"
    picture = made.head_picture(512, 1)
    values = reading.numbers(picture)
    canvas = frame.evaluate(
        """frame => { const canvas = frame.querySelector("canvas");
        return [canvas.width, canvas.height, [...canvas.getContext("2d").getImageData(0, 0,
        canvas.width, canvas.height).data.filter((_, i) => i % 4 === 1)]]; }"""
    )
    wide, high, green = canvas[0], canvas[1], np.array(canvas[2]).reshape(canvas[1], canvas[0])
    assert wide < 512
    row, column = np.unravel_index(np.argmax(values), values.shape)
    top, left = (max(0, i * size // 512 - 1) for i, size in ((int(row), high), (int(column), wide)))
    there = green[top : top + 3, left : left + 3].min()
    assert there == green.min()
    assert abs(there - (255 - np.sqrt(values.max()) * (255 - 46))) <= COLOUR
    page = frame.page
    frame.locator(".area").focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("ArrowLeft")  # one cell, not one dot
    expect(frame.get_by_role("status")).to_have_text(said(picture, 511, 510))


def test_two_pictures_do_not_meet(app_pictures: Shown, visit: Visit) -> None:
    page = visit(f"{app_pictures.url}/?kind=two&n=14")
    a, b = frames(page, 2)
    point(b, 2, 4, 15, 15)
    expect(b.locator(".tip")).to_have_text(said(made.head_picture(15, 2, "B"), 2, 4))
    expect(a.locator(".tip")).to_be_hidden()
    a.locator(".area").focus()
    page.keyboard.press("Control+Home")
    expect(a.get_by_role("status")).to_have_text(said(made.head_picture(14, 1), 0, 0))
    expect(b.get_by_role("status")).to_have_text("")


def test_choosing_reaches_the_server_and_new_numbers_keep_focus_and_place(
    app_pictures: Shown, visit: Visit
) -> None:
    page = visit(f"{app_pictures.url}/?kind=turning&n=14")
    (frame,) = frames(page)
    frame.evaluate(
        """frame => { frame.same = true; frame.blank = 0; frame.jumps = 0;
        const high = frame.offsetHeight, canvas = frame.querySelector("canvas");
        const look = () => { frame.blank += !canvas.getContext("2d").getImageData(3, 3, 1, 1).data[3];
          frame.jumps += frame.offsetHeight !== high; requestAnimationFrame(look); }; look(); }"""
    )
    frame.locator(".area").focus()
    for key in ("Control+Home", "ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_text("turn 1, chosen (2, 1)")).to_be_visible()
    new = made.head_picture(14, 2)
    expect(frame.get_by_role("status")).to_have_text(said(new, 2, 1))
    expect(frame.locator(".area")).to_be_focused()
    got = reading.pixels(frame, 14, 14)[..., :3]
    np.testing.assert_allclose(got, reading.coloured(new, (255, 255, 255)), atol=COLOUR)
    point(frame, 7, 6, 14, 14)
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_text("turn 2, chosen (7, 6)")).to_be_visible()
    assert frame.evaluate("frame => [frame.same, frame.blank, frame.jumps]") == [True, 0, 0]


def test_a_run_without_news_neither_repaints_nor_speaks(app_pictures: Shown, visit: Visit) -> None:
    page = visit(f"{app_pictures.url}/?n=14")
    (frame,) = frames(page)
    drawn = frame.get_attribute("data-drawn")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("run 2")).to_be_visible()
    page.wait_for_timeout(200)
    assert frame.get_attribute("data-drawn") == drawn
    expect(frame.get_by_role("status")).to_have_text("")
