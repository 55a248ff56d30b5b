"""A cloud of points from a visitor's view: painted, read aloud, walked through by keys, saved."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, expect

from core.figures import style
from tests.browser.conftest import Shown
from tests.browser.pictures.points import points_pictures as made
from tests.browser.reading import frames, labels, shapes
from tests.browser.saving import save_picture

Visit = Callable[..., Page]
COUNT = 2003
_COLOURS = """(frame) => {
  const canvas = frame.querySelector("canvas"), {width, height} = canvas, counts = {};
  const all = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  let least = 255;
  for (let i = 0; i < all.length; i += 4) {
    const colour = [...all.slice(i, i + 3)].join(" ");
    counts[colour] = (counts[colour] ?? 0) + 1;
    least = Math.min(least, all[i + 3]);
  }
  return [counts, least];
}"""
WHITE = "255 255 255"


def settled(frame: Locator) -> None:
    expect(frame).not_to_have_attribute("data-moving", "")


def spots(frame: Locator, places: np.ndarray, depth: int) -> np.ndarray:
    """The expected positions of the points in pixels from the picture's corner."""
    box = frame.locator(".area").evaluate(
        "(a) => [a.offsetLeft, a.offsetTop, a.offsetWidth, a.offsetHeight]"
    )
    left, top, wide, high = box
    low, most = places.reshape(-1, 2).min(axis=0), places.reshape(-1, 2).max(axis=0)
    share = (places[:, depth] - low) / (most - low)
    x, y = left + 20 + share[:, 0] * (wide - 40), top + high - 16 - share[:, 1] * (high - 32)
    return np.stack([x, y], axis=1).astype(float)


def test_a_visit_to_thousands_of_points(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=cloud", width=900)
    (frame,) = frames(page)
    places = made.cloud_places(COUNT).astype(np.float32)
    counts, opaque = frame.evaluate(_COLOURS)
    assert opaque == 255
    assert len(counts) > 3
    assert [label.text for label in labels(frame, "group")] == [
        "one (668)",
        "<b>two</b> (668)",
        "three (667)",
    ]
    assert [shape.fill for shape in shapes(frame, "key")] == list(style.HEADS_ON_LIGHT[:3])
    (ring,) = shapes(frame, "chosen")
    at = spots(frame, places, 2)
    np.testing.assert_allclose([ring.x, ring.y], at[4], atol=1)
    # The pointer finds the nearest point, with the whole of its sentence.
    whole, tip = frame.bounding_box(), frame.locator(".tip")
    assert whole is not None
    for i in (*at.argmin(axis=0), *at.argmax(axis=0)):  # those that stand alone
        page.mouse.move(whole["x"] + at[i][0] + 1, whole["y"] + at[i][1] - 1)
        expect(tip).to_contain_text(f"{i + 1}. ")
        expect(tip).to_contain_text("along")
        expect(tip.locator("u")).to_have_text("bank")
    # A still picture does not choose: nobody listens.
    page.mouse.click(whole["x"] + at[8][0], whole["y"] + at[8][1])
    assert len(shapes(frame, "chosen")) == 1
    np.testing.assert_allclose([shapes(frame, "chosen")[0].x], [at[4][0]], atol=1)
    # Keys go from left to right.
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("slider", name="After layer")).to_be_focused()
    page.keyboard.press("Tab")
    heard = frame.get_by_role("status")
    order = np.argsort(places[:, 2, 0], kind="stable")
    keys = ("Home", "ArrowRight", "PageDown", "End")
    for key, i in zip(keys, order[[0, 1, 22, -1]], strict=True):
        page.keyboard.press(key)
        expect(heard).to_contain_text(f"{i + 1}. ")
    rising = list(np.argsort(places[:, 2, 1], kind="stable"))
    page.keyboard.press("ArrowDown")
    expect(heard).to_contain_text(f"{rising[rising.index(order[-1]) - 1] + 1}. ")
    # The slider moves them to where they are all one.
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Home")
    settled(frame)
    assert frame.evaluate(_COLOURS)[0][WHITE] > counts[WHITE]
    page.mouse.move(whole["x"] + 300, whole["y"] + 300)
    expect(tip).to_contain_text("2,002 more")
    expect(tip).to_contain_text("learned")
    table = page.get_by_role("table")
    expect(table.locator("caption")).to_have_text("20 of 2,003 points, learned")
    assert table.locator("tr").nth(1).locator("td").all_inner_texts() == [
        "5. Sentence 4 on the bank.",
        "<b>two</b>",
        "0.000",
        "0.000",
    ]
    assert frame.locator("b").count() == 0


def test_it_is_saved_with_every_point(pictures: Shown, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{pictures.url}/?kind=cloud", width=900)
    (frame,) = frames(page)
    for kind in ("SVG", "PNG"):
        waiting = save_picture(frame, kind)
        waiting.save_as(tmp_path / kind)
        assert waiting.suggested_filename == f"polysee-cloud.{kind.lower()}"
    text = (tmp_path / "SVG").read_text("utf-8")
    marks = re.findall(r'<path d="([^"]*)"[^>]* data-part="mark"', text)
    assert [path.count("z") for path in marks] == [668, 668, 667]
    assert "after Layer 2" in text
    assert "<b>" not in text
    assert (tmp_path / "PNG").read_bytes().startswith(b"\x89PNG")


def test_few_points_have_their_names(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/?kind=few", width=700, scheme="dark")
    (frame,) = frames(page)
    names = labels(frame, "name")
    assert len(names) >= 12
    assert all(name.text.split(".")[0].isdigit() for name in names)
    assert [shape.fill for shape in shapes(frame, "key")] == list(style.HEADS_ON_DARK[:3])
