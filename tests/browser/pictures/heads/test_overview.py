"""All heads at once in the browser: painted, read aloud, chosen and saved."""

from __future__ import annotations

import base64
import io
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from core.figures import style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import heads_pictures as made
from tests.browser.reading import WHITE, frames, labels
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]
COLOUR = 4.0  # of 255: weights travel as 256 steps
_MIDDLES = """(frame, [left, top, wide, high, rows, columns]) => {
  const canvas = frame.querySelector("canvas"), ratio = devicePixelRatio;
  const at = canvas.getBoundingClientRect(), page = frame.getBoundingClientRect();
  const pen = canvas.getContext("2d"), found = [];
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
    const x = Math.floor((left - at.left + page.left + (c + 0.5) * wide / columns) * ratio);
    const y = Math.floor((top - at.top + page.top + (r + 0.5) * high / rows) * ratio);
    found.push([...pen.getImageData(x, y, 1, 1).data].slice(0, 3));
  }
  return found;
}"""


def opened(heads: Shown, visit: Visit, query: str, **how: object) -> Locator:
    (frame,) = frames(visit(f"{heads.url}/?what=grid&{query}", **how))
    return frame


def boxes(frame: Locator, layers: int, heads: int) -> list[tuple[float, float, float, float]]:
    """The box of each map in the order of the keys: left, top (from the picture's), width, height."""
    frame.locator(".area").focus()
    frame.page.keyboard.press("Control+Home")
    found = []
    for layer in range(layers):
        for head in range(heads):
            style = frame.locator(".cursor").evaluate(
                "({style: s}) => [s.left, s.top, s.width, s.height].map(parseFloat)"
            )
            found.append((style[0] + 4, style[1] + 4, style[2] - 8, style[3] - 8))
            if head < heads - 1:
                frame.page.keyboard.press("ArrowRight")
        if layer < layers - 1:
            frame.page.keyboard.press("Home")
            frame.page.keyboard.press("ArrowDown")
    frame.page.keyboard.press("Escape")
    return found


def colours(frame: Locator, box: tuple[float, ...], rows: int, columns: int) -> np.ndarray:
    """The colour in the middle of each cell of a map, (rows, columns, 3)."""
    return np.array(frame.evaluate(_MIDDLES, [*box, rows, columns])).reshape(rows, columns, 3)


def shade(values: np.ndarray, paper: tuple[int, ...], *, root: bool = False) -> np.ndarray:
    return reading.grown((np.sqrt(values) if root else values)[..., None], paper, style.WEIGHT_HUE)


@pytest.mark.few(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_dot_has_the_colour_of_its_weight(heads: Shown, visit: Visit, scheme: str) -> None:
    frame = opened(heads, visit, "n=14", scheme=scheme)
    weights = made.maps(2, 3, 14)
    text = frame.evaluate("node => getComputedStyle(node).backgroundColor")
    paper = tuple(int(x) for x in text.removeprefix("rgb(").rstrip(")").split(", "))
    assert (sum(paper) < 100) == (scheme == "dark")
    for i, box in enumerate(boxes(frame, 2, 3)):
        got = colours(frame, box, 14, 14)
        np.testing.assert_allclose(got, shade(weights[i // 3, i % 3], paper), atol=COLOUR)


@pytest.mark.fuzz
@pytest.mark.parametrize("way", some(["from", "to"], 1))
def test_a_token_recolours_every_head(app_heads: Shown, visit: Visit, way: str) -> None:
    frame = opened(app_heads, visit, "n=14")
    page, weights, token = frame.page, made.maps(2, 3, 14), 5
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="attention to")).to_be_focused()
    if way == "from":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="All tokens: maps")).to_be_focused()
    for _ in range(token + 1):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name=made.tokens(14)[token], checked=True)).to_be_focused()
    share = weights.mean(axis=2)[..., token] if way == "to" else weights.max(axis=3)[..., token]
    got = [float(label.text) for label in labels(frame, "share")]
    np.testing.assert_allclose(got, share.ravel(), atol=0.0101)
    for value, box in zip(share.ravel(), boxes(frame, 2, 3), strict=True):
        got_colour = frame.evaluate(_MIDDLES, [box[0], box[1], 8, 8, 1, 1])[0]
        expected = shade(np.array(value / share.max()), WHITE)
        np.testing.assert_allclose(got_colour, expected, atol=2 * COLOUR)
    what = "mean weight on" if way == "to" else "largest weight of"
    heard = page.get_by_text(f'"token": {token}, "typical": false}}')
    expect(heard).to_contain_text(f'"direction": "{way}"')
    frame.locator(".area").focus()
    page.keyboard.press("Control+Home")
    expect(frame.get_by_role("status")).to_contain_text(f"Layer 1, head 1: {what} “")
    caption = page.get_by_role("table").locator("caption")
    expect(caption).to_have_text(f"All 6 heads, by {what} “{made.tokens(14)[token]}”")
    page.get_by_role("radio", name="All tokens: maps").click()
    assert labels(frame, "share") == []


def test_many_tokens_are_a_list_that_is_searched_by_typing(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=64")
    chosen = frame.get_by_label("Token", exact=True).and_(frame.locator("select"))
    expect(chosen).to_have_value("-1")
    chosen.focus()
    frame.page.keyboard.type("river")
    expect(chosen).to_have_value("3")
    chosen.select_option("river (18)")
    share = made.maps(2, 3, 64).mean(axis=2)[..., 17]
    got = [float(label.text.replace("<", "")) for label in labels(frame, "share")]
    np.testing.assert_allclose(got, share.ravel(), atol=0.0101)


def test_hover_keys_and_choice(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, "kind=notes&n=14")
    page, tip, strongest = frame.page, frame.locator(".tip"), made.maps(2, 3, 14).max(axis=(2, 3))
    (mark,) = frame.locator("[data-part=chosen]").all()
    assert mark.get_attribute("data-of") == "5"
    places, whole = boxes(frame, 2, 3), frame.bounding_box()
    assert whole is not None

    def at(i: int) -> tuple[float, float]:
        left, top, wide, high = places[i]
        return whole["x"] + left + wide / 2, whole["y"] + top + high / 2

    for i, said in [
        (0, "previous token 0.93"),
        (1, f"strongest weight {style.signed(strongest[0, 1])}"),
        (5, "<b>"),
    ]:
        page.mouse.move(*at(i))
        expect(tip).to_have_text(f"Layer {i // 3 + 1}, head {i % 3 + 1}: {said}")
    page.mouse.click(*at(4))
    expect(page.get_by_text("head (1, 1)")).to_be_visible()
    frame.locator(".area").focus()
    heard = frame.get_by_role("status")
    for key, layer, head in [
        ("Control+Home", 1, 1),
        ("ArrowLeft", 1, 1),
        ("End", 1, 3),
        ("ArrowRight", 1, 3),
        ("ArrowDown", 2, 3),
        ("ArrowDown", 2, 3),
        ("ArrowLeft", 2, 2),
        ("Home", 2, 1),
        ("Control+End", 2, 3),
        ("ArrowUp", 1, 3),
    ]:
        page.keyboard.press(key)
        expect(heard).to_contain_text(f"Layer {layer}, head {head}: ")
    page.keyboard.press("Enter")
    expect(page.get_by_text("head (0, 2)")).to_be_visible()
    expect(frame.locator(".area")).to_be_focused()
    drawn = frame.get_attribute("data-drawn")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("run 4")).to_be_visible()
    assert frame.get_attribute("data-drawn") == drawn
    table = page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["layer", "head", "strongest weight", "pattern"]
    )


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.parametrize("width", [360, 980])
def test_minilm_is_readable_on_a_phone_and_on_a_screen(heads: Shown, visit: Visit, width: int) -> None:
    frame = opened(heads, visit, "kind=minilm", width=width + 32)
    places, whole = boxes(frame, 6, 12), frame.bounding_box()
    assert whole is not None
    assert min(min(box[2:]) for box in places) >= (22 if width == 360 else 40)
    assert max(box[0] + box[2] for box in places) <= whole["width"]
    for label in labels(frame):
        assert label.left >= -1
        assert label.right <= whole["width"] + 1
        assert label.bottom <= whole["height"] + 1
    controls = frame.locator(".controls").bounding_box()
    assert controls is not None
    assert controls["y"] + controls["height"] <= whole["y"] + min(box[1] for box in places)
    rows = [label.text for label in labels(frame, "row")]
    assert rows == [f"{'Layer ' * (width > 520)}{i}" for i in range(1, 7)]


@pytest.mark.fuzz
def test_saved_files_and_pages(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "kind=minilm", scheme="dark")
    page = frame.page
    for kind in ("PNG", "SVG"):
        download = save_picture(page, kind)
        content = download.path().read_bytes()
        if kind == "SVG":
            root = ET.fromstring(content)
            assert len(list(root.iter("{http://www.w3.org/2000/svg}image"))) == 1
        else:
            whole = frame.bounding_box()
            assert whole is not None
            image = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
            assert image.shape[:2] == (2 * int(whole["height"]), 2 * int(whole["width"]))
            assert (image.reshape(-1, 3).max(axis=0) > 150).all()
    html = "<!doctype html><meta charset=utf-8>" + made.grid("notes", 14).to_html()
    saved = visit("data:text/html;base64," + base64.b64encode(html.encode()).decode())
    (frame,) = frames(saved)
    assert saved.locator("b").count() == 0
    saved.evaluate("addEventListener('polysee:head', (event) => { window.got = event.detail; })")
    frame.locator(".area").focus()
    saved.keyboard.press("Enter")
    assert saved.evaluate("window.got") is None  # nobody asked for the event
