"""The picture of a step in a real browser: keys, hover, files. Sums: `tests/figures/web/steps`."""

from __future__ import annotations

import base64
import io
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from core.walkthroughs.steps.record import Step
from tests.browser.pictures.steps import steps_pictures as made
from tests.browser.pictures.steps.steps_reading import boxes, point, value, written
from tests.browser.reading import frames, labels, meet
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]


def shown(
    visit: Visit, step: Step, *, width: int = 1440, scheme: str = "light", **more: object
) -> Page:
    """The picture on a page without a server."""
    html = made.picture(step, **more).to_html(events=["state"])
    whole = f"<!doctype html><meta charset=utf-8><title>step</title>{html}"
    address = "data:text/html;base64," + base64.b64encode(whole.encode()).decode()
    page = visit(address, width=width, scheme=scheme)
    page.evaluate(
        "globalThis.told = []; addEventListener('polysee:state', event => told.push(event.detail))"
    )
    return page


def test_hidden_cells_are_marked_not_by_colour_alone(visit: Visit) -> None:
    (frame,) = frames(shown(visit, made.of_kind("mask")))
    hatched = frame.locator('svg path[data-part="hidden"]')
    assert hatched.count() == 10
    assert [label.text for label in labels(frame, "number")].count("−∞") == 10
    point(frame, made.of_kind("mask"), -1, 0, 3)
    assert written(frame).endswith("−∞")
    point(frame, made.of_kind("mask"), 0, 0, 3)  # the same place before: its sum is that of the result
    assert written(frame).endswith("−∞")


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


@pytest.mark.parametrize(
    ("kind", "width"), some([*((kind, 390) for kind in made.KINDS), ("product", 1440)], 3)
)
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


@pytest.mark.parametrize("scheme", some(["dark", "light"], 1))
def test_saved_files_hold_the_picture(visit: Visit, scheme: str) -> None:
    page = shown(visit, made.of_kind("softmax"), scheme=scheme)
    (frame,) = frames(page)
    saved = {}
    for kind in ("PNG", "SVG"):
        download = save_picture(page, kind)
        assert download.suggested_filename == f"polysee-softmax.{kind.lower()}"
        saved[kind] = download.path().read_bytes()
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
