"""SVG and PNG of a view, drawn by an installed Chromium: the bytes that the picture's menu makes."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

import core
from core.notebook import browser

TEXT = "On the river bank"

pytestmark = pytest.mark.check


@pytest.fixture(autouse=True)
def _needs_a_browser() -> None:
    if browser.find() is None:
        pytest.skip("no Chromium is installed")


def test_a_head_as_svg_has_its_tokens_and_a_title(minilm: core.Model, tmp_path: Path) -> None:
    view = core.head(minilm.trace(TEXT), 2, 5)
    root = ElementTree.parse(view.save(tmp_path / "head.svg")).getroot()
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"river", "bank", "[CLS]"} <= {*texts}
    assert any("Layer 3, head 6" in text for text in texts)
    assert int(root.get("width", "0")) == browser.WIDTH


@pytest.mark.fuzz
def test_a_choice_is_in_the_file(minilm: core.Model, tmp_path: Path) -> None:
    view = core.head(minilm.trace(TEXT), 2, 5)
    before = view.save(tmp_path / "a.svg").read_text("utf-8")
    view.head = 0  # type: ignore[attr-defined]
    after = view.save(tmp_path / "b.svg").read_text("utf-8")
    assert "Layer 3, head 1" in after
    assert "Layer 3, head 1:" not in before


def test_a_png_has_two_pixels_for_one(minilm: core.Model, tmp_path: Path) -> None:
    file = core.heads(minilm.trace(TEXT)).save(tmp_path / "heads.png")
    pixels = np.asarray(Image.open(io.BytesIO(file.read_bytes())).convert("RGB"))
    assert pixels.shape[1] == 2 * browser.WIDTH
    assert pixels[0, 0].tolist() == [255, 255, 255]
    assert pixels.std() > 5  # something is painted


@pytest.mark.fuzz
def test_three_dimensions_are_drawn_too(tmp_path: Path) -> None:
    from core.figures import GroupedPoints, cloud_in_space, groups_of

    coordinates = np.random.default_rng(0).normal(size=(5, 1, 3))
    points = GroupedPoints(coordinates, [("", "w", "")] * 5, groups_of(["a"]), [0] * 5, ["learned"])
    titles = ["x", "y", "z"]
    picture = cloud_in_space(points, depth=0, titles=titles, sentence="Five.", name="n")
    program = browser.find()
    assert program is not None
    made = browser.drawn(picture, "PNG", program)
    assert np.asarray(Image.open(io.BytesIO(made)).convert("L")).std() > 1


def test_a_dark_notebook_on_a_light_machine_is_readable(
    minilm: core.Model, chromium: Browser, tmp_path: Path
) -> None:
    picture = core.heads(minilm.trace(TEXT)).picture
    look = "<style>:root{--jp-layout-color0:#111;--jp-content-font-color1:#eee}</style>"
    (tmp_path / "dark.html").write_text(look + picture.to_html(), "utf-8")
    with chromium.new_context(color_scheme="light", offline=True) as context:
        page = context.new_page()
        page.goto((tmp_path / "dark.html").as_uri())
        chosen = page.locator(".picture [aria-checked=true]").first
        letters = chosen.locator("bdi").evaluate("node => getComputedStyle(node).color")
        assert letters == "rgb(17, 17, 17)"
        behind = chosen.evaluate("node => getComputedStyle(node).backgroundColor")
        assert behind == "rgb(238, 238, 238)"
