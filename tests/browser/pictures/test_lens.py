"""The grid of words in the browser: by keys, by pointer, scrolled, on a phone, as a file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pictures.matrix_pictures import lens_picture
from tests.browser.reading import frames
from tests.browser.saving import save_picture

Visit = Callable[..., Page]
COUNT = 20
_CENTRE = """(frame, [part, of]) => {
  const {left, top, width, height} = frame.querySelector(`[data-part="${part}"][data-of="${of}"]`)
    .getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


def shown(visit: Visit, *, width: int = 900, scheme: str = "light") -> Locator:
    """The picture alone on a page that records its events."""
    page = visit("about:blank", width=width, scheme=scheme)
    made = lens_picture().to_html(events=["bar"])
    page.set_content(f"<!doctype html><meta charset=utf-8>{made}")
    page.evaluate("addEventListener('polysee:bar', event => { globalThis.chosen = event.detail; })")
    (frame,) = frames(page)
    return frame


def columns(frame: Locator) -> list[int]:
    """The columns in view."""
    named = frame.locator('[data-part="column"]')
    return [int(named.nth(i).get_attribute("data-of") or -1) for i in range(named.count())]


@pytest.mark.smoke
def test_on_a_phone_the_last_four_tokens_are_in_view_and_keys_reach_the_others(visit: Visit) -> None:
    frame = shown(visit, width=390)
    assert columns(frame) == [16, 17, 18, 19]
    area = frame.locator(".area")
    area.focus()
    area.press("Home")
    assert columns(frame) == [0, 1, 2, 3]
    header = lens_picture().header
    said = frame.get_by_role("status").first.text_content() or ""
    assert said.startswith(f"after layer 12 · {header['columns'][0]}: {header['labels'][0]} ")
    area.press("ArrowDown")
    said = frame.get_by_role("status").first.text_content() or ""
    assert header["labels"][COUNT] in said
    assert header["notes"][COUNT] in said
    area.press("Enter")
    assert frame.page.evaluate("chosen") == {"index": COUNT}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pointer_reads_the_cell_below_it_and_a_click_chooses_it(visit: Visit, scheme: str) -> None:
    frame = shown(visit, scheme=scheme)
    of = 3 * COUNT + columns(frame)[2]
    x, y = frame.evaluate(_CENTRE, ["cell", of])
    frame.page.mouse.move(x, y)
    expect(frame.locator(".tip")).to_contain_text("after layer 9")
    expect(frame.locator(".tip")).to_contain_text("place 8")
    frame.page.mouse.down()
    frame.page.mouse.up()
    assert frame.page.evaluate("chosen") == {"index": of}


def test_what_is_scrolled_away_comes_and_the_layers_keep_their_names(visit: Visit) -> None:
    frame = shown(visit)
    before = columns(frame)
    frame.locator(".area").evaluate("area => { area.scrollLeft = 0; }")
    expect(frame.locator('[data-part="column"][data-of="0"]')).to_have_count(1)
    assert len(columns(frame)) == len(before)
    assert frame.locator('[data-part="row"]').count() == 13


def test_a_file_has_every_cell(visit: Visit) -> None:
    frame = shown(visit, width=390)
    svg = ET.parse(save_picture(frame, "SVG").path()).getroot()
    texts = [one.text for one in svg.iter() if one.tag.endswith("}text")]
    assert len(texts) > 13 * COUNT + 13 + COUNT  # every word, the names of rows and columns, the legend
    assert texts.count("input") == 1
