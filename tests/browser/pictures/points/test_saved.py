"""Curves and points as files."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.conftest import Shown
from tests.browser.pictures.points.planes import settled
from tests.browser.reading import frames, labels, shapes
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]


@pytest.mark.fuzz
@pytest.mark.parametrize("scheme", some(["dark", "light"], 1))
def test_saved_curves_hold_the_picture(pictures: Shown, visit: Visit, scheme: str) -> None:
    page = visit(f"{pictures.url}/?kind=band", width=700, scheme=scheme)
    (frame,) = frames(page)
    saved = {}
    for kind in ("PNG", "SVG"):
        download = save_picture(page, kind)
        assert download.suggested_filename == f"polysee-path.{kind.lower()}"
        saved[kind] = download.path().read_bytes()
    whole = frame.bounding_box()
    assert whole is not None
    page.mouse.move(2, 2)
    image = Image.open(io.BytesIO(saved["PNG"]))
    assert image.size == (2 * int(whole["width"]), 2 * int(whole["height"]))
    screen = Image.open(io.BytesIO(frame.screenshot())).convert("RGB").resize(image.size)
    difference = np.abs(np.asarray(screen, float) - np.asarray(image.convert("RGB"), float))
    assert difference.mean() < 4
    pixels = np.asarray(image.convert("RGB"), int)
    for mark in shapes(frame, "mark")[1:]:  # B's covers the first
        colour = [int(mark.fill[i : i + 2], 16) for i in (1, 3, 5)]
        assert np.abs(pixels[int(2 * mark.y), int(2 * mark.x)] - colour).max() <= 2
    root = ET.fromstring(saved["SVG"])
    ns = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in root.iter(f"{ns}text")] == [label.text for label in labels(frame)]
    drawn = [path.get("d") for path in root.iter(f"{ns}path")]
    assert drawn == frame.locator("svg path").evaluate_all("all => all.map(p => p.getAttribute('d'))")
    assert (sum(pixels[0, 0]) < 100) == (scheme == "dark")


@pytest.mark.fuzz
@pytest.mark.parametrize("scheme", some(["dark", "light"], 1))
def test_saved_planes_say_the_depth_and_have_no_slider(
    pictures: Shown, visit: Visit, scheme: str
) -> None:
    page = visit(f"{pictures.url}/?kind=plane", width=700, scheme=scheme)
    (frame,) = frames(page)
    frame.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    settled(frame)
    saved = {}
    for kind in ("PNG", "SVG"):
        download = save_picture(page, kind)
        assert download.suggested_filename == f"polysee-move.{kind.lower()}"
        saved[kind] = download.path().read_bytes()
    whole = frame.bounding_box()
    assert whole is not None
    image = Image.open(io.BytesIO(saved["PNG"]))
    assert image.size == (2 * int(whole["width"]), 2 * int(whole["height"]))
    pixels = np.asarray(image.convert("RGB"), int)
    assert (sum(pixels[-1, 0]) < 100) == (scheme == "dark")
    marks = {mark.of: mark for mark in shapes(frame, "mark")}
    for i in (0, 1):
        colour = [int(marks[i].fill[k : k + 2], 16) for k in (1, 3, 5)]
        assert np.abs(pixels[int(2 * marks[i].y), int(2 * marks[i].x)] - colour).max() <= 2
    top = pixels[:50]  # where the slider is on the page, words stand in the file
    assert np.abs(top - pixels[-1, 0]).max() > 100
    root = ET.fromstring(saved["SVG"])
    ns = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{ns}text")]
    assert texts == [*(label.text for label in labels(frame)), "after Layer 5"]
    drawn_paths = [path.get("d") for path in root.iter(f"{ns}path")]
    assert drawn_paths == frame.locator("svg path").evaluate_all(
        "all => all.map(p => p.getAttribute('d'))"
    )
