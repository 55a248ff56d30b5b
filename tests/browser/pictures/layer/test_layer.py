"""One layer in the browser, at each zoom level: every number against NumPy, by mouse and keyboard."""

from __future__ import annotations

import base64
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from core.figures import About, LayerAttention, LayerTitles, OnPage, Patterns, layer_view, style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import heads_pictures as made
from tests.browser.reading import boxes, frames, labels, point_at
from tests.browser.saving import save_picture
from tests.tiers import crossed

Visit = Callable[..., Page]
EXACT = 6e-5  # four digits after the point
_PAINTED = """(frame) => { const canvas = frame.querySelector("canvas");
  const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return all.filter((_, i) => i % 4 === 3).reduce((sum, alpha) => sum + alpha, 0); }"""


def opened(
    heads: Shown, visit: Visit, query: str, state: Mapping[str, Any] | None = None, **how: Any
) -> Locator:
    """A layer, by default with all of its tokens; None for its initial state."""
    asked = quote(json.dumps({"special": True, **(state or {})}))
    (frame,) = frames(visit(f"{heads.url}/?{query}&state={asked}", **how))
    return frame


def inner(n: int, *, heads: int = 12, d_head: int = 32) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Query, key and scores of `heads_pictures.random_layer`."""
    found = made.inner(n, heads=heads, d_head=d_head)
    q, k = np.asarray(found.query, float), np.asarray(found.key, float)
    return q, k, np.einsum("hid,hjd->hij", q, k) / np.sqrt(d_head)


def softmax(scores: np.ndarray) -> np.ndarray:
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: np.ndarray = exp / exp.sum(axis=-1, keepdims=True)
    return found


def numbers(text: str) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d*\.\d+", text.replace("−", "-"))]


def called(tokens: Sequence[str], i: int) -> str:
    """The name of a token, with a number if another token has the same name."""
    return tokens[i] if tokens.count(tokens[i]) == 1 else f"{tokens[i]} ({i + 1})"


def heard(frame: Locator) -> str:
    return frame.get_by_role("status").inner_text()


def read_all(frame: Locator, n: int) -> list[list[str]]:
    """The text read aloud at every cell of one head, in the order of the arrow keys."""
    said = reading.read_cells(frame, n, n)
    return [said[i * n : (i + 1) * n] for i in range(n)]


def read_by_keys(frame: Locator, n: int) -> list[list[str]]:
    """The same by the keys of the browser."""
    page = frame.page
    frame.locator(".area").focus()
    page.keyboard.press("Control+Home")
    found: list[list[str]] = []
    for i in range(n):
        found.append([])
        page.keyboard.press("Home")
        for _ in range(n):
            found[i].append(heard(frame))
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
    return found


def press(frame: Locator, name: str, role: Any = "radio") -> None:
    frame.get_by_role(role, name=name, exact=True).click()


def test_every_weight_and_score_of_a_head_by_keys(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=6", {"level": "head", "head": 4})
    scores, tokens = inner(6)[2], made.tokens(6)
    for head in (4, 9):
        press(frame, f"Head {head + 1}")
        by_keys = read_by_keys(frame, 6)
        assert read_all(frame, 6) == by_keys
        for i, row in enumerate(by_keys):
            for j, said in enumerate(row):
                assert said.startswith(f"{tokens[i]} → {tokens[j]}: weight ")
                weight, score = numbers(said)
                assert abs(weight - softmax(scores)[head, i, j]) < EXACT
                assert abs(score - scores[head, i, j]) < EXACT


def test_minilm_shows_the_weights_of_transformers(
    heads: Shown, visit: Visit, minilm_eager: Callable[[str], tuple[list[str], list[np.ndarray]]]
) -> None:
    tokens, layers = minilm_eager(made.TEXT)
    frame = opened(heads, visit, "kind=minilm", {"level": "head", "head": 4, "query": 11})
    for head in (4, 0, 11):
        press(frame, f"Head {head + 1}")
        frame.locator(".area").focus()
        frame.page.keyboard.press("Home")
        for j in range(len(tokens)):
            assert heard(frame).startswith(f"bank → {called(tokens, j)}: weight ")
            assert abs(numbers(heard(frame))[0] - layers[2][head, 11, j]) < 1e-4
            frame.page.keyboard.press("ArrowRight")
        got = reading.pixels(frame, 14, 14)[..., :3]
        share = layers[2][head][..., None]
        expected = 255 + share * (np.array(style.WEIGHT_HUE) - 255)
        np.testing.assert_allclose(got, expected, atol=2)


def test_masked_cells_are_hatched_and_read_as_masked(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "kind=causal&n=6", {"level": "head"})
    scores = inner(6, heads=3, d_head=made.D_HEAD)[2]
    later = np.triu(np.ones((6, 6), bool), 1)
    weights = softmax(np.where(later, -np.inf, scores))
    for i, row in enumerate(read_all(frame, 6)):
        for j, said in enumerate(row):
            if j > i:
                assert said.endswith(": masked")
            else:
                assert abs(numbers(said)[0] - weights[0, i, j]) < EXACT
    for map_ in (0, 1):  # weights, and scores beside them
        hatch = frame.locator("[data-part=masked]").nth(map_).get_attribute("d") or ""
        ends = np.array([[float(x) for x in place.split()] for place in re.split("[ML]", hatch)[1:]])
        box = frame.locator("canvas").nth(map_).bounding_box()
        whole = frame.bounding_box()
        assert box is not None
        assert whole is not None
        columns = (ends[:, 0] + whole["x"] - box["x"]) / box["width"] * 6
        rows = (ends[:, 1] + whole["y"] - box["y"]) / box["height"] * 6
        for along in (0.1, 0.5, 0.9):  # along each line
            c, r = ((1 - along) * at[::2] + along * at[1::2] for at in (columns, rows))
            assert later[np.floor(r).astype(int), np.floor(c).astype(int)].all()
    assert "masked" in " ".join(note.text for note in labels(frame, "note"))
    frame.page.get_by_role("tab", name="One token").click()
    frame.get_by_label("Query token").select_option("the (3)")
    assert len(labels(frame, "masked")) == 3
    np.testing.assert_allclose(
        [float(label.text) for label in labels(frame, "weight")], weights[0, 2, :3], atol=EXACT
    )


def test_scores_have_the_colour_of_their_sign(heads: Shown, visit: Visit) -> None:
    scores = inner(14)[2][0]
    low, high = (np.array(colour, float) for colour in style.SIGNED_ON_LIGHT)
    for width, maps in ((1440, 2), (800, 1)):  # beside the weights, or in their place
        frame = opened(heads, visit, "n=14", {"level": "head", "view": "scores"}, width=width)
        expect(frame.locator("canvas")).to_have_count(maps)
        expect(frame.get_by_role("radio", name="scores before softmax")).to_have_count(2 - maps)
        got = reading.pixels(frame, 14, 14, canvas=maps - 1)[..., :3].astype(float)
        # The framed row has its numbers in its cells; those of the scale stand below the map.
        box, whole = frame.locator("canvas").nth(maps - 1).bounding_box(), frame.bounding_box()
        assert box is not None
        assert whole is not None
        below = box["y"] + box["height"] - whole["y"]
        signed = [label for label in labels(frame) if re.fullmatch(r"[+−][\d.]+", label.text)]
        ends = [label.text for label in signed if label.top > below]
        assert len(ends) == 2
        if maps == 1:
            row = [label.text for label in labels(frame) if re.fullmatch(r"[+−]?\d\.\d\d", label.text)]
            written = np.array([float(text.replace("−", "-")) for text in row])
            assert any(np.allclose(written, line, atol=6e-3) for line in scores)
        assert float(ends[1]) >= np.abs(scores).max()
        share = (scores / float(ends[1]))[..., None]
        np.testing.assert_allclose(
            got, 255 + np.abs(share) * (np.where(share < 0, low, high) - 255), atol=2
        )


def test_one_cell_is_framed_in_weights_and_scores_beside_each_other(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=6", {"level": "head", "head": 4})
    scores, tokens = inner(6)[2][4], made.tokens(6)
    boxes = [canvas.bounding_box() for canvas in frame.locator("canvas").all()]
    weights, beside = (box for box in boxes if box is not None)
    assert weights["width"] == beside["width"]
    assert weights["x"] + weights["width"] < beside["x"]
    for box in (weights, beside):  # pointed at in the one or in the other
        frame.page.mouse.move(box["x"] + 3.5 * box["width"] / 6, box["y"] + 1.5 * box["height"] / 6)
        said = frame.locator(".tip").inner_text()
        assert said.startswith(f"{tokens[1]} → {tokens[3]}: weight ")
        np.testing.assert_allclose(numbers(said), [softmax(scores)[1, 3], scores[1, 3]], atol=EXACT)
        marks = frame.locator(".cursor").evaluate_all(
            "all => all.filter((mark) => mark.style.visibility === 'visible'"
            " && getComputedStyle(mark).display !== 'none').map((mark) => mark.getBoundingClientRect())"
        )
        middles = sorted(mark["x"] + mark["width"] / 2 for mark in marks)
        assert len(middles) == 2
        for middle_, own in zip(middles, (weights, beside), strict=True):
            assert abs(middle_ - own["x"] - 3.5 * own["width"] / 6) < 2


def test_one_token_as_bars(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=14", {"level": "token", "head": 2, "query": 5})
    scores, tokens = inner(14)[2][2, 5], made.tokens(14)
    weights = softmax(scores)
    names = [name.replace("##", "·") for name in tokens]
    np.testing.assert_allclose(
        [float(label.text) for label in labels(frame, "weight")], weights, atol=EXACT
    )
    np.testing.assert_allclose(
        [numbers(label.text)[0] for label in labels(frame, "score")], scores, atol=EXACT
    )
    assert [label.text for label in labels(frame, "key")] == names
    long = frame.locator("[data-part=bar]").evaluate_all(
        "all => all.map((bar) => +bar.getAttribute('width'))"
    )
    np.testing.assert_allclose(np.array(long) / max(long), weights / weights.max(), atol=1e-3)
    note = " ".join(label.text for label in labels(frame, "note"))
    assert "Σ of 14 weights = 1.0000" in note
    press(frame, "by size")
    order = np.argsort(-weights, kind="stable")
    assert [label.text for label in labels(frame, "key")] == [names[i] for i in order]
    frame.locator(".area").focus()
    frame.page.keyboard.press("Home")
    for i in order:
        assert heard(frame).startswith(f"{called(names, i)}: weight ")
        assert heard(frame).endswith(" ÷ √32")
        weight, score, product = numbers(heard(frame))
        np.testing.assert_allclose([weight, score], [weights[i], scores[i]], atol=EXACT)
        assert abs(product / np.sqrt(32) - score) < EXACT
        frame.page.keyboard.press("ArrowDown")


def test_one_product_sums_to_the_score(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "kind=bias&n=7", {"level": "product", "head": 1, "query": 3, "key": 5})
    found = made.inner(7)
    q, k = np.asarray(found.query, float)[1, 3], np.asarray(found.key, float)[1]
    bias = (3 - np.arange(7)) / 5
    scores = k @ q + bias
    first, second, third = (label.text for label in labels(frame, "sum"))
    assert abs(numbers(first)[0] - k[5] @ q) < EXACT
    assert second.startswith("× 1 + bias ")
    np.testing.assert_allclose(numbers(second), [bias[5], scores[5]], atol=EXACT)
    base = np.log(np.exp(scores).sum())
    np.testing.assert_allclose(numbers(third), [base, np.exp(scores[5] - base)], atol=EXACT)
    frame.locator(".area").focus()
    page = frame.page
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    total = 0.0
    for x in range(made.D_HEAD):
        total += q[x] * k[5, x]
        assert heard(frame).startswith(f"q×k, dimension {x}: ")
        np.testing.assert_allclose(
            numbers(heard(frame)), [q[x], k[5, x], q[x] * k[5, x], total], atol=EXACT
        )
        page.keyboard.press("ArrowRight")
    rows = page.get_by_role("table").locator("tr").all()[1:]
    cells = [numbers(" ".join(row.locator("td").all_inner_texts()[1:])) for row in rows]
    assert abs(sum(row[2] for row in cells) - k[5] @ q) < 5 * EXACT
    fills = frame.locator("[data-part=cell]").evaluate_all(
        "all => all.map((c) => c.getAttribute('fill'))"
    )
    low, high = (np.array(colour, float) for colour in style.SIGNED_ON_LIGHT)
    ends = numbers(" ".join(label.text for label in labels(frame, "note")).replace("0 to 4", ""))
    strips = np.concatenate([q / ends[0], k[5] / ends[0], q * k[5] / ends[1]])
    for value, fill in zip(strips, fills, strict=True):
        colour = np.array([float(x) for x in re.findall(r"\d+", fill)])
        expected = 255 + abs(value) * ((low if value < 0 else high) - 255)
        np.testing.assert_allclose(colour, expected, atol=2)
    frame.get_by_label("Key token").select_option("on (2)")
    assert abs(numbers(labels(frame, "sum")[0].text)[0] - k[1] @ q) < EXACT


def test_signs_are_seen_by_their_place_where_cells_are_narrow(heads: Shown, visit: Visit) -> None:
    state = {"level": "product", "head": 1, "query": 3, "key": 5}
    frame = opened(heads, visit, "n=14", state, width=390)
    q, k, _ = inner(14)
    values = np.concatenate([q[1, 3], k[1, 5], q[1, 3] * k[1, 5]])
    boxes = frame.locator("[data-part=cell]").evaluate_all(
        "all => all.map((cell) => [+cell.getAttribute('y'), +cell.getAttribute('height')])"
    )
    tops, highs = np.array(boxes).reshape(3, 32, 2).transpose(2, 0, 1)
    np.testing.assert_array_equal(tops > tops.min(axis=1, keepdims=True), values.reshape(3, 32) < 0)
    assert np.unique(highs.round(3)).size == 1
    assert "upper half is above 0" in " ".join(label.text for label in labels(frame, "note"))


@pytest.mark.parametrize("kind", ["plain", "weights"])
def test_the_lines_open_without_special_tokens_and_a_bar_says_what_goes_to_them(
    heads: Shown, visit: Visit, kind: str
) -> None:
    frame = opened(heads, visit, f"n=14&kind={kind}", {"special": None, "on": [0, 1, 2]})
    box = frame.get_by_role("checkbox", name="special tokens")
    expect(box).not_to_be_checked()
    if kind == "weights":
        weights = np.random.default_rng(4).dirichlet(np.ones(14), (3, 14))
    else:
        weights = softmax(inner(14)[2])[:3]
    expected = weights[:, 1:-1, [0, -1]].sum(axis=-1).mean(axis=0)  # of each row that is shown
    bars = {part: boxes(frame, part) for part in ("share", "whole")}
    assert [one.of for one in bars["share"]] == list(range(1, 13))
    got = [bar.width / room.width for bar, room in zip(bars["share"], bars["whole"], strict=True)]
    np.testing.assert_allclose(got, expected, atol=0.02)
    names = [label for label in labels(frame) if label.part == "query"]
    assert len(names) == 12
    for bar, name in zip(bars["whole"], names, strict=True):
        assert bar.x + bar.width / 2 < name.left  # beyond the name, and in the picture
        assert bar.x >= bar.width / 2
    note = " ".join(label.text for label in labels(frame, "note")).replace("\u2068", "")
    assert "each bar: how much of the row goes to [CLS] and [SEP]" in note.replace("\u2069", "")
    frame.page.get_by_role("tab", name="One head").click()
    expect(box).to_be_checked()  # the others open with all
    frame.page.get_by_role("tab", name="Lines").click()
    box.click()
    expect(box).to_be_checked()
    assert not boxes(frame, "share")
    assert len([label for label in labels(frame) if label.part == "query"]) == 14
    box.click()
    frame.page.get_by_role("tab", name="One head").click()
    expect(box).to_be_checked()  # back to how both open


def test_where_no_head_is_like_one_nothing_is_promised(visit: Visit) -> None:
    patterns = Patterns(("before",), np.full((1, 2, 1), 0.5), None, (0.4,))
    about = About(2, patterns, (0, 0), ([(0, 1, 0.25)], []))
    made_of_two = layer_view(
        LayerAttention(made.tokens(5), made.tokens(5), inner=made.inner(5, heads=2)),
        LayerTitles("Layer 3", "Two heads.", "two"),
        state={"level": "head"},
        on_page=OnPage(about=about),
    )
    html = "<!doctype html><meta charset=utf-8>" + made_of_two.to_html()
    page = visit("data:text/html;base64," + base64.b64encode(html.encode()).decode())
    said = page.locator(".about")
    expect(said).to_contain_text(re.compile(r"similar to head 1.*1·2 \(0\.25\)"))
    page.get_by_role("radio", name="Head 2", exact=True).click()
    expect(said).to_contain_text("In head 2, a token’s attention goes")
    expect(said).not_to_contain_text("similar")


def test_hidden_special_tokens_scale_rows_to_one_and_say_so(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=7", {"level": "token", "head": 3, "query": 2, "special": False})
    weights = softmax(inner(7)[2])[3, 2, 1:-1]
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, weights / weights.sum(), atol=EXACT)
    note = " ".join(label.text for label in labels(frame, "note"))
    assert "Σ of 5 weights = 1.0000; special tokens left out" in note
    for tab in ("Lines", "One head"):
        frame.page.get_by_role("tab", name=tab).click()
        assert "special tokens left out" in " ".join(label.text for label in labels(frame, "note"))
        assert not any("[" in label.text for label in labels(frame) if label.part in ("query", "row"))
    frame.page.get_by_role("checkbox", name="special tokens").click()
    assert "left out" not in " ".join(label.text for label in labels(frame, "note"))
    assert labels(frame, "row")[0].text == "[CLS]"


def middle(frame: Locator, part: str, of: int) -> tuple[float, float]:
    at = frame.locator(f"text[data-part={part}][data-of='{of}']").bounding_box()
    whole = frame.bounding_box()
    assert at is not None
    assert whole is not None
    return at["x"] - whole["x"] + at["width"] / 2, at["y"] - whole["y"] + at["height"] / 2


@pytest.mark.fuzz
def test_hover_leaves_only_the_lines_of_a_token_with_their_weights(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=7", {"on": [2], "head": 2, "threshold": 0.0})
    weights = softmax(inner(7)[2])[2]
    before = frame.evaluate(_PAINTED)
    for side, other, shown in (("query", "key", weights[4]), ("key", "query", weights[:, 4])):
        point_at(frame, *middle(frame, side, 4))
        reading.settle(frame.page)  # those of the one before may stand there still
        expect(frame.locator("[data-part=weight]").first).to_be_visible()
        got = {}
        for label in frame.locator("text[data-part=weight]").all():
            got[int(label.get_attribute("data-of") or -1)] = float(label.text_content() or "")
        assert set(got) == {i for i, weight in enumerate(shown) if weight >= 0.01}
        for i, weight in got.items():
            assert abs(weight - shown[i]) <= 0.0051
            at = middle(frame, other, i)
            number = frame.locator(f"text[data-part=weight][data-of='{i}']").bounding_box()
            whole = frame.bounding_box()
            assert number is not None
            assert whole is not None
            assert abs(number["y"] + number["height"] / 2 - whole["y"] - at[1]) < 3
        assert frame.evaluate(_PAINTED) < before
        (bold,) = [label for label in labels(frame) if label.bold and label.part in ("query", "key")]
        assert bold.part == side
    frame.page.mouse.move(1, 1)
    expect(frame.locator("[data-part=weight]")).to_have_count(0)
    assert frame.evaluate(_PAINTED) == before
    point_at(frame, *middle(frame, "query", 3))
    frame.page.mouse.down()
    frame.page.mouse.up()
    frame.page.mouse.move(1, 1)
    expect(frame.locator("[data-part=weight]").first).to_be_visible()  # it stays
    frame.page.keyboard.press("Escape")
    expect(frame.locator("[data-part=weight]")).to_have_count(0)


def test_heads_are_switched_and_numbered_and_weak_lines_left_out(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=14")
    page = frame.page
    assert frame.get_by_role("button", name="Head 3", exact=True).inner_text() == "3"
    all_on = frame.evaluate(_PAINTED)
    page.get_by_label("Before", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="Lines")).to_be_focused()
    page.keyboard.press("Tab")
    expect(frame.get_by_role("button", name="Head 1", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    second = frame.get_by_role("button", name="Head 2", exact=True)
    expect(second).to_have_attribute("aria-pressed", "false")
    assert 0 < frame.evaluate(_PAINTED) < all_on
    page.keyboard.press("End")
    page.keyboard.press("Enter")  # all
    page.keyboard.press("Enter")  # none
    assert frame.evaluate(_PAINTED) == 0
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    few = frame.evaluate(_PAINTED)
    page.keyboard.press("Tab")
    slider = page.get_by_role("slider", name="weights from")
    expect(slider).to_be_focused()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "0.90")
    assert frame.evaluate(_PAINTED) < few
    assert "weights from 0.90" in labels(frame, "note")[0].text
    frame.get_by_role("button", name="Head 5", exact=True).dblclick()
    expect(frame.get_by_role("button", name="Head 5", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(frame.locator(".heads [aria-pressed=true]")).to_have_count(1)


def test_the_keyboard_alone_goes_through_the_lines_and_down_the_zoom_levels(
    app_heads: Shown, visit: Visit
) -> None:
    frame = opened(app_heads, visit, "n=7", {"on": [2, 5], "head": 2})
    page, weights, tokens = frame.page, softmax(inner(7)[2]), made.tokens(7)
    area = page.get_by_role("application")
    page.get_by_role("checkbox", name="special tokens").focus()
    page.keyboard.press("Tab")
    expect(area).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    best = max((weights[h, 1, j], h, j) for h in (2, 5) for j in range(7))
    expect(frame.get_by_role("status")).to_contain_text(f"{tokens[1]} attends to: ")
    assert f"{tokens[best[2]]}\u2069 {best[0]:.4f} (head {best[1] + 1})" in heard(frame)
    expect(frame.locator("[data-part=weight]").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(frame.get_by_role("status")).to_contain_text(f"{tokens[1]} receives attention from: ")
    page.keyboard.press("ArrowLeft")
    for tab, kind in (
        ("One head", "heatmap"),
        ("One token", "bars"),
        ("One product", "strips of numbers"),
    ):
        page.keyboard.press("Enter")
        expect(page.get_by_role("tab", name=tab, selected=True)).to_be_visible()
        expect(area).to_be_focused()
        expect(area).to_have_attribute("aria-roledescription", kind)
        assert page.get_by_role("table").locator("tr").count() <= 21
    expect(area).to_have_attribute("aria-label", re.compile(f"head {best[1] + 1}:"))
    shown = page.locator("code")  # has gone down too: it must not show the way down for the way up
    expect(shown).to_contain_text('"level": "product"')
    page.keyboard.press("Backspace")
    expect(page.get_by_role("tab", name="One token", selected=True)).to_be_visible()
    state = {"level": "token", "head": best[1], "on": [2, 5], "query": 1}
    expect(shown).to_contain_text('"level": "token"')
    sent = json.loads(shown.inner_text())
    assert {what: sent[what] for what in state} == state


def test_a_state_from_the_page_opens_as_asked_and_an_echo_changes_nothing(
    app_heads: Shown, visit: Visit
) -> None:
    state = {"level": "product", "head": 7, "query": 3, "key": 2, "special": False}
    frame = opened(app_heads, visit, "n=14", state)
    page = frame.page
    expect(page.get_by_role("tab", name="One product", selected=True)).to_be_visible()
    expect(page.get_by_role("radio", name="Head 8", exact=True, checked=True)).to_be_visible()
    expect(frame.get_by_label("Key token")).to_have_value("2")
    press(frame, "Head 2")
    expect(page.locator("code")).to_contain_text('"head": 1')
    drawn = frame.get_attribute("data-drawn")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_text("run 3")).to_be_visible()
    page.wait_for_timeout(200)
    assert frame.get_attribute("data-drawn") == drawn
    expect(page.get_by_role("radio", name="Head 2", exact=True, checked=True)).to_be_visible()


def test_right_to_left_texts_are_mirrored_and_odd_tokens_are_text(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "kind=hebrew&n=7")
    assert middle(frame, "query", 1)[0] > middle(frame, "key", 1)[0] + 100
    assert {label.text for label in labels(frame, "query")} == set(made.HEBREW)
    frame.locator(".area").focus()
    frame.page.keyboard.press("ArrowLeft")
    expect(frame.get_by_role("status")).to_contain_text("receives attention from")
    frame = opened(heads, visit, "kind=odd&n=7")
    shown = ["<b>bold</b>", "😀👩‍👩‍👧", "שלום", "مرحبا", "</script>", "a␁b", "(space)"]
    assert [label.text for label in labels(frame, "query")] == shown
    assert [label.text for label in labels(frame, "key")] == [*shown, "x", "y"]
    for tab in ("One head", "One token", "One product"):
        frame.page.get_by_role("tab", name=tab).click()
        assert frame.locator("b, i, script").count() == 0
    options = frame.get_by_label("Key token").locator("option").all_inner_texts()
    assert options[:2] == ["<b>bold</b> (1)", "😀👩‍👩‍👧 (2)"]


def test_a_model_without_query_and_key_says_so(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "kind=weights&n=7", {"level": "token", "head": 1, "query": 3})
    weights = np.random.default_rng(4).dirichlet(np.ones(7), (3, 7))[1, 3]
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, weights, atol=EXACT)
    assert labels(frame, "score") == []
    frame.page.get_by_role("tab", name="One product").click()
    said = " ".join(label.text for label in labels(frame, "none"))
    assert "no query and key" in said
    assert "no products" in said
    frame.locator(".area").focus()
    frame.page.keyboard.press("ArrowRight")
    frame.page.get_by_role("tab", name="One head").click()
    expect(frame.get_by_role("radio", name="scores before softmax")).to_have_count(0)


@pytest.mark.fuzz
def test_long_texts_scroll_and_name_what_is_out_of_sight(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=512", {"query": 300, "head": 3})
    page, weights = frame.page, softmax(inner(512)[2])

    def drawn(act: Callable[[], object]) -> None:
        before = int(frame.get_attribute("data-drawn") or 0)
        act()
        page.wait_for_function(
            "([node, before]) => Number(node.dataset.drawn) > before",
            arg=[frame.element_handle(), before],
        )

    shown = [
        int(label.get_attribute("data-of") or 0)
        for label in frame.locator("text[data-part=query]").all()
    ]
    assert 300 in shown
    assert len(shown) < 40
    drawn(lambda: frame.get_by_role("button", name="Head 2", exact=True).click())
    drawn(lambda: point_at(frame, *middle(frame, "query", 300)))
    edges = {
        int(label.get_attribute("data-of") or 0)
        for label in frame.locator("text[data-part=edge]").all()
    }
    on = [head for head in range(12) if head != 1]
    linked = {int(j) for j in np.flatnonzero(weights[on, 300].max(axis=0) >= 0.01)}
    assert edges <= linked
    assert bool(edges) == bool(linked - set(shown))
    drawn(lambda: page.mouse.wheel(0, 900))
    expect(frame.locator("text[data-part=query][data-of='300']")).to_be_hidden()
    frame.locator(".area").focus()
    drawn(lambda: page.keyboard.press("End"))
    expect(frame.locator("text[data-part=query][data-of='511']")).to_be_visible()
    drawn(lambda: page.get_by_role("tab", name="One head").click())
    drawn(lambda: press(frame, "Head 9"))
    drawn(lambda: press(frame, "scores before softmax"))
    drawn(lambda: page.get_by_role("tab", name="One token").click())
    drawn(lambda: press(frame, "by size"))
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, np.sort(weights[8, 511])[::-1][: len(got)], atol=EXACT)
    assert sum(label.bold for label in labels(frame, "key")) == min(20, len(got))
    drawn(lambda: page.get_by_role("tab", name="One product").click())
    drawn(lambda: page.get_by_role("checkbox", name="special tokens").click())
    drawn(lambda: page.get_by_role("tab", name="Lines").click())


@pytest.mark.fuzz
@pytest.mark.few(1)
@pytest.mark.parametrize(("width", "scheme"), crossed([360, 980], ["light", "dark"]))
def test_every_zoom_level_keeps_inside_on_a_phone_and_on_a_screen(
    heads: Shown, visit: Visit, width: int, scheme: str
) -> None:
    frame = opened(
        heads, visit, "kind=minilm", {"head": 4, "query": 11}, width=width + 32, scheme=scheme
    )
    page = frame.page
    for tab in ("Lines", "One head", "One token", "One product"):
        page.get_by_role("tab", name=tab).click()
        whole, save = frame.bounding_box(), frame.locator(".save").bounding_box()
        area, controls = (
            frame.locator(".area").bounding_box(),
            frame.locator(".controls").bounding_box(),
        )
        assert whole is not None
        assert save is not None
        assert area is not None
        assert controls is not None
        assert save["y"] + save["height"] <= whole["y"] + whole["height"] + 1
        assert controls["y"] + controls["height"] <= area["y"]
        assert area["y"] + area["height"] <= save["y"] + 1
        for label in labels(frame):
            assert label.left >= -1, label
            assert label.right <= whole["width"] + 1, label
            assert label.bottom <= whole["height"] + 1, label
            assert label.bottom <= save["y"] - whole["y"] + 4 or label.right < save["x"] - whole["x"]
        for button in frame.locator(".controls button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 20
            assert box["x"] + box["width"] <= whole["x"] + whole["width"] + 1


@pytest.mark.fuzz
def test_every_zoom_level_is_saved_whole_and_works_in_a_page_of_its_own(
    heads: Shown, visit: Visit
) -> None:
    frame = opened(heads, visit, "n=14", {"query": 5, "pin": "query"}, scheme="dark")
    page = frame.page
    for tab in ("Lines", "One head", "One token", "One product"):
        page.get_by_role("tab", name=tab).click()
        saved = {}
        for kind in ("PNG", "SVG"):
            download = save_picture(page, kind)
            saved[kind] = download.path().read_bytes()
        whole = frame.bounding_box()
        assert whole is not None
        image = Image.open(io.BytesIO(saved["PNG"])).convert("RGB")
        assert image.size == (2 * int(whole["width"]), 2 * int(whole["height"]))
        top = int(float(frame.locator(".controls").evaluate("bar => bar.offsetHeight")) / 2)
        small = int(whole["width"]) // 2, int(whole["height"]) // 2  # where no edge is blurred alone
        got, screen = (
            np.asarray(shot.resize(small, Image.Resampling.BOX).crop((0, top, *small)), float)
            for shot in (image, Image.open(io.BytesIO(frame.screenshot())).convert("RGB"))
        )
        assert np.abs(got - screen).mean() < 2
        root = ET.fromstring(saved["SVG"])
        texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert texts[0].startswith("Layer 3, head")
        assert texts[1:] == [label.text for label in labels(frame)]
    whole_page = "<!doctype html><meta charset=utf-8>" + made.random_layer("causal", 7, {}).to_html(
        events=["state"]
    )
    page = visit("data:text/html;base64," + base64.b64encode(whole_page.encode()).decode())
    (frame,) = frames(page)
    page.evaluate("addEventListener('polysee:state', ({ detail }) => { window.got = detail; })")
    frame.locator(".area").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="One product", selected=True)).to_be_visible()
    page.wait_for_function("window.got?.level === 'product'")
    page.evaluate(
        "host => { host = document.querySelector('[data-polysee]'); host.firstChild.remove(); }"
    )
    expect(page.locator(".picture")).to_have_count(0)
