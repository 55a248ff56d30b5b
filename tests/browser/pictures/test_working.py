"""A step's picture in a real browser: the sum that is written out is the cell; keys, frames, files."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from core.walkthroughs.steps.record import Step
from tests.browser.pictures import working_pictures as made
from tests.browser.pictures.working_reading import boxes, frame_of, point, value, worked_out, written
from tests.browser.reading import frames, labels, meet

Visit = Callable[..., Page]


def shown(
    visit: Visit, step: Step, *, width: int = 1440, scheme: str = "light", **more: object
) -> Page:
    """The picture on a page that comes from nowhere."""
    html = made.picture(step, **more).to_html(events=["state"])
    whole = f"<!doctype html><meta charset=utf-8><title>step</title>{html}"
    address = "data:text/html;base64," + base64.b64encode(whole.encode()).decode()
    page = visit(address, width=width, scheme=scheme)
    page.evaluate(
        "globalThis.told = []; addEventListener('polysee:state', event => told.push(event.detail))"
    )
    return page


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("inner", [7, 31])
def test_every_cell_of_a_product_is_written_out(visit: Visit, inner: int, bias: bool) -> None:
    step = made.product(inner, bias=bias)
    page = shown(visit, step)
    (frame,) = frames(page)
    for row in range(5):
        for column in range(3):
            point(frame, step, -1, row, column)
            text, cell = written(frame), step.result.values[row, column]
            assert value(text.rpartition("= ")[2]) == pytest.approx(cell, abs=6e-5)
            assert worked_out(text) == pytest.approx(cell, abs=2e-4), text
            assert labels(frame, "cell")[0].text.endswith(f", {column + 1}]")
    terms = text.count("×")
    assert terms == (7 if inner == 7 else 4)
    assert ("more terms" in text) == (inner == 31)


def test_the_row_and_the_column_are_framed(visit: Visit) -> None:
    step = made.product()
    (frame,) = frames(shown(visit, step))
    point(frame, step, -1, 3, 2)
    lit, all_boxes = frame_of(frame), boxes(frame)
    assert sorted(lit) == [0, 1, 2, 3]
    for m, (rows, columns), row, column in (
        (0, (5, 7), 3, None),
        (1, (7, 3), None, 2),
        (2, (1, 3), 0, 2),
        (3, (5, 3), 3, 2),
    ):
        box = all_boxes[m]
        across, down = box["width"] / columns, box["height"] / rows
        x = box["x"] + (0 if column is None else column * across)
        y = box["y"] + (0 if row is None else row * down)
        wide = box["width"] if column is None else across
        high = box["height"] if row is None else down
        assert lit[m] == pytest.approx([x, y, wide, high], abs=4)


@pytest.mark.parametrize("kind", [kind for kind in made.KINDS if kind not in ("pieces", "product")])
def test_each_kind_says_how_its_cells_come_about(visit: Visit, kind: str) -> None:
    step = made.of_kind(kind)
    (frame,) = frames(shown(visit, step))
    for row, column in ((4, 1), (2, 0)):
        point(frame, step, -1, row, column)
        text, cell = written(frame), float(step.result.values[row, column])
        number = value(re.split(r"[=:] |stays ", text)[-1])
        assert number == pytest.approx(cell, abs=6e-5), text
        assert kind != "scale" or " / √4 = " in text
        if kind in ("sum", "scale", "compare"):
            plain = re.sub(r"\((even|S)\)", "", text)
            assert worked_out(plain) == pytest.approx(cell, abs=2e-4)
        if kind == "softmax":
            over, below = re.findall(r"= ([\d.]+) / ([\d.]+) =", text)[0]
            assert float(over) / float(below) == pytest.approx(cell, abs=2e-4)
            assert text.count("e^") == row + 2  # of those that are not hidden, and its own
        if kind == "norm":
            own = step.operands[0].values[row]
            said = re.findall(r"mean of the row (−?[\d.]+), variance ([\d.]+)", text)[0]
            assert [value(x) for x in said] == pytest.approx([own.mean(), own.var()], abs=1e-4)


def test_hidden_cells_are_marked_not_by_colour_alone(visit: Visit) -> None:
    (frame,) = frames(shown(visit, made.of_kind("mask")))
    hatched = frame.locator('svg path[data-part="hidden"]')
    assert hatched.count() == 10
    assert [label.text for label in labels(frame, "number")].count("−∞") == 10
    point(frame, made.of_kind("mask"), -1, 0, 3)
    assert written(frame).endswith("−∞")
    point(frame, made.of_kind("mask"), 0, 0, 3)  # the same place before: its sum is that of the result
    assert written(frame).endswith("−∞")


def test_the_numbers_stand_in_the_cells_where_they_fit(visit: Visit) -> None:
    step = made.product()
    (frame,) = frames(shown(visit, step))
    texts = [label.text for label in labels(frame, "number")]
    expected = np.concatenate([one.values.ravel() for one in (*step.operands, step.result)])
    np.testing.assert_allclose([value(text) for text in texts], expected, atol=0.0051)
    (narrow,) = frames(shown(visit, made.product(384, 16, 32)))
    assert not labels(narrow, "number")


def test_keys_move_and_speak(visit: Visit) -> None:
    step = made.product()
    page = shown(
        visit, step, titles=("one", "two", "three"), at=1, state={"row": 1, "column": 1, "step": 1}
    )
    (frame,) = frames(page)
    area, live = frame.locator(".area"), frame.get_by_role("status")
    page.keyboard.press("Tab")  # the bar of steps
    page.keyboard.press("Tab")
    expect(area).to_be_focused()
    for key, row, column in (
        ("ArrowDown", 2, 1),
        ("End", 2, 2),
        ("ArrowRight", 2, 2),
        ("Control+Home", 0, 0),
        ("ArrowUp", 0, 0),
    ):
        page.keyboard.press(key)
        said = live.inner_text()
        assert said.startswith("A product. Q [")
        assert value(said.rpartition("= ")[2]) == pytest.approx(
            step.result.values[row, column], abs=6e-5
        )
    # A slow machine may rest between two keys for long enough that each is told.
    page.wait_for_function("told.length > 0 && told.at(-1).row === 0")
    assert page.evaluate("({ ...told.at(-1), n: 0 })") == {"n": 0, "step": 1, "row": 0, "column": 0}
    page.keyboard.press("n")
    assert page.evaluate("told.at(-1).step") == 2
    page.keyboard.press("n")  # there is none behind the last
    page.keyboard.press("b")
    page.keyboard.press("b")
    page.keyboard.press("b")
    assert page.evaluate("told.map(state => state.step).slice(-3)") == [2, 1, 0]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowRight")  # along the bar
    assert page.evaluate("told.at(-1).step") == 1
    expect(frame.get_by_role("radio", name="Step 2: two")).to_be_checked()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")  # from anywhere on the page
    assert page.evaluate("told.at(-1).step") == 2
    page.evaluate("document.body.append(document.createElement('input'))")
    page.locator("body > input").press_sequentially("nbb")  # but where something is typed
    assert page.evaluate("told.at(-1).step") == 2


def test_two_numbers_can_stand_beside_each_other(visit: Visit) -> None:
    before, after = np.full((2, 1), 0.3568), np.full((2, 1), 1.9e-6)
    two = made.named("with positions", before), made.named("without", after)
    (frame,) = frames(shown(visit, made.step("compare", [two[0]], two[1], detail="beside")))
    assert written(frame) == "with positions 0.3568, without 1.9e−6"
    assert not labels(frame, "sign")


def test_pointing_at_an_operand_says_its_number(visit: Visit) -> None:
    step = made.product()
    (frame,) = frames(shown(visit, step))
    before = written(frame)
    point(frame, step, 1, 6, 2)
    tip = frame.locator(".tip")
    expect(tip).to_be_visible()
    text = tip.inner_text()
    assert text.startswith("W_Q [7, 3]: ")
    assert value(text.partition(": ")[2]) == pytest.approx(step.operands[1].values[6, 2], abs=6e-5)
    assert written(frame) == before
    frame.page.mouse.move(2, 2)
    expect(tip).to_be_hidden()


def test_the_table_holds_the_strongest(visit: Visit) -> None:
    step = made.product(7, 11, 5)
    (frame,) = frames(shown(visit, step))
    rows = frame.locator("table tr").all_inner_texts()
    assert len(rows) == 21
    sizes = sorted(np.abs(step.result.values).ravel(), reverse=True)[:20]
    got = [abs(value(row.split("\t")[-1])) for row in rows[1:]]
    np.testing.assert_allclose(got, sizes, atol=6e-5)


@pytest.mark.parametrize("width", [1440, 700, 390])
@pytest.mark.parametrize("kind", made.KINDS)
def test_no_words_meet_and_all_stay_inside(visit: Visit, kind: str, width: int) -> None:
    (frame,) = frames(shown(visit, made.of_kind(kind), width=width))
    whole = frame.bounding_box()
    assert whole is not None
    found = [label for label in labels(frame) if label.part != "lower"]
    for i, one in enumerate(found):
        assert one.left >= -1
        assert one.right <= whole["width"] + 1
        assert one.top >= -1
        assert one.bottom <= whole["height"] + 1
        for other in found[i + 1 :]:
            if not (one.turn or other.turn):
                assert not meet(one, other), (one, other)
    tops = [box["y"] for box in boxes(frame)]
    if width == 390 and len(tops) > 1:
        assert tops == sorted(set(tops))  # one below the other
    elif width == 1440:
        assert len({round(top) for top in tops}) <= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_saved_files_hold_the_picture(visit: Visit, scheme: str) -> None:
    page = shown(visit, made.of_kind("softmax"), scheme=scheme)
    (frame,) = frames(page)
    saved = {}
    for kind in ("PNG", "SVG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save picture as {kind}").click()
        assert download.value.suggested_filename == f"polysee-softmax.{kind.lower()}"
        saved[kind] = download.value.path().read_bytes()
    whole = frame.bounding_box()
    assert whole is not None
    image = Image.open(io.BytesIO(saved["PNG"])).convert("RGB")
    assert image.size == (2 * int(whole["width"]), 2 * int(whole["height"]))
    page.mouse.move(0, 0)
    screen = Image.open(io.BytesIO(frame.screenshot())).convert("RGB").resize(image.size)
    assert np.abs(np.asarray(screen, float) - np.asarray(image, float)).mean() < 4
    root = ET.fromstring(saved["SVG"])
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert written(frame) in " ".join(text for text in texts if text)
