"""The words above the lines between tokens: which part of a long list, which weights, which token."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.figures import LayerAttention, LayerTitles, layer_view
from tests.browser.conftest import Shown
from tests.browser.pictures import heads_pictures as made
from tests.browser.pictures.layer.test_layer import inner, opened, softmax
from tests.browser.reading import frames, labels
from tests.browser.saving import save_picture
from tests.tiers import some

Visit = Callable[..., Page]
HEADS = 12
NS = "{http://www.w3.org/2000/svg}"
LEAST = 0.01


def of(frame: Locator, part: str) -> list[int]:
    """The tokens with words of this kind beside them."""
    found = frame.locator(f"svg text[data-part={part}]")
    return [int(one.get_attribute("data-of") or -1) for one in found.all()]


@pytest.mark.parametrize("width", some([390, 1440], 1))
def test_weights_that_have_no_room_are_counted(heads: Shown, visit: Visit, width: int) -> None:
    state = {"query": 5, "pin": "query", "on": list(range(HEADS))}
    frame = opened(heads, visit, "n=14", state, width=width)
    drawn = (softmax(inner(14)[2])[:, 5] >= LEAST).sum(axis=0)
    written, more = of(frame, "weight"), of(frame, "more")
    assert len(more) == len(set(more)) > 3
    for token, label in zip(more, labels(frame, "more"), strict=True):
        assert written.count(token) + int(label.text.removeprefix("+")) == drawn[token]
    for token in set(range(14)) - set(more):
        assert written.count(token) == drawn[token]


def test_no_line_stands_beside_the_numbers_of_its_token(heads: Shown, visit: Visit) -> None:
    """Twelve tracks are as wide as most of a token's place: so is the paper under its numbers. Lines
    that go on to other tokens are seen between."""
    frame = opened(heads, visit, "n=14", {"query": 5, "pin": "query", "on": list(range(HEADS))})
    papers = frame.locator("svg rect").evaluate_all("all => all.map((r) => +r.getAttribute('height'))")
    rows = sorted(label.top for label in labels(frame, "key"))
    assert 0.7 * (rows[1] - rows[0]) < min(papers) <= max(papers) < rows[1] - rows[0] - 3


def test_a_saved_picture_says_from_where_its_weights_are_drawn(heads: Shown, visit: Visit) -> None:
    pinned = {"query": 5, "pin": "query", "threshold": 0.3}
    for state, said in (
        (pinned, "only the weights of “she” from 0.01"),
        (pinned | {"alone": 0.2}, "only the weights of “she” from 0.20"),
        ({"threshold": 0.3}, "weights from 0.30"),
    ):
        frame = opened(heads, visit, "n=14", {**state, "on": [1, 2]})
        download = save_picture(frame, "SVG")
        texts = [text.text or "" for text in ET.parse(download.path()).iter(f"{NS}text")]
        about = [re.sub("[\u2068\u2069]", "", text) for text in texts if "from 0." in text]
        assert about == [f"Layer 3, heads 2, 3, {said}"] * 2  # the title, and the words below


def test_of_a_long_list_it_is_said_which_part_is_in_sight(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=128", {"on": [1, 2]})

    def said() -> list[str]:
        return [label.text for label in labels(frame, "heading")]

    (first, last), (_, other) = (re.findall(r"\d+", text)[:2] for text in said())
    assert said() == [f"attends, 1–{last} of 128", f"is attended to, 1–{last} of 128"]
    assert (first, last) == ("1", other)
    assert 15 < int(last) < 40
    area = frame.locator(".area")
    assert "rgba(0, 0, 0, 0) rgba" not in area.evaluate("a => getComputedStyle(a).scrollbarColor")
    area.focus()
    frame.page.keyboard.press("End")
    heading = frame.locator("[data-part=heading]").first
    expect(heading).to_have_text(re.compile(r"attends, \d+–128 of 128"))
    top, bottom = map(int, re.findall(r"\d+", heading.text_content() or "")[:2])
    assert len(labels(frame, "query")) == bottom - top + 1
    frame.get_by_role("tab", name="One token").click()
    expect(heading).to_have_text(re.compile(r"after softmax, .* of 128$"))
    top, bottom = map(int, re.findall(r"\d+", heading.text_content() or "")[:2])
    assert len(labels(frame, "key")) == bottom - top + 1
    short = opened(heads, visit, "n=14", {"on": [1, 2]})
    assert [label.text for label in labels(short, "heading")] == ["attends", "is attended to"]


def test_a_token_that_stands_twice_is_called_by_its_number(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=14", {"query": 4, "pin": "query", "on": [1]})
    assert made.tokens(14).count("bank") == 2
    expect(frame.locator(".area")).to_have_attribute(
        "aria-label", re.compile(r"of “\u2068bank \(5\)\u2069” from 0\.01")
    )
    cells = frame.page.get_by_role("table").locator("td").all_inner_texts()
    assert "bank (5)" in cells
    assert "bank" not in cells
    assert "river" in cells


def test_the_keys_do_what_is_said_of_them(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=14", {"level": "product", "head": 2})
    keys = frame.locator("#keys")
    expect(keys).to_have_text(re.compile(r"dimensions.* Backspace goes back to the previous one\.$"))
    expect(keys).not_to_contain_text("Enter")
    frame.get_by_role("radio", name="Mean over all heads").click()
    expect(keys).not_to_contain_text("dimensions")
    expect(keys).to_contain_text("choose a head")


def test_of_a_short_column_beside_a_long_one_it_is_said_when_none_is_in_sight(visit: Visit) -> None:
    """For example a short target that attends to a long source."""
    queries, keys = [f"q{i}" for i in range(5)], [f"k{i}" for i in range(150)]
    picture = layer_view(
        LayerAttention(queries, keys, weights=np.full((2, 5, 150), 1 / 150)),
        LayerTitles("Layer 1", "Long.", "long"),
        state={"threshold": 0.5},
    )
    page = "<!doctype html><meta charset=utf-8>" + picture.to_html()
    (frame,) = frames(visit("data:text/html;base64," + base64.b64encode(page.encode()).decode()))
    headings = frame.locator("[data-part=heading]")
    expect(headings.first).to_have_text("attends")
    frame.locator(".area").evaluate("area => { area.scrollTop = 1e6; }")
    expect(headings.first).to_have_text("attends, none of 5")
    expect(headings.last).to_have_text(re.compile(r"is attended to, \d+–150 of 150"))
