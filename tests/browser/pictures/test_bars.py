"""Bars in the browser: how long they are, on which side, what is saved of them."""

from __future__ import annotations

import base64
import io
import itertools
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from core.figures import style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import bars_pictures as made
from tests.browser.pictures.bars_reading import across, middle, rects
from tests.browser.reading import frames, labels, point_at, shapes

Visit = Callable[..., Page]
PIXEL = 0.02


@pytest.mark.parametrize("width", [1440, 390])
def test_bars_are_as_long_as_their_numbers(charts: Shown, visit: Visit, width: int) -> None:
    (frame,) = frames(visit(charts.url, width=width))
    bars, x = rects(frame, "bar"), across(frame)
    assert [bar.of for bar in bars] == [*range(7)]
    assert {bar.fill for bar in bars} == {f"rgb{style.WEIGHT_HUE}"}
    long = np.array([bar.width for bar in bars])
    np.testing.assert_allclose(long / long[0], np.array(made.CHANCES) / made.CHANCES[0], atol=1e-5)
    for bar, value in zip(bars, made.CHANCES, strict=True):
        assert bar.x == pytest.approx(x(0), abs=PIXEL)
        assert bar.x + bar.width == pytest.approx(x(value), abs=PIXEL)
    tops = np.diff([bar.y for bar in bars])
    np.testing.assert_allclose(tops, tops[0])
    assert long[0] > 0.4 * min(width, 900)  # the largest all but fills the scale
    names, numbers = labels(frame, "label"), labels(frame, "number")
    assert [number.text for number in numbers] == [
        *("0.432", "0.200", "0.125", "0.063", "0.030", "0.012", "<0.001")
    ]
    assert [name.text for name in names][:6] == ["␣bank", "␣money", "␣river", "s", "שלום", "␣account"]
    for bar, name, number in zip(bars, names, numbers, strict=True):
        assert number.left == pytest.approx(bar.x + bar.width + 6, abs=1)
        assert name.right < bar.x - 4
        for text in (name, number):
            assert (text.top + text.bottom) / 2 == pytest.approx(bar.y + bar.height / 2, abs=2)
    assert [label.text for label in labels(frame, "title")] == ["probability"]


def test_a_fixed_scale_ends_where_it_is_told(charts: Shown, visit: Visit) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind=fixed"))
    assert labels(frame, "tick")[-1].text in ("1", "1.0")
    whole = labels(frame, "tick")[-1].x - rects(frame, "bar")[0].x
    assert rects(frame, "bar")[0].width == pytest.approx(made.CHANCES[0] * whole, abs=0.1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signed_bars_go_to_the_side_of_their_sign(charts: Shown, visit: Visit, scheme: str) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind=contributions", scheme=scheme))
    x, (zero,) = across(frame), rects(frame, "zero")
    below, above = style.SIGNED_ON_DARK if scheme == "dark" else style.SIGNED_ON_LIGHT
    assert x(0) == pytest.approx(zero.x + 0.5, abs=PIXEL)
    bars, numbers = rects(frame, "bar"), labels(frame, "number")
    for bar, number, value in zip(bars, numbers, made.CONTRIBUTIONS, strict=True):
        ends = sorted([x(0), x(value)])
        assert [bar.x, bar.x + bar.width] == pytest.approx(ends, abs=PIXEL)
        assert bar.fill == f"rgb{below if value < 0 else above}"
        if value < 0:
            assert number.right == pytest.approx(bar.x - 6, abs=1)
        else:
            assert number.left == pytest.approx(bar.x + bar.width + 6, abs=1)
    assert [number.text for number in numbers] == ["+1.500", "−0.750", "0.000", "−3.000", "+0.001"]
    ticks = [float(tick.text.replace("−", "-")) for tick in labels(frame, "tick")]
    assert ticks == [-tick for tick in reversed(ticks)]
    assert max(ticks) == 3


@pytest.mark.parametrize(
    ("kind", "values", "others"),
    [("both", made.CHANCES, made.BEFORE), ("moved", made.CONTRIBUTIONS, made.EARLIER)],
)
@pytest.mark.parametrize("width", [1440, 390])
def test_others_are_outlines_named_in_a_legend(
    charts: Shown,
    visit: Visit,
    kind: str,
    values: tuple[float, ...],
    others: tuple[float, ...],
    width: int,
) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind={kind}", width=width))
    x, bars, outlines = across(frame), rects(frame, "bar"), shapes(frame, "other")
    assert [outline.of for outline in outlines] == [*range(len(values))]
    for bar, outline, value, other in zip(bars, outlines, values, others, strict=True):
        assert outline.fill == "none"
        assert bar.width == pytest.approx(abs(x(value) - x(0)), abs=PIXEL)
        sides = sorted([x(0), x(other)])
        assert outline.x - outline.width / 2 == pytest.approx(sides[0], abs=0.1)
        assert outline.x + outline.width / 2 == pytest.approx(sides[1], abs=0.1)
        assert outline.height == pytest.approx(bar.height + 5, abs=0.1)
    for number, outline in zip(labels(frame, "number"), outlines, strict=True):
        for edge in (outline.x - outline.width / 2, outline.x + outline.width / 2):
            assert not number.left - 1 < edge < number.right + 1  # no line through a number
    names = {"both": ["with the cut", "before"], "moved": ["after", "before"]}[kind]
    assert [label.text for label in labels(frame, "legend")] == names
    (framed,) = rects(frame, "chosen")
    row = {"both": 1, "moved": 3}[kind]
    assert framed.of == row
    assert framed.y < bars[row].y < bars[row].y + bars[row].height < framed.y + framed.height
    assert [i for i, label in enumerate(labels(frame, "label")) if label.bold] == [row]


@pytest.mark.parametrize("width", [360, 900])
@pytest.mark.parametrize("kind", ["chances", "both", "contributions", "moved", "odd", "many", "one"])
def test_no_words_meet_and_all_stay_inside(charts: Shown, visit: Visit, kind: str, width: int) -> None:
    (frame,) = frames(visit(f"{charts.url}/?kind={kind}", width=width))
    whole, found, save = frame.bounding_box(), labels(frame), frame.locator(".save").bounding_box()
    assert whole is not None
    assert save is not None
    left, top = save["x"] - whole["x"], save["y"] - whole["y"]
    bottom = top + save["height"]
    buttons = found[0]._replace(left=left, top=top, right=left + save["width"], bottom=bottom)
    for one, other in itertools.combinations([*found, buttons], 2):
        assert not reading.meet(one, other), (one, other)
    for label in [*found, buttons]:
        assert label.left >= -1
        assert label.right <= whole["width"] + 1
        assert label.top >= -1
        assert label.bottom <= whole["height"] + 1


@pytest.mark.parametrize("kind", ["both", "moved"])
def test_saved_files_hold_the_picture(charts: Shown, visit: Visit, kind: str) -> None:
    page = visit(f"{charts.url}/?kind={kind}", scheme="dark")
    (frame,) = frames(page)
    saved = {}
    for what in ("PNG", "SVG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save picture as {what}").click()
        name = {"both": "next", "moved": "contribution"}[kind]
        assert download.value.suggested_filename == f"polysee-{name}.{what.lower()}"
        saved[what] = download.value.path().read_bytes()
    whole = frame.bounding_box()
    assert whole is not None
    image = Image.open(io.BytesIO(saved["PNG"]))
    assert image.size == (2 * int(whole["width"]), 2 * int(whole["height"]))
    page.mouse.move(0, 0)
    screen = Image.open(io.BytesIO(frame.screenshot())).convert("RGB").resize(image.size)
    difference = np.abs(np.asarray(screen, float) - np.asarray(image.convert("RGB"), float))
    assert difference.mean() < 4  # all but the buttons and the edges of letters
    root = ET.fromstring(saved["SVG"])
    ns = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in root.iter(f"{ns}text")] == [label.text for label in labels(frame)]
    drawn = [bar for bar in root.iter(f"{ns}rect") if bar.get("data-part") == "bar"]
    long = np.array([float(bar.attrib["width"]) for bar in drawn])
    values = np.abs({"both": made.CHANCES, "moved": made.CONTRIBUTIONS}[kind])
    np.testing.assert_allclose(long / long.max(), values / values.max(), atol=1e-5)


def test_a_page_of_its_own_draws_it_offline_and_hears_of_a_choice(visit: Visit) -> None:
    html = made.chances().to_html(events=["bar"]) + made.contributions().to_html(with_code=False)
    whole = f"<!doctype html><meta charset=utf-8><title>saved</title>{html}"
    page = visit("data:text/html;base64," + base64.b64encode(whole.encode()).decode())
    first, second = frames(page, 2)
    page.evaluate("addEventListener('polysee:bar', event => { globalThis.chosen = event.detail; })")
    first.locator("[data-part=label]").nth(2).scroll_into_view_if_needed()
    point_at(first, *middle(first, 2))
    page.mouse.down()
    page.mouse.up()
    assert page.evaluate("chosen") == {"index": 2}
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("chosen") == {"index": 3}
    assert len(rects(second, "bar")) == 5
