"""Bars by keys, by pointer and as a table; the events for the page; rows that scroll."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.charts import bars_pictures as made
from tests.browser.pictures.charts.bars_reading import focus, middle, rects
from tests.browser.reading import frames, labels, point_at

Visit = Callable[..., Page]
ISOLATED = "\u2068{}\u2069"


def test_every_number_by_keys_by_pointer_and_as_a_table(charts: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind=both"))
    page, heard = frame.page, focus(frame)
    expect(heard).to_have_text("␣money: with the cut 0.2000, before 0.3000")  # the framed row
    note = ISOLATED.format(made.NOTES[2])
    for key, said in [
        ("ArrowDown", f"␣river: with the cut 0.1250, before 0.1250, {note}"),
        ("Home", f"␣bank: with the cut 0.4321, before 0.1000, {ISOLATED.format('first')}"),
        ("ArrowUp", f"␣bank: with the cut 0.4321, before 0.1000, {ISOLATED.format('first')}"),
        (
            "End",
            "␣pneumonoultramicroscopic: with the cut 0.0006789, before 0.2500, "
            + ISOLATED.format("last"),
        ),
        ("ArrowUp", "␣account: with the cut 0.01235, before 0.02000"),
        ("ArrowUp", "שלום: with the cut 0.03000, before 0"),
    ]:
        page.keyboard.press(key)
        expect(heard).to_have_text(said)
        expect(frame.locator(".tip")).to_have_text(said)
        expect(frame.locator(".tip")).to_be_visible()
    assert frame.locator(".tip bdi").all_inner_texts() == ["שלום"]
    cursor, whole = frame.locator(".cursor").bounding_box(), frame.bounding_box()
    assert cursor is not None
    assert whole is not None
    assert cursor["y"] + cursor["height"] / 2 - whole["y"] == pytest.approx(middle(frame, 4)[1], abs=1)
    page.keyboard.press("Escape")
    expect(frame.locator(".tip")).to_be_hidden()
    point_at(frame, *middle(frame, 3))
    expect(frame.locator(".tip")).to_have_text(
        f"s: with the cut 0.06250, before 0.5000, {ISOLATED.format(made.NOTES[3])}"
    )
    table = page.get_by_role("table")
    expect(table.locator("caption")).to_have_text("All 7 rows, probability")
    heads = table.get_by_role("columnheader").all_inner_texts()
    assert heads == ["word", "with the cut", "before", "note"]
    rows = [row.locator("td").all_inner_texts() for row in table.locator("tr").all()[1:]]
    assert len(rows) == 7
    assert rows[0] == ["␣bank", "0.4321", "0.1000", "first"]
    assert rows[2] == ["␣river", "0.1250", "0.1250", "with <i>signs</i>"]
    assert frame.locator("i, b").count() == 0


@pytest.mark.fuzz
def test_a_bar_is_chosen_only_where_the_page_listens(app_charts: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{app_charts.url}/?kind=chances&listens=1"))
    page, area = frame.page, frame.locator(".area")
    assert area.evaluate("area => getComputedStyle(area).cursor") == "pointer"
    point_at(frame, *middle(frame, 5))
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_text("bar 5")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("bar 5")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("bar 4")).to_be_visible()
    (frame,) = frames(visit(f"{app_charts.url}/?kind=chances"))
    page, area = frame.page, frame.locator(".area")
    assert area.evaluate("area => getComputedStyle(area).cursor") != "pointer"
    point_at(frame, *middle(frame, 5))
    page.mouse.down()
    page.mouse.up()
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    expect(page.get_by_text("run 1, bar None")).to_be_visible()


def test_many_rows_scroll_and_the_picture_says_which_it_shows(charts: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind=many"))
    page, area = frame.page, frame.locator(".area")

    def shown() -> list[int]:
        return [bar.of for bar in rects(frame, "bar")]

    def title() -> str:
        return labels(frame, "title")[0].text

    rows = shown()
    assert 40 in rows  # the framed row is in sight
    assert 19 <= len(rows) < 30
    assert rows == [*range(rows[0], rows[-1] + 1)]
    assert title() == f"probability; rows {rows[0] + 1}–{rows[-1] + 1} of 50"
    heard = focus(frame)
    expect(heard).to_have_text("␣word40: 0.001478")
    page.keyboard.press("Home")
    expect(heard).to_have_text("␣word0: 0.1000")
    assert shown()[0] == 0
    page.keyboard.press("PageDown")
    expect(heard).to_have_text("␣word10: 0.03487")
    assert shown()[0] == 0
    page.keyboard.press("End")
    expect(heard).to_have_text("␣word49: 0.0005726")
    assert shown()[-1] == 49
    box = area.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 10)
    page.mouse.wheel(0, -5000)
    expect(frame.locator("[data-part=bar][data-of='0']")).to_have_count(1)
    assert title().startswith("probability; rows 1–")
    pitch = rects(frame, "bar")[1].y - rects(frame, "bar")[0].y
    area.evaluate("(area, to) => { area.scrollTop = to; }", 7 * pitch)  # a wheel may stop short of it
    expect(frame.locator("[data-part=bar][data-of='0']")).to_have_count(0)
    assert shown()[0] == 7
    point_at(frame, *middle(frame, 9))
    expect(frame.locator(".tip")).to_have_text("␣word9: 0.03874")  # as far as it is scrolled
    table = page.get_by_role("table")
    expect(table.locator("caption")).to_have_text("The 20 strongest of 50 rows, probability")
    cells = [row.locator("td").first.inner_text() for row in table.locator("tr").all()[1:]]
    assert cells == [f"␣word{i}" for i in range(20)]


def test_odd_labels_are_text(charts: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind=odd", width=390))
    shown = ["<b>bold</b>", "😀👩‍👩‍👧", "שלום", "مرحبا", "</script>", "a␁b", "(space)", "日本語␣", "␊"]
    assert [label.text for label in labels(frame, "label")] == shown
    heard = focus(frame)
    for text, value in zip(shown, range(1, 10), strict=True):
        expect(heard).to_have_text(f"{text}: 0.{value}000")
        frame.page.keyboard.press("ArrowDown")
    assert frame.locator("b, i").count() == 0
    assert "<i>unit</i>" in "".join(label.text for label in labels(frame, "title"))


def test_a_note_has_room_below_a_single_bar(charts: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind=one", width=390))
    focus(frame)
    tip, whole = frame.locator(".tip").bounding_box(), frame.bounding_box()
    assert tip is not None
    assert whole is not None
    assert tip["y"] >= whole["y"]
    assert tip["y"] + tip["height"] <= whole["y"] + whole["height"] + 1


@pytest.mark.fuzz
def test_new_numbers_are_painted_into_the_same_picture_and_the_same_ones_not_at_all(
    app_charts: Shown, visit: Visit
) -> None:
    page = visit(app_charts.url)
    (frame,) = frames(page)
    frame.evaluate("frame => { frame.same = true; }")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("run 2")).to_be_visible()
    page.wait_for_timeout(200)
    expect(frame).to_have_attribute("data-drawn", "1")
    expect(frame.get_by_role("status")).to_have_text("")
    page.get_by_role("combobox", name="Seed").click()
    page.get_by_role("option", name="2").click()
    expect(frame).to_have_attribute("data-drawn", "2")
    assert frame.evaluate("frame => frame.same") is True
    assert labels(frame, "number")[0].text == "0.216"
