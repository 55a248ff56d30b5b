"""Bars in the browser: no overlapping words; files. Their lengths: `tests/figures/web/charts`."""

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

from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures.charts import bars_pictures as made
from tests.browser.pictures.charts.bars_reading import middle, rects
from tests.browser.reading import frames, labels, point_at
from tests.browser.saving import save_picture
from tests.tiers import crossed

Visit = Callable[..., Page]


@pytest.mark.parametrize(
    ("kind", "width"),
    crossed(["chances", "both", "contributions", "moved", "odd", "many", "one"], [360, 900], of=3),
)
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


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["both", "moved"])
def test_saved_files_hold_the_picture(charts: Shown, visit: Visit, kind: str) -> None:
    page = visit(f"{charts.url}/?kind={kind}", scheme="dark")
    (frame,) = frames(page)
    saved = {}
    for what in ("PNG", "SVG"):
        download = save_picture(page, what)
        name = {"both": "next", "moved": "contribution"}[kind]
        assert download.suggested_filename == f"polysee-{name}.{what.lower()}"
        saved[what] = download.path().read_bytes()
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
