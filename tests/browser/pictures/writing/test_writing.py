"""Shaded texts and trees in the browser: by keys, by pointer, as a table, as files; what scrolls."""

from __future__ import annotations

import base64
import io
import itertools
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from core.figures import Branch, Picture, branches, shaded_text
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures.writing import writing_pictures as made
from tests.browser.reading import frames, labels
from tests.browser.saving import save_picture

Visit = Callable[..., Page]
NS = "{http://www.w3.org/2000/svg}"
WIDTHS = (390, 900)
MADE: dict[str, Callable[[], Picture]] = {
    "text": made.surprise,
    "hebrew": made.contributions,
    "long": made.long,
    "tree": made.tree,
    "wide": made.wide_tree,
}
_CENTRE = """(frame, [part, of]) => {
  const {left, top, width, height} = frame.querySelector(`[data-part="${part}"][data-of="${of}"]`)
    .getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


def shown(visit: Visit, picture: Picture, *, width: int = 900, scheme: str = "light") -> Locator:
    """A picture alone on a page that records its events."""
    page = visit("about:blank", width=width, scheme=scheme)
    page.set_content(f"<!doctype html><meta charset=utf-8>{picture.to_html(events=['bar'])}")
    page.evaluate("addEventListener('polysee:bar', event => { globalThis.chosen = event.detail; })")
    (frame,) = frames(page)
    return frame


def point_at(frame: Locator, part: str, of: int) -> None:
    """Move the pointer onto a part."""
    frame.page.mouse.move(*frame.evaluate(_CENTRE, [part, of]))


def press(frame: Locator, *keys: str) -> str:
    """Press keys in the picture; returns what is read aloud."""
    for key in keys:
        frame.locator(".area").press(key)
    return frame.get_by_role("status").first.text_content() or ""


def click(page: Page) -> None:
    page.mouse.down()
    page.mouse.up()


@pytest.mark.few(3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", MADE)
def test_no_words_meet_and_all_stay_inside(visit: Visit, kind: str, width: int) -> None:
    frame = shown(visit, MADE[kind](), width=width)
    whole, save = frame.bounding_box(), frame.locator(".save").bounding_box()
    assert whole is not None
    assert save is not None
    left, top = save["x"] - whole["x"], save["y"] - whole["y"]
    found = labels(frame)
    right, bottom = left + save["width"], top + save["height"]
    button = found[0]._replace(left=left, top=top, right=right, bottom=bottom)
    # Pieces of one word touch, and a letter may reach over into the next piece.
    narrower = [one._replace(left=one.left + 1.5, right=one.right - 1.5) for one in found]
    for one, other in itertools.combinations([*narrower, button], 2):
        assert not reading.meet(one, other), (one, other)
    for label in found:
        assert label.top >= -2
        assert label.bottom <= whole["height"] + 1
        if label.part != "node":  # a tree is cut off where it goes on
            assert label.left >= -1
            assert label.right <= whole["width"] + 1


def test_every_piece_by_keys_by_pointer_and_as_a_table(visit: Visit) -> None:
    frame = shown(visit, made.surprise())
    page, tip = frame.page, frame.locator(".tip")
    frame.locator(".area").focus()
    note = f"\u2068{made.NOTES[1]}\u2069"
    assert press(frame, "ArrowRight") == "␣to: 0.5000 bits"  # after the framed piece
    for key, said in [
        ("Home", "When: no number"),
        ("ArrowRight", f"␣Mary: 8.000 bits, {note}"),
        ("ArrowDown", "␣<b>she</b>: 12.00 bits, written by the model"),
        ("ArrowUp", f"␣Mary: 8.000 bits, {note}"),
        ("End", "␣: 5.000 bits, written by the model"),
        ("ArrowLeft", ".: 3.000 bits, written by the model"),
    ]:
        assert press(frame, key) == said
        expect(tip).to_have_text(said)
        expect(tip).to_be_visible()
    press(frame, "Escape")
    expect(tip).to_be_hidden()
    point_at(frame, "piece", 6)
    expect(tip).to_have_text("ore: 0.01235 bits")
    click(page)
    assert page.evaluate("chosen") == {"index": 6}
    press(frame, "ArrowLeft", "Enter")
    assert page.evaluate("chosen") == {"index": 5}
    rows = [row.locator("td").all_inner_texts() for row in page.locator("table tr").all()[1:]]
    assert len(rows) == len(made.PIECES)
    assert rows[0] == ["1", "When", "no number", "", ""]
    assert rows[1] == ["2", "␣Mary", "8.000", made.NOTES[1], ""]
    assert rows[9] == ["10", "␣<b>she</b>", "12.00", "", "the model"]
    assert frame.locator("b, i").count() == 0


def test_a_text_from_right_to_left_is_read_from_the_right(visit: Visit) -> None:
    frame = shown(visit, made.contributions(), width=390)
    frame.locator(".area").focus()
    assert press(frame, "Home") == "ה: −3.000 logit"
    assert press(frame, "ArrowLeft").startswith("בית: ")
    assert press(frame, "ArrowRight") == "ה: −3.000 logit"
    at = {label.text.strip("\u200f"): label for label in labels(frame) if label.part == "piece"}
    width = frame.evaluate("frame => frame.clientWidth")
    assert at["ה"].right == pytest.approx(width - 3, abs=4)
    assert at["נמצא"].left > at["river"].right > at["old"].right > at["the"].right


def test_a_long_text_scrolls_to_what_is_read_and_is_saved_whole(visit: Visit) -> None:
    frame = shown(visit, made.long(), width=900)

    def seen() -> list[str]:
        return [label.text for label in labels(frame) if label.part == "piece"]

    assert seen()[-1] == "word599"  # the chosen piece
    frame.locator(".area").focus()
    assert press(frame, "Home").startswith("␣word0: ")
    assert seen()[0] == "word0"
    assert "word599" not in seen()
    first = len(seen())
    press(frame, *["ArrowDown"] * 12)
    assert seen()[0] != "word0"
    frame.locator(".area").evaluate("area => { area.scrollTop = 1e6; }")
    expect(frame.locator("[data-part=piece][data-of='599']")).to_have_count(1)
    expect(frame.page.locator("caption")).to_contain_text("100 pieces of 600")
    assert first < 300
    tree = ET.fromstring(save_picture(frame.page, "SVG").path().read_bytes())
    texts = [text.text for text in tree.iter(f"{NS}text") if text.get("data-part") == "piece"]
    assert texts == [f"word{i}" for i in range(600)]
    image = Image.open(io.BytesIO(save_picture(frame.page, "PNG").path().read_bytes()))
    assert image.size == (2 * int(float(tree.attrib["width"])), 2 * int(float(tree.attrib["height"])))
    assert image.size[1] > 2 * (frame.bounding_box() or {"height": 1e9})["height"]


def test_every_node_by_keys_by_pointer_and_as_a_table(visit: Visit) -> None:
    frame = shown(visit, made.tree())
    page, tip = frame.page, frame.locator(".tip")
    frame.locator(".area").focus()
    end = (
        "↵: probability 0.2500, of the path up to here 0.06250, on the chosen path, the path ends here"
    )
    mary = "␣Mary: probability 0.5000, of the path up to here 0.5000, on the chosen path"
    mary += ", 2 continuations"
    assert press(frame, "End") == end
    for key, said in [
        ("Home", "John gave a drink to: probability 1.000, on the chosen path, 2 continuations"),
        (
            "ArrowRight",
            mary,
        ),
        ("ArrowDown", "␣<b>the</b>: probability 0.1250, of the path up to here 0.1250"),
        (
            "ArrowRight",
            "␣girl: probability 0.06250, of the path up to here 0.007813, the path ends here",
        ),
        (
            "ArrowUp",
            mary,
        ),
    ]:
        assert press(frame, key) == said
        expect(tip).to_be_visible()
    point_at(frame, "node", 6)
    expect(tip).to_have_text(
        "␣and: probability 0.01235, of the path up to here 0.006173, the path ends here"
    )
    click(page)
    assert page.evaluate("chosen") == {"index": 6}
    press(frame, "ArrowUp", "Enter")
    assert page.evaluate("chosen") == {"index": 2}
    rows = [row.locator("td").all_inner_texts() for row in page.locator("table tr").all()[1:]]
    assert rows[0] == ["John gave a drink to", "", "1.000", "1.000", "yes"]
    assert rows[5] == ["␣girl", "John gave a drink to ␣<b>the</b>", "0.06250", "0.007813", ""]
    assert frame.locator("b, i").count() == 0


def test_a_large_tree_scrolls_both_ways_and_is_saved_whole(visit: Visit) -> None:
    frame = shown(visit, made.wide_tree(), width=390)

    def seen() -> set[int]:
        return set(
            frame.evaluate("f => [...f.querySelectorAll('[data-part=node]')].map(n => +n.dataset.of)")
        )

    assert 0 in seen()
    assert 59 not in seen()
    frame.locator(".area").focus()
    assert "of the path up to here 8.67·10⁻¹⁹" in press(frame, "End")
    assert 59 in seen()
    assert 0 not in seen()
    expect(frame.locator(".cursor")).to_be_visible()
    press(frame, "Home")
    assert 0 in seen()
    frame.locator(".area").evaluate("area => { area.scrollTop = 1e6; }")
    expect(frame.locator("[data-part=node][data-of='0']")).to_have_count(0)
    assert len(seen()) > 0
    tree = ET.fromstring(save_picture(frame.page, "SVG").path().read_bytes())
    nodes = [text for text in tree.iter(f"{NS}text") if text.get("data-part") == "node"]
    assert len(nodes) == 300
    assert float(tree.attrib["width"]) > 1500
    assert save_picture(frame.page, "PNG").path().stat().st_size > 1000


def test_the_app_hears_of_a_choice_and_keeps_as_much_room_as_they_take(
    app_pictures: Shown, visit: Visit
) -> None:
    page = visit(f"{app_pictures.url}/writing", width=390)
    text, tree = frames(page, 2)
    point_at(text, "piece", 6)
    click(page)
    expect(page.get_by_text("piece 6, node None")).to_be_visible()
    expect(text.locator("[data-part=chosen][data-of='6']")).to_have_count(1)
    tree.scroll_into_view_if_needed()
    tree.locator(".area").focus()
    press(tree, "Home", "ArrowRight", "ArrowDown", "Enter")
    expect(page.get_by_text("piece 6, node 4")).to_be_visible()
    expect(tree.locator("[data-part=chosen][data-of='4']")).to_have_count(1)
    below = page.get_by_text("piece 6, node 4").bounding_box()
    box = tree.bounding_box()
    assert below is not None
    assert box is not None
    assert 0 <= below["y"] - box["y"] - box["height"] < 40


_AGAIN = """bytes => polysee.shaded(document.querySelector("[data-polysee=shaded]"),
  Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0)), () => {})"""


def test_the_last_line_stays_in_sight_while_a_model_writes(visit: Visit) -> None:
    def text(count: int) -> Picture:
        words: dict[str, Any] = {"unit": "bits", "sentence": "A text.", "name": "text"}
        return shaded_text([f" word{i}" for i in range(count)], np.ones(count), **words)

    def write(count: int) -> None:
        frame.page.evaluate(_AGAIN, base64.b64encode(text(count).to_bytes()).decode())
        expect(frame).to_have_attribute("data-drawn", str(drawn + 1))

    frame = shown(visit, text(10))
    for count in (200, 400):
        drawn = int(frame.get_attribute("data-drawn") or 0)
        write(count)
        assert labels(frame)[0].text != "word0"
        assert [label.text for label in labels(frame) if label.part == "piece"][
            -1
        ] == f"word{count - 1}"
    frame.locator(".area").evaluate("area => { area.scrollTop = 0; }")
    expect(frame.locator("[data-part=piece][data-of='0']")).to_have_count(1)
    drawn = int(frame.get_attribute("data-drawn") or 0)
    write(500)
    assert labels(frame)[0].text == "word0"


def test_a_name_without_end_has_an_end_in_the_tip(visit: Visit) -> None:
    prompt = "x" * 5000 + " drink to"
    words: dict[str, Any] = {"sentence": "Long.", "name": "long"}
    for picture, said in [
        (branches([Branch(-1, prompt, 1), Branch(0, " a", 0.5)], **words), "x drink to: "),
        (shaded_text([prompt], [1], unit="bits", **words), "xx…: 1.000 bits"),
    ]:
        frame = shown(visit, picture, width=390)
        frame.locator(".area").focus()
        heard = press(frame, "Home")
        assert said in heard
        assert len(heard) < 120
