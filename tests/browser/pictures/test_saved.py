"""The browser pictures outside the app: saved files, separate pages, and removal without a trace."""

from __future__ import annotations

import base64
import io
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from core.figures.web import MODULES, code
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import matrix_pictures as matrices
from tests.browser.pictures.every_module import MADE
from tests.browser.reading import frames, labels, point
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]


def address(html: str) -> str:
    """A page without a server: it must contain everything that it needs."""
    whole = f"<!doctype html><meta charset=utf-8><title>saved</title>{html}"
    return "data:text/html;base64," + base64.b64encode(whole.encode()).decode()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "query", some(["n=14", "n=128", "kind=signed&n=14", "kind=strips&n=384", "kind=odd"], 2)
)
def test_saved_files_hold_the_picture(pictures: Shown, visit: Visit, query: str) -> None:
    page = visit(f"{pictures.url}/?{query}", scheme="dark")
    (frame,) = frames(page)
    saved = {}
    for kind in ("PNG", "SVG"):
        download = save_picture(page, kind)
        assert download.suggested_filename.startswith("polysee-")
        assert download.suggested_filename.endswith(f".{kind.lower()}")
        saved[kind] = download.path().read_bytes()
    whole, canvas = frame.bounding_box(), frame.locator("canvas").bounding_box()
    assert whole is not None
    assert canvas is not None
    image = Image.open(io.BytesIO(saved["PNG"]))
    assert image.size == (2 * int(whole["width"]), 2 * int(whole["height"]))
    assert np.asarray(image)[..., 3].min() == 255  # the page's background is in it
    screen = Image.open(io.BytesIO(frame.screenshot())).convert("RGB").resize(image.size)
    difference = np.abs(np.asarray(screen, float) - np.asarray(image.convert("RGB"), float))
    assert difference.mean() < 4  # all but the buttons and the edges of letters
    root = ET.fromstring(saved["SVG"])
    ns = "{http://www.w3.org/2000/svg}"
    assert float(root.attrib["width"]) == whole["width"]
    texts = [text.text for text in root.iter(f"{ns}text")]
    assert texts == [label.text for label in labels(frame)]
    assert not list(root.iter(f"{ns}image"))
    (group,) = root.iter(f"{ns}g")
    assert len(list(group)) > 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_saved_html_draws_offline_in_both_schemes(visit: Visit, scheme: str) -> None:
    made = [matrices.odd_picture(), matrices.head_picture(14, 1), matrices.signed_picture(13, 1)]
    made.append(matrices.strips_picture(384, 1))
    # A picture that arrives before the code of its kind is drawn when the code arrives.
    parts = [picture.to_html(with_code=i in (1, 3)) for i, picture in enumerate(made)]
    page = visit(address("".join(parts)), scheme=scheme)
    dark = scheme == "dark"
    paper = reading.NIGHT if dark else reading.WHITE
    for frame, picture in zip(frames(page, 4), made, strict=True):
        got = reading.pixels(frame, *reading.shape(picture))[..., :3]
        np.testing.assert_allclose(got, reading.coloured(picture, paper, dark=dark), atol=2)
        kept = frame.evaluate("frame => frame.getRootNode().host.parentNode.offsetHeight")
        assert kept == picture.height
    assert page.locator("body > :not(div, script)").count() == 0  # no token became part of the page
    point(frames(page, 4)[1], 3, 0, 14, 14)
    weight = reading.numbers(made[1])[3, 0]
    expect(page.locator(".tip").nth(1)).to_have_text(f"bank → on: {weight:.4f}")


def test_a_page_that_changes_its_colours_is_repainted(visit: Visit) -> None:
    picture = matrices.head_picture(14, 1)
    page = visit(address(picture.to_html()), scheme="light")
    (frame,) = frames(page)
    page.emulate_media(color_scheme="dark")
    expect(frame).not_to_have_attribute("data-drawn", "1")
    got = reading.pixels(frame, 14, 14)[..., :3]
    np.testing.assert_allclose(got, reading.coloured(picture, reading.NIGHT), atol=2)
    colours = "--st-background-color: #204060; --st-text-color: white"
    drawn = str(frame.get_attribute("data-drawn"))
    page.evaluate(f"document.body.style.cssText = '{colours}'")
    expect(frame).not_to_have_attribute("data-drawn", drawn)
    got = reading.pixels(frame, 14, 14)[..., :3]
    np.testing.assert_allclose(got, reading.coloured(picture, (32, 64, 96)), atol=2)


def test_a_choice_is_an_event_of_the_page(visit: Visit) -> None:
    page = visit(address(matrices.head_picture(14, 1).to_html(events=["cell"])))
    (frame,) = frames(page)
    page.evaluate("addEventListener('polysee:cell', event => { globalThis.chosen = event.detail; })")
    point(frame, 5, 7, 14, 14)
    page.mouse.down()
    page.mouse.up()
    assert page.evaluate("chosen") == {"row": 5, "column": 7}
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.evaluate("chosen") == {"row": 4, "column": 7}


def test_width_changes_redraw_and_a_hidden_picture_waits(visit: Visit) -> None:
    page = visit(address(f"<main style='display:none'>{matrices.head_picture(64, 1).to_html()}</main>"))
    page.wait_for_timeout(100)
    assert page.locator(".picture[data-drawn]").count() == 0
    page.evaluate("document.querySelector('main').style.display = 'block'")
    (frame,) = frames(page)
    wide = frame.locator("canvas").evaluate("canvas => canvas.width")
    page.set_viewport_size({"width": 500, "height": 700})
    expect(frame).not_to_have_attribute("data-drawn", "1")
    assert frame.locator("canvas").evaluate("canvas => canvas.width") < wide / 2
    assert max(label.right for label in labels(frame)) <= 500


_WATCH = """() => {
  globalThis.open = { signals: [], observers: new Set() };
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, act, how) {
    open.signals.push([how?.signal, type === "abort"]);
    return add.call(this, type, act, how);
  };
  for (const name of ["ResizeObserver", "MutationObserver"]) {
    globalThis[name] = class extends globalThis[name] {
      observe(...args) { open.observers.add(this); super.observe(...args); }
      disconnect() { open.observers.delete(this); super.disconnect(); }
    };
  }
}"""
_LIVE_AND_LEAVE = """sent => {
  const root = document.getElementById("root");
  // As Streamlit has it: in the middle of a larger buffer, at an odd place.
  const bytes = Uint8Array.from("xyz" + atob(sent), (sign) => sign.charCodeAt(0)).subarray(3);
  const first = render(root, bytes, () => {});
  const second = render(root, bytes, () => {});
  first();  // the clean-up of an earlier call comes late, and must not take the later one away
  const between = [root.children.length, open.observers.size];
  second();
  second();
  const alive = open.signals.filter(([signal, end]) => !end && !signal?.aborted);
  const after = [root.children.length, open.observers.size, alive.length];
  render(root, bytes, () => {});
  return [between, after, root.children.length, open.signals.length > 5];
}"""


@pytest.mark.parametrize("module", some(MODULES, 4))
def test_leaving_leaves_nothing(visit: Visit, module: str) -> None:
    page = visit(address("<div id=root></div>"))
    picture = MADE[module]()
    page.evaluate(_WATCH)
    page.evaluate(f"globalThis.render = (() => {{{code(module)}; return render;}})(); 0")
    left = page.evaluate(_LIVE_AND_LEAVE, base64.b64encode(picture.to_bytes()).decode())
    assert left == [[1, 2], [0, 0, 0], 1, True]
