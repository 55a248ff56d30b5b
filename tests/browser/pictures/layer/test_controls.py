"""The controls above a layer, compared with its picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import quote

import numpy as np
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.layer.test_layer import inner, softmax
from tests.browser.reading import frames, labels

Visit = Callable[..., Page]


def written(frame: Locator) -> int:
    """The number of weights that are written, or counted where there is no room."""
    return len(labels(frame, "weight")) + sum(int(label.text) for label in labels(frame, "more"))


def test_of_a_chosen_token_the_slider_says_from_where_weights_are_drawn(
    heads: Shown, visit: Visit
) -> None:
    state = quote(json.dumps({"query": 5, "pin": "query", "threshold": 0.9, "special": True}))
    (frame,) = frames(visit(f"{heads.url}/?n=14&state={state}"))
    slider = frame.get_by_role("slider", name="weights from")
    expect(slider).to_have_attribute("aria-valuetext", "0.01")
    assert "from 0.01" in labels(frame, "note")[0].text
    few = softmax(inner(14)[2])[:, 5]
    assert written(frame) == np.count_nonzero(few >= 0.01)
    slider.focus()
    for _ in range(4):  # .02, .05, .10, .20
        frame.page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "0.20")
    expect(frame.locator("[data-part=note]").first).to_contain_text("from 0.20")
    assert written(frame) == np.count_nonzero(few >= 0.2)
    frame.locator(".area").focus()
    frame.page.keyboard.press("Escape")  # all tokens once more
    expect(slider).to_have_attribute("aria-valuetext", "0.90")
    expect(frame.locator("[data-part=note]").first).to_contain_text("from 0.90")


def test_the_strongest_lines_are_drawn_until_all_are_asked_for(heads: Shown, visit: Visit) -> None:
    state = quote(json.dumps({"threshold": 0.05, "special": True}))
    (frame,) = frames(visit(f"{heads.url}/?n=14&state={state}"))
    note = frame.locator("[data-part=note]").first
    box = frame.get_by_role("checkbox", name="all lines")
    expect(note).to_contain_text("the 40 strongest weights from 0.05")
    expect(box).not_to_be_checked()
    box.check()
    expect(note).not_to_contain_text("strongest")
    expect(note).to_contain_text("weights from 0.05")
    box.uncheck()
    expect(note).to_contain_text("the 40 strongest")
    slider = frame.get_by_role("slider", name="weights from")
    slider.focus()
    frame.page.keyboard.press("ArrowLeft")  # who chooses a threshold sees all from there on
    expect(note).not_to_contain_text("strongest")
    expect(box).to_be_checked()
