"""Curves in the browser: reading aloud, gaps, unusual names. Positions: `tests/figures/web/charts`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.figures import style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures.points import points_pictures as made
from tests.browser.reading import Label, frames, labels, point_at, shapes
from tests.tiers import crossed, some

Visit = Callable[..., Page]
A, B = made.BANK["A"][:, 0], made.BANK["B"][:, 0]
PIXEL = 0.15  # places are written with two digits


def ticks(frame: Locator) -> dict[str, float]:
    """The middle of each name under the axis."""
    return {label.text: (label.left + label.right) / 2 for label in labels(frame, "tick")}


def height_of(frame: Locator) -> Callable[[float], float]:
    """The map from values to pixels, by the three guides."""
    slope, start = reading.scale([guide.y for guide in shapes(frame, "guide")], [-1, 0, 1])
    return lambda value: slope * value + start


@pytest.mark.parametrize(
    ("query", "width"), crossed(["lines", "band", "oddlines", "gaps"], [360, 700], of=2)
)
def test_no_words_meet_and_all_stay_inside(
    pictures: Shown, visit: Visit, query: str, width: int
) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?kind={query}", width=width))
    whole, found = frame.bounding_box(), labels(frame)
    save = frame.locator(".save").bounding_box()
    assert whole is not None
    assert save is not None
    left, top = save["x"] - whole["x"], save["y"] - whole["y"]
    buttons = found[0]._replace(
        left=left, top=top, right=left + save["width"], bottom=top + save["height"]
    )
    for one, other in combinations([*found, buttons], 2):
        if {one.part, other.part} != {"guide"}:  # guides may be as close as their values are
            assert not reading.meet(one, other), (one, other)
    for label in found:
        assert label.left >= -1
        assert label.right <= whole["width"] + 1
        assert label.top >= -1
        assert label.bottom <= whole["height"] + 1
    assert top + save["height"] <= whole["height"] + 1
    assert len(labels(frame, "end")) == {"lines": 2, "band": 2, "gaps": 3, "oddlines": 6}[query]


def test_a_gap_is_a_gap(pictures: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?kind=gaps"))
    marks = {mark.of for mark in shapes(frame, "mark")}
    values = np.array(list(made.GAPS.values()))
    assert marks == set(np.flatnonzero(~np.isnan(values.ravel())))
    paths = [line.d for line in shapes(frame, "line")]
    assert "NaN" not in "".join(paths)
    assert [path.count("M") for path in paths] == [2, 2, 1]  # parts, a lone point among them
    assert [label.text for label in labels(frame, "end")] == ["one", "two", "three"]
    page, heard = frame.page, frame.get_by_role("status")
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(heard).to_have_text("one, Step 4: 0.1250")  # its last number
    for key, said in [
        ("ArrowLeft", "one, Step 2: 0.5000"),  # over the gap
        ("ArrowDown", "three, Step 2: −0.5000"),  # two has none there
        ("Home", "three, Step 0: −0.7500"),
        ("ArrowUp", "two, Step 0: 0.5000"),
        ("ArrowUp", "two, Step 0: 0.5000"),
        ("End", "two, Step 5: 0.7500"),
        ("ArrowDown", "three, Step 5: 0.7000"),
    ]:
        page.keyboard.press(key)
        expect(heard).to_have_text(said)
    cells = frame.locator("td").all_inner_texts()
    assert cells[:8] == ["Step 0", "–", "0.5000", "−0.7500", "Step 1", "0.2500", "−0.5000", "−0.5000"]
    assert "NaN" not in frame.inner_text()


@pytest.mark.parametrize("width", some([440, 1440], 1))
def test_hover_names_and_rings_the_nearest_point(pictures: Shown, visit: Visit, width: int) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?kind=lines", width=width))
    tip, ring = frame.locator(".tip"), frame.locator(".near")
    expect(tip).to_be_hidden()
    expect(ring).to_be_hidden()
    for mark in shapes(frame, "mark"):
        line, step = divmod(mark.of, 8)
        point_at(frame, mark.x - 3, mark.y + (3 if line else -3))
        number = style.signed((A, B)[line][step], 3)
        who = "Sentence A, Sentence B" if step == 1 else f"Sentence {'AB'[line]}"  # there the two meet
        expect(tip).to_have_text(f"{who}, {made.STEPS[step]}: {number}")
        expect(ring).to_be_visible()
        box, whole, told = ring.bounding_box(), frame.bounding_box(), tip.bounding_box()
        assert box is not None
        assert whole is not None
        assert told is not None
        assert box["x"] + box["width"] / 2 - whole["x"] == pytest.approx(mark.x, abs=0.6)
        assert box["y"] + box["height"] / 2 - whole["y"] == pytest.approx(mark.y, abs=0.6)
        assert told["x"] >= whole["x"]
        assert told["x"] + told["width"] <= whole["x"] + whole["width"] + 0.5
    (start,) = shapes(frame, "start")
    point_at(frame, start.x, start.y)
    expect(tip).to_have_text("learned, the same in both: −0.622")
    frame.page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    expect(ring).to_be_hidden()


def test_the_keyboard_alone_reads_every_point(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=lines")
    (frame,) = frames(page)
    heard = frame.get_by_role("status")
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("application", name="The path of bank.")).to_be_focused()
    expect(heard).to_have_text("Sentence A, Layer 6: −0.167")
    for key, said in [
        ("ArrowRight", "Sentence A, Layer 6: −0.167"),
        ("ArrowLeft", "Sentence A, Layer 5: −0.538"),
        ("ArrowDown", "Sentence B, Layer 5: −0.855"),
        ("ArrowDown", "Sentence B, Layer 5: −0.855"),
        ("Home", "learned, the same in both: −0.622"),
        ("ArrowRight", "Sentence A, Sentence B, + position: −0.580"),
        ("End", "Sentence B, Layer 6: −0.660"),
        ("ArrowUp", "Sentence A, Layer 6: −0.167"),
    ]:
        page.keyboard.press(key)
        expect(heard).to_have_text(said)
        expect(frame.locator(".tip")).to_have_text(said)
    cursor, whole = frame.locator(".cursor").bounding_box(), frame.bounding_box()
    assert cursor is not None
    assert whole is not None
    last = next(mark for mark in shapes(frame, "mark") if mark.of == 7)
    assert cursor["x"] + cursor["width"] / 2 - whole["x"] == pytest.approx(last.x, abs=0.6)
    assert cursor["y"] + cursor["height"] / 2 - whole["y"] == pytest.approx(last.y, abs=0.6)
    page.keyboard.press("Escape")
    expect(frame.locator(".tip")).to_be_hidden()
    table = page.get_by_role("table")
    assert table.get_by_role("columnheader").all_inner_texts() == ["", "Sentence A", "Sentence B"]
    got = [row.locator("td").all_inner_texts() for row in table.locator("tr").all()[1:]]
    assert got == [
        [step, style.signed(a, 3), style.signed(b, 3)]
        for step, a, b in zip(made.STEPS, A, B, strict=True)
    ]


def test_odd_names_are_text(pictures: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{pictures.url}/?kind=oddlines", width=700))
    ends: list[Label] = labels(frame, "end")
    assert [label.text for label in ends][:4] == ["<b>bold</b>", "😀👩‍👩‍👧 family", "שלום", "a␁�b"]
    assert frame.locator("b, i").count() == 0
    page = frame.page
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    heard = frame.get_by_role("status")
    expect(heard).to_contain_text("<b>bold</b>, <b>bold</b>: ")
    page.keyboard.press("ArrowRight")
    expect(heard).to_contain_text("<b>bold</b>, 😀👩‍👩‍👧 family: ")
    assert frame.locator(".tip bdi").all_inner_texts() == ["<b>bold</b>", "😀👩‍👩‍👧 family"]
    for note in labels(frame, "title"):
        assert "<i>axis</i>" in note.text
    assert labels(frame, "title")[-1].text.endswith("…")


@pytest.mark.fuzz
def test_new_numbers_are_painted_into_the_same_picture_and_the_same_ones_not_at_all(
    app_pictures: Shown, visit: Visit
) -> None:
    page = visit(f"{app_pictures.url}/?kind=lines")
    (frame,) = frames(page)
    frame.evaluate("frame => { frame.same = true; }")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("run 2")).to_be_visible()
    page.wait_for_timeout(200)
    expect(frame).to_have_attribute("data-drawn", "1")
    expect(frame.get_by_role("status")).to_have_text("")
    page.get_by_role("combobox", name="Seed").click()
    page.get_by_role("option", name="3").click()
    expect(frame).to_have_attribute("data-drawn", "2")
    assert frame.evaluate("frame => frame.same") is True
    last = next(mark for mark in shapes(frame, "mark") if mark.of == 15)
    assert last.y == pytest.approx(height_of(frame)(B[-1] + 0.2), abs=PIXEL)
    assert labels(frame, "end")[1].text == "B −0.46"
