"""The file of every picture of attention has the painted numbers, and is empty for missing ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from core.figures import style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import gallery, painted
from tests.browser.pictures.painted import CASES, Painted
from tests.browser.reading import frames, labels, settle
from tests.tiers import crossed, some

Visit = Callable[..., Page]
EXACT = 1.1e-4  # four digits after the point, of weights that query and key lead to


def shows_special(state: Mapping[str, Any]) -> bool:
    """Whether a layer shows special tokens; by default, all zoom levels but the lines do."""
    return bool(state["level"] != "lines" if state["special"] is None else state["special"])


def shape(one: Painted) -> tuple[int, int]:
    header = one.picture.header
    names = ("queries", "keys") if one.picture.module == "layer" else ("rows", "columns")
    rows, columns = (len(header[name]) for name in names)
    if one.picture.module == "layer" and not shows_special(header["state"]):
        gone = [len(some) for some in header["special"]]
        rows, columns = rows - gone[0], columns - gone[1]
    return rows, columns


def opened(pictures: Shown, visit: Visit, one: Painted, **how: Any) -> Locator:
    gallery.KEPT["painted"] = one.picture
    (frame,) = frames(visit(f"{pictures.url}/kept?name=painted", **how))
    return frame


def number(said: str) -> float:
    """The number read aloud for a cell; NaN if it is missing, 0 if it is masked."""
    value = said.rpartition(": ")[2].removeprefix("weight ").partition(", score")[0]
    if value in ("missing", "masked"):
        return np.nan if value == "missing" else 0.0
    return float(value.replace("−", "-"))


def hatched(frame: Locator, part: str, rows: int, columns: int) -> np.ndarray:
    """(rows, columns) bool: the hatched cells, by the first canvas of cells."""
    found = np.zeros((rows, columns), bool)
    lines = frame.locator(f"path[data-part={part}]")
    if not lines.count():
        return found
    path = lines.first.get_attribute("d") or ""
    ends = np.array([[float(x) for x in place.split()] for place in re.split("[ML]", path)[1:]])
    box, whole = frame.locator("canvas").first.bounding_box(), frame.bounding_box()
    assert box is not None
    assert whole is not None
    u = (ends[:, 0] + whole["x"] - box["x"]) / box["width"] * columns
    v = (ends[:, 1] + whole["y"] - box["y"]) / box["height"] * rows
    for along in np.linspace(0.02, 0.98, 25):
        c, r = ((1 - along) * at[::2] + along * at[1::2] for at in (u, v))
        inside = (np.abs(c % 1 - 0.5) < 0.45) & (np.abs(r % 1 - 0.5) < 0.45)  # ends are rounded
        found[r[inside].astype(int), c[inside].astype(int)] = True
    return found


def colours(one: Painted, values: np.ndarray) -> np.ndarray:
    """The expected pixels of these numbers on white; white for missing ones."""
    header = one.picture.header
    scale = {"kind": "weights", "root": header.get("root"), "hue": style.WEIGHT_HUE}
    if one.picture.module != "layer":
        scale = header["scale"]
    share = np.nan_to_num(values)[..., None]
    if scale["kind"] == "weights":
        share = np.sqrt(share) if scale["root"] else share
        return 255 + share * (np.array(scale["hue"]) - 255.0)
    low, high = np.array(scale["light"], float)
    share = np.clip(share / scale["bound"], -1, 1)
    return 255 + np.abs(share) * (np.where(share < 0, low, high) - 255)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", some(CASES, 6))
def test_a_file_holds_what_is_painted_read_and_hatched(
    pictures: Shown, visit: Visit, name: str
) -> None:
    one = CASES[name]()
    saved, (rows, columns) = painted.read(one.csv), shape(one)
    assert saved.shape == (rows, columns)
    frame = opened(pictures, visit, one)
    said = reading.read_cells(frame, rows, columns)
    got = np.array([number(text) for text in said]).reshape(rows, columns)
    gone = np.isnan(saved)
    np.testing.assert_array_equal(np.isnan(got), gone)
    np.testing.assert_allclose(got, saved, atol=EXACT)
    pixels = reading.pixels(frame, rows, columns)[..., :3].astype(float)
    np.testing.assert_allclose(pixels, colours(one, saved), atol=2.6)
    np.testing.assert_array_equal(hatched(frame, "missing", rows, columns), gone)
    masked = np.array([text.endswith(": masked") for text in said]).reshape(rows, columns)
    if masked.any():
        np.testing.assert_array_equal(hatched(frame, "masked", rows, columns)[~gone], masked[~gone])
        assert (saved[masked] == 0).all()
    words = " ".join(label.text for label in labels(frame, "note"))
    assert ("hatched" in words or "no attention" in words) == bool(gone.any() or masked.any())
    header = one.picture.header
    if one.picture.module == "layer" and header["kind"] != "none":
        hidden = not shows_special(header["state"]) and any(header["special"])
        mean = header["state"]["head"] < 0 or header["isMean"]
        assert ("scaled to 1 over the tokens shown" in words) == hidden
        assert ("then averaged" in words) == (hidden and mean)


# Of all that is hidden, missing or masked, one of each, on the other zoom levels.
ROWS = [
    ("lost", {"l": "2", "h": "3", "s": "0"}),
    ("lost", {"l": "2", "h": "mean", "s": "0"}),
    ("lost", {"l": "mean", "s": "0"}),
    ("weights", {"l": "2", "h": "3", "s": "0"}),
    ("hybrid", {"l": "1"}),
    ("local", {"l": "1", "h": "4", "s": "0"}),
    ("sinks", {"l": "2", "h": "mean"}),
    ("pair", {"l": "2", "h": "3", "n": "ab"}),
]


@pytest.mark.parametrize(("kind", "chosen"), some(ROWS, 1))
def test_a_file_holds_what_bars_and_their_table_show(
    pictures: Shown, visit: Visit, kind: str, chosen: dict[str, str]
) -> None:
    saved = painted.read(painted.on_heads(kind, **chosen).csv)
    one = painted.on_heads(kind, r="token", **chosen)
    frame = opened(pictures, visit, one)
    select = frame.get_by_label("Query token")
    for row in range(len(saved)):
        select.focus()
        frame.page.keyboard.press("ArrowDown" if row else "Home")
        settle(frame.page)  # on a loaded machine, the box tells of its choice later
        texts = [label.text for label in labels(frame, "weight")]
        masked = len(labels(frame, "masked"))
        note = " ".join(label.text for label in labels(frame, "note"))
        cells = [line.locator("td").all_inner_texts() for line in frame.page.locator("tr").all()[1:]]
        if np.isnan(saved[row]).all():
            assert texts == ["missing"] * saved.shape[1]
            assert "missing" in note
            assert frame.locator("path[data-part=missing]").count() == saved.shape[1]
            assert cells == []
            assert "missing" in frame.page.locator("caption").inner_text()
            continue
        assert not np.isnan(saved[row]).any()
        got = np.array([float(text) for text in texts])
        assert len(got) + masked == saved.shape[1]
        np.testing.assert_allclose(
            np.sort(got)[::-1], np.sort(saved[row])[::-1][: len(got)], atol=EXACT
        )
        total = re.search(r"Σ of (\d+) weights = ([\d.]+\d)", note)
        assert total is not None
        assert int(total[1]) == len(got)
        assert abs(float(total[2]) - saved[row].sum()) < EXACT
        table = [float(texts[1]) for texts in cells]
        np.testing.assert_allclose(table, np.sort(saved[row])[::-1], atol=EXACT)


@pytest.mark.parametrize(("kind", "chosen"), some(ROWS, 1))
def test_a_file_holds_what_lines_and_their_table_show(
    pictures: Shown, visit: Visit, kind: str, chosen: dict[str, str]
) -> None:
    chosen = {"s": "1", **chosen}  # the lines open without special tokens
    saved = painted.read(painted.on_heads(kind, **chosen).csv)
    head = chosen.get("h", "")
    one = painted.on_heads(kind, r="lines", on=head, **chosen)
    frame = opened(pictures, visit, one)
    gone = np.isnan(saved).all(axis=1)
    assert frame.locator("path[data-part=missing]").count() == gone.sum()
    frame.locator(".area").focus()
    frame.page.keyboard.press("Home")
    for row, missing in enumerate(gone):
        if row:
            frame.page.keyboard.press("ArrowDown")
        heard = frame.get_by_role("status").inner_text()
        shown = {
            int(label.get_attribute("data-of") or -1): float(label.text_content() or "")
            for label in frame.locator("text[data-part=weight]").all()
        }
        cells = [line.locator("td").all_inner_texts() for line in frame.page.locator("tr").all()[1:]]
        if missing:
            assert "missing" in heard
            assert shown == {}
            assert cells == []
            continue
        assert "missing" not in heard
        keys = [label.get_attribute("data-of") for label in frame.locator("text[data-part=key]").all()]
        for place, weight in enumerate(saved[row]):
            of = int(keys[place] or -1)
            assert (of in shown) == (weight >= 0.01)
            assert abs(shown.get(of, 0) - weight) < (0.0051 if of in shown else 0.01)
        table = [float(texts[3]) for texts in cells]
        np.testing.assert_allclose(table, np.sort(saved[row])[::-1], atol=EXACT)


_MAPS = """(frame, [boxes, rows, columns]) => {
  const canvas = frame.querySelector("canvas"), { width, height } = canvas;
  const pen = canvas.getContext("2d");
  return boxes.map(([left, top, wide, high]) => {
    const found = [];
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
      const x = left + ((c + 0.5) * wide) / columns, y = top + ((r + 0.5) * high) / rows;
      found.push([...pen.getImageData(Math.floor(x), Math.floor(y), 1, 1).data].slice(0, 3));
    }
    return found;
  });
}"""


_LINED = """(frame, [boxes, rows]) => {
  const pen = frame.querySelector("canvas").getContext("2d");
  return boxes.map(([left, top, wide, high]) => Array.from({ length: rows }, (_, r) => {
    const y = Math.floor(top + ((r + 0.5) * high) / rows);
    const line = pen.getImageData(Math.ceil(left) + 1, y, Math.floor(wide) - 2, 1).data;
    let light = 0, dark = 0;
    for (let i = 0; i < line.length; i += 4) line[i] > 250 ? light++ : dark++;
    return light > dark && dark > 0;
  }));
}"""


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("kind", "special"), crossed(["lost", "hybrid", "local", "sinks"], ["", "0"], of=2)
)
def test_the_numbers_of_all_heads_are_what_their_maps_paint(
    pictures: Shown, visit: Visit, kind: str, special: str
) -> None:
    one, saved = painted.all_heads(kind, s=special)
    layers, heads, rows, columns = saved.shape
    frame = opened(pictures, visit, Painted(one, ""))
    flat, gone = saved.reshape(-1, rows, columns), np.isnan(saved[..., 0]).reshape(-1, rows)
    area = frame.locator(".area")
    area.focus()
    frame.page.keyboard.press("Control+Home")
    canvas = frame.locator("canvas").bounding_box()
    assert canvas is not None
    boxes, told = [], []
    for _layer in range(layers):
        for _head in range(heads):
            cursor = frame.locator(".cursor").bounding_box()
            assert cursor is not None
            left, top = cursor["x"] + 4 - canvas["x"], cursor["y"] + 4 - canvas["y"]
            boxes.append([left, top, cursor["width"] - 8, cursor["height"] - 8])
            told.append(frame.get_by_role("status").inner_text())
            frame.page.keyboard.press("ArrowRight")
        frame.page.keyboard.press("ArrowDown")
        frame.page.keyboard.press("Home")
    pixels = np.array(frame.evaluate(_MAPS, [boxes, rows, columns]), float)
    pixels = pixels.reshape(-1, rows, columns, 3)
    share = flat[..., None]
    expected = 255 + np.nan_to_num(share) * (np.array(style.WEIGHT_HUE) - 255.0)
    np.testing.assert_allclose(pixels[~gone], expected[~gone], atol=2.6)
    # Of what is missing there is paper and grey lines, and never a weight.
    assert (np.ptp(pixels[gone], axis=-1) < 30).all()
    assert np.array(frame.evaluate(_LINED, [boxes, rows]))[gone].all()
    for head, said in enumerate(told):
        if gone[head].all():
            assert re.search("no attention|no such head", said), said
        else:
            most = np.nanmax(flat[head])
            found = re.search(r"strongest weight (\S+)", said)
            assert found is None or abs(float(found[1]) - most) < 0.0051
    # One token: its column's mean over the rows that are there, its row's largest.
    names = [label for label in one.header["tokens"]]
    for way, token in (("attention to", 3), ("attention from", 3)):
        frame.get_by_role("radio", name=way, exact=True).click()
        frame.get_by_role("radio", name=names[token], exact=True).first.click()
        area.focus()
        frame.page.keyboard.press("Control+Home")
        for head in range(heads):
            said = frame.get_by_role("status").inner_text()
            rows_there = flat[head][~gone[head]]
            if gone[head].all():
                assert "attention" in said
            elif way == "attention from" and gone[head, token]:
                assert "missing" in said
            else:
                want = rows_there[:, token].mean() if way == "attention to" else flat[head, token].max()
                got = re.search(r"” <?(0\.\d+|1\.00)", said)
                assert got is not None
                assert abs(float(got[1]) - want) < 0.012
            frame.page.keyboard.press("ArrowRight")


def test_there_are_missing_rows_among_the_pictures() -> None:
    """Otherwise the test above would not cover them."""
    gone = [name for name, make in CASES.items() if np.isnan(painted.read(make().csv)).any()]
    assert len(gone) >= 15
