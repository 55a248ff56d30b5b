"""Read back a browser picture: its pixels, its labels, and their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from playwright.sync_api import Locator, Page, expect

from core.figures import Picture

WHITE, NIGHT = (255, 255, 255), (14, 17, 23)

_PIXELS = """(frame, [rows, columns, which]) => {
  const canvas = frame.querySelectorAll("canvas")[which], {width, height} = canvas;
  const all = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  const middle = (i, count, pixels) => Math.floor((Math.round(i * pixels / count)
    + Math.round((i + 1) * pixels / count)) / 2 - 0.01);
  const found = [];
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
    const at = 4 * (middle(r, rows, height) * width + middle(c, columns, width));
    found.push([...all.slice(at, at + 4)]);
  }
  return found;
}"""
# Visits all cells in the order of the arrow keys, in a single call.
_CELLS = """(frame, [rows, columns]) => {
  const area = frame.querySelector(".area"), found = [];
  const said = frame.querySelector("[role=status]");
  const press = (key, ctrlKey = false) => area.dispatchEvent(
    new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
  press("Home", true);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      press(c ? "ArrowRight" : "Home");
      found.push(said.textContent);
    }
    press("ArrowDown");
  }
  return found;
}"""
_LABELS = """(frame) => [...frame.querySelectorAll("svg text")].map((label) => {
  const {left, top, right, bottom} = label.getBoundingClientRect();
  const page = frame.getBoundingClientRect();
  const turned = label.getAttribute("transform").match(/translate\\(([-.\\d]+) .*rotate\\(([-\\d]+)/);
  return {part: label.dataset.part ?? "", text: label.textContent, left: left - page.left,
    top: top - page.top, right: right - page.left, bottom: bottom - page.top, x: +turned[1],
    turn: +turned[2], size: +label.getAttribute("font-size"),
    fill: label.getAttribute("fill"), bold: label.getAttribute("font-weight") === "700"};
})"""


class Label(NamedTuple):
    """A text in a picture; positions in pixels of the page, from the picture's corner."""

    part: str
    text: str
    left: float
    top: float
    right: float
    bottom: float
    x: float
    turn: float
    size: float
    fill: str
    bold: bool


def frames(page: Page, count: int = 1) -> list[Locator]:
    """The pictures of the page, once they are drawn and no longer move."""
    drawn = page.locator(".picture[data-drawn]")
    expect(drawn).to_have_count(count)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    return drawn.all()


def settle(page: Page) -> None:
    """Wait until the next frame is drawn, here and in linked pictures, which react one frame later."""
    for _ in range(2):
        page.evaluate("() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")


def shape(picture: Picture) -> tuple[int, int]:
    """Rows and columns."""
    rows = len(picture.header["rows"])
    return rows, len(picture.payload) // 4 // rows


def numbers(picture: Picture) -> np.ndarray:
    return np.frombuffer(picture.payload, "<f4").reshape(shape(picture))


def read_cells(frame: Locator, rows: int, columns: int) -> list[str]:
    """The text read aloud for each cell, row by row, in the order of the arrow keys."""
    found: list[str] = frame.evaluate(_CELLS, [rows, columns])
    return found


def pixels(frame: Locator, rows: int, columns: int, *, canvas: int = 0) -> np.ndarray:
    """The colour in the middle of each cell of one of its canvases, (rows, columns, 4)."""
    return np.array(frame.evaluate(_PIXELS, [rows, columns, canvas])).reshape(rows, columns, 4)


def grown(share: np.ndarray, paper: Sequence[int], hue: Sequence[int]) -> np.ndarray:
    """The colours of shares, 0 to 1, (…, 1) to (…, 3): from the page's colour to the hue.

    On a dark page, the hue is reached at .4; from there on it is tinted, up to three fifths white.
    """
    page, full = np.array(paper, float), np.array(hue, float)
    if sum(paper) > 3 * 127:
        return page + share * (full - page)
    low, high = np.clip(share / 0.4, 0, 1), np.clip((share - 0.4) / 0.6, 0, 1)
    return page + low * (full - page) + high * 0.6 * (255 - full)


def coloured(picture: Picture, paper: tuple[int, ...], *, dark: bool = False) -> np.ndarray:
    """The expected pixels, computed independently of the JavaScript, (rows, columns, 3)."""
    scale, values = picture.header["scale"], numbers(picture)[..., None].astype(float)
    page = np.array(paper)
    if scale["kind"] == "weights":
        return grown(np.sqrt(values) if scale["root"] else values, paper, scale["hue"])
    low, high = np.array(scale["dark" if dark else "light"])
    share = np.clip(values / scale["bound"], -1, 1)
    return page + np.abs(share) * (np.where(share < 0, low, high) - page)


def labels(frame: Locator, part: str | None = None) -> list[Label]:
    found = [Label(**label) for label in frame.evaluate(_LABELS)]
    return [label for label in found if part in (None, label.part)]


def point(frame: Locator, row: int, column: int, rows: int, columns: int) -> None:
    """Move the mouse to the middle of a cell."""
    box = frame.locator(".area").bounding_box()
    assert box is not None
    frame.page.mouse.move(
        box["x"] + (column + 0.5) * box["width"] / columns,
        box["y"] + (row + 0.5) * box["height"] / rows,
    )


_SHAPES = """(frame) => [...frame.querySelectorAll("svg [data-part]")].map((shape) => {
  const box = shape.getBBox();
  return {part: shape.dataset.part, of: Number(shape.dataset.of ?? -1), text: shape.textContent,
    d: shape.getAttribute("d") ?? "", fill: shape.getAttribute("fill") ?? "",
    stroke: shape.getAttribute("stroke") ?? "",
    x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height};
})"""


class Shape(NamedTuple):
    """A path in a picture; `x` and `y` are its middle, in pixels from the picture's corner."""

    part: str
    of: int
    text: str
    d: str
    fill: str
    stroke: str
    x: float
    y: float
    width: float
    height: float


def shapes(frame: Locator, part: str) -> list[Shape]:
    """The paths of one part, in the order in which they are drawn."""
    found = [Shape(**shape) for shape in frame.evaluate(_SHAPES)]
    return [shape for shape in found if shape.part == part and shape.d]


def boxes(frame: Locator, part: str) -> list[Shape]:
    """The rectangles of one part, in the order in which they are drawn."""
    found = [Shape(**shape) for shape in frame.evaluate(_SHAPES)]
    return [shape for shape in found if shape.part == part and not shape.d]


def scale(places: list[float], values: list[float]) -> tuple[float, float]:
    """(slope, start) of the map from values to pixels, from values with known positions."""
    slope, start = np.polyfit(values, places, 1)
    return float(slope), float(start)


def meet(one: Label, other: Label, slack: float = 0.5) -> bool:
    """Whether two texts overlap; the empty edges of lines may touch."""
    high = 0.12 * one.size + slack
    return (
        min(one.right, other.right) - max(one.left, other.left) > slack
        and min(one.bottom, other.bottom) - max(one.top, other.top) > 2 * high
    )


def point_at(frame: Locator, x: float, y: float) -> None:
    """Move the mouse to a position in pixels from the picture's corner."""
    box = frame.bounding_box()
    assert box is not None
    frame.page.mouse.move(box["x"] + x, box["y"] + y)
