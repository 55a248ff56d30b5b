"""Attention in models unlike BERT, in the browser: by keys, by hand, by its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.figures import OnPage, Picture, heads_of, layer_of
from core.measures import blocks, without_special
from core.measures.attention.visible_keys import later
from core.records.trace import Trace
from tests.browser.conftest import Shown
from tests.browser.pages.test_csv_is_painted import hatched
from tests.browser.pictures import gallery
from tests.browser.pictures.hand_made import LAYERS, traced, window
from tests.browser.pictures.layer.test_layer import EXACT, heard, numbers, press, read_all
from tests.browser.reading import frames, labels
from tests.browser.saving import save_picture
from tests.tiers import crossed, some

Visit = Callable[..., Page]
N = 9
FREE = np.random.default_rng(3).normal(size=(LAYERS, 1, N, N))
EVERYTHING: Mapping[str, Any] = {"softcap": 2.5, "bias": FREE, "sinks": True}


def drawn(pictures: Shown, visit: Visit, picture: Picture, **how: Any) -> Locator:
    gallery.KEPT["shape"] = picture
    (frame,) = frames(visit(f"{pictures.url}/kept?name=shape", **how))
    return frame


def layer(pictures: Shown, visit: Visit, trace: Trace, which: int, **state: Any) -> Locator:
    return drawn(pictures, visit, layer_of(trace, which, state=state, on_page=OnPage(above=True)))


def notes(frame: Locator, part: str = "note") -> str:
    return " ".join(label.text for label in labels(frame, part))


def of(trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    """Weights and sinks."""
    assert trace.attention is not None
    sink = trace.attention.sink
    return trace.attention.weights, np.zeros(0) if sink is None else sink


@pytest.mark.parametrize(
    "made", some([{"softcap": 2.5}, {"softcap": 2.5, "bias": FREE}, EVERYTHING], 1)
)
def test_a_product_comes_out_by_hand_line_by_line(
    pictures: Shown, visit: Visit, made: dict[str, Any]
) -> None:
    trace = traced(N, **made)
    frame = layer(pictures, visit, trace, 1, level="product", head=2, query=3, key=6)
    first, second, third, *last = (label.text for label in labels(frame, "sum"))
    assert trace.query is not None
    assert trace.key is not None
    product = float(trace.query[1, 2, 3] @ trace.key[1, 2, 6])
    (total,) = numbers(first)
    assert abs(total - product) < EXACT
    (scaled,) = numbers(second)
    assert second.startswith("÷ √7 = ")
    assert abs(total / np.sqrt(7) - scaled) < EXACT
    cap, inside, *bias, score = numbers(third)
    assert third.startswith("2.5 · tanh(")
    assert (cap, inside) == (2.5, scaled)
    squeezed = float(re.findall(r"÷ ([\d.]+)\)", third)[0])
    assert squeezed == 2.5
    added = bias[-1] if "bias" in third else 0.0
    assert ("bias" in third) == ("bias" in made)
    assert abs(2.5 * np.tanh(scaled / 2.5) + added - score) < 2 * EXACT
    base, weight = numbers(" ".join(last))[:2]
    assert ("sink" in " ".join(last)) == ("sinks" in made)
    assert abs(np.exp(score - base) - weight) < 2 * EXACT
    assert abs(weight - of(trace)[0][1, 2, 3, 6]) < EXACT


def test_a_bar_tells_how_its_score_came_about(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, **EVERYTHING)
    frame = layer(pictures, visit, trace, 1, level="token", head=2, query=3)
    frame.locator(".area").focus()
    frame.page.keyboard.press("Home")
    for key in range(N):
        said = heard(frame)
        weight, score, cap, product, _, bias = numbers(said.replace("√7", ""))
        assert cap == 2.5
        assert abs(2.5 * np.tanh(product / np.sqrt(7) / 2.5) + bias - score) < 2 * EXACT
        assert abs(weight - of(trace)[0][1, 2, 3, key]) < EXACT
        frame.page.keyboard.press("ArrowDown")


def test_what_goes_to_a_sink_is_said_wherever_rows_are_whole(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, **EVERYTHING)
    weights, sinks = of(trace)
    frame = layer(pictures, visit, trace, 1, level="token", head=2, query=3)
    total, rest = numbers(notes(frame).partition("Σ of 9 weights = ")[2])[:2]
    assert abs(total - weights[1, 2, 3].sum()) < EXACT
    assert abs(rest - sinks[1, 2, 3]) < EXACT
    frame.page.get_by_role("checkbox", name="special tokens").click()
    assert "the sink left out" in notes(frame)
    assert "Σ of 7 weights = 1.0000" in notes(frame)
    frame = layer(pictures, visit, trace, 1, level="head", head=2, query=2)
    said = re.search(r"(0\.\d+) of a row \((0\.\d+) of", notes(frame))
    assert said is not None
    assert abs(float(said[1]) - sinks[1, 2].mean()) < 0.0051
    assert abs(float(said[2]) - sinks[1, 2, 2]) < 0.0051
    press(frame, "Mean over all heads")
    said = re.search(r"(0\.\d+) of a row", notes(frame))
    assert said is not None
    assert abs(float(said[1]) - sinks[1].mean()) < 0.0051
    frame = layer(pictures, visit, trace, 1, level="lines", on=[2], special=True)
    frame.locator(".area").focus()
    frame.page.keyboard.press("Home")
    frame.page.keyboard.press("ArrowDown")
    assert abs(numbers(heard(frame).partition("sink ")[2])[0] - sinks[1, 2, 1]) < EXACT


@pytest.mark.fuzz
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("masked", "special"),
    crossed(
        [
            window(N, 2, 2),
            window(N, 3, 0),
            np.not_equal.outer(np.arange(N) // 4, np.arange(N) // 4),
            np.eye(N, k=2, dtype=bool) | np.eye(N, k=-3, dtype=bool),
        ],
        [True, False],
    ),
)
def test_what_lies_outside_of_a_mask_is_hatched_and_read_as_masked(
    pictures: Shown, visit: Visit, masked: np.ndarray, special: bool
) -> None:
    trace = traced(N, masked=np.stack([masked] * LAYERS))
    frame = layer(pictures, visit, trace, 1, level="head", head=2, special=special)
    kept = slice(None) if special else slice(1, -1)
    weights, unseen = of(trace)[0][1, 2][kept, kept], masked[kept, kept]
    if not special:
        weights = weights / weights.sum(axis=1, keepdims=True)
    n = len(weights)
    np.testing.assert_array_equal(hatched(frame, "masked", n, n), unseen)
    assert frame.locator("path[data-part=masked]").count() == 2  # in the weights, and in the scores
    for i, row in enumerate(read_all(frame, n)):
        for j, said in enumerate(row):
            if unseen[i, j]:
                assert said.endswith(": masked")
            else:
                assert abs(numbers(said)[0] - weights[i, j]) < EXACT
    assert "hatched: masked" in notes(frame)


def test_a_masked_product_has_no_weight_and_says_what_is_seen(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, masked=np.stack([window(N, 2, 2)] * LAYERS))
    frame = layer(pictures, visit, trace, 1, level="product", head=2, query=3, key=7)
    said = notes(frame, "sum")
    assert "masked, so the weight is 0" in said
    assert "2 before it and 2 after it" in said
    causal = layer(pictures, visit, traced(N, causal=True), 1, level="product", head=2, query=3, key=7)
    assert "later tokens are not visible" in notes(causal, "sum")


@pytest.mark.fuzz
def test_a_layer_without_attention_says_why_at_every_zoom_level(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, gone=((1, None),))
    for level, part in (("lines", "note"), ("head", "note"), ("token", "note"), ("product", "none")):
        frame = layer(pictures, visit, trace, 1, level=level)
        assert "This layer has no attention" in notes(frame, part)
        assert notes(frame, part).count("no attention") == 1
        expect(frame.locator(".heads")).to_be_hidden()
        frame.locator(".area").focus()
        for key in ("ArrowDown", "ArrowRight", "End", "Home"):
            frame.page.keyboard.press(key)
        table = frame.page.locator("caption").inner_text()
        assert "no attention" in table
    frame = layer(pictures, visit, trace, 1, level="head")
    assert hatched(frame, "missing", N, N).all()
    assert all(said.endswith("missing") for row in read_all(frame, N) for said in row)


def test_only_the_heads_that_a_layer_has_can_be_chosen(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, gone=((1, 1), (1, 4)))
    frame = layer(pictures, visit, trace, 1, level="head", head=4)
    names = frame.locator(".heads button").all_inner_texts()
    assert names == ["1", "3", "4", "mean"]
    expect(frame.get_by_role("radio", name="Head 1", exact=True, checked=True)).to_be_visible()
    press(frame, "Mean over all heads")
    weights = of(trace)[0][1, [0, 2, 3]].mean(axis=0)
    got = np.array([[numbers(said)[0] for said in row] for row in read_all(frame, N)])
    np.testing.assert_allclose(got, weights, atol=EXACT)
    assert "mean of 3 heads" in " ".join(label.text for label in labels(frame))
    frame.page.get_by_role("tab", name="Lines").click()
    assert frame.locator(".heads [aria-pressed=true]").all_inner_texts() == ["1", "3", "4"]
    expect(frame.get_by_role("button", name="no head", exact=True)).to_be_visible()


def test_the_mean_of_a_row_that_some_heads_miss_says_of_how_many_it_is(
    pictures: Shown, visit: Visit
) -> None:
    trace = traced(N, lost=((1, 2, 4), (1, 0, 4)))
    frame = layer(pictures, visit, trace, 1, level="token", head=-1, query=4, special=False)
    assert "the mean of the 3 of 5 heads that have this row" in notes(frame)
    bare = of(trace)[0][1][[1, 3, 4], 4, 1:-1]
    expected = (bare / bare.sum(axis=1, keepdims=True)).mean(axis=0)
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, expected, atol=EXACT)
    frame.get_by_label("Query token").select_option("the (3)")
    assert "of 5 heads that have" not in notes(frame)


def test_going_deeper_from_lines_takes_a_head_that_has_the_row(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, lost=((1, 0, 4),))
    frame = layer(pictures, visit, trace, 1, level="lines", on=[0, 2], query=4, special=False)
    frame.locator(".area").focus()
    frame.page.keyboard.press("Enter")
    expect(frame.get_by_role("radio", name="Head 3", exact=True, checked=True)).to_be_visible()


def test_heads_that_there_are_none_of_are_hatched_and_say_so(pictures: Shown, visit: Visit) -> None:
    trace = traced(N, gone=((0, None), (2, 3)), masked=np.stack([later(N, N)] + [window(N, 2, 2)] * 2))
    frame = drawn(pictures, visit, heads_of(trace))
    texts = [label.text for label in labels(frame)]
    assert "hatched: no attention in layer 1" in texts
    assert "hatched: layer 3 has fewer heads" in texts
    assert any(text.startswith("local attention") for text in texts)  # of all layers that have any
    frame.locator(".area").focus()
    frame.page.keyboard.press("Control+Home")
    assert heard(frame).endswith("head 1: no attention in this layer")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        frame.page.keyboard.press(key)
    assert heard(frame).endswith("head 4: this layer has no such head")
    rows = [row.locator("td").all_inner_texts() for row in frame.page.locator("tr").all()[1:]]
    assert [row[2] for row in rows][-6:] == ["missing"] * 6
    assert "missing" not in [row[2] for row in rows][:-6]


def test_hatching_of_all_heads_is_in_the_saved_picture(
    pictures: Shown, visit: Visit, tmp_path: Any
) -> None:
    (block,) = blocks(traced(N, lost=tuple((1, head, 4) for head in range(5)))).values()
    frame = drawn(pictures, visit, heads_of(without_special(block), state={"special": False}))
    save_picture(frame, "SVG").save_as(tmp_path / "heads.svg")
    text = (tmp_path / "heads.svg").read_text()
    assert "nothing is left of them" in text
    assert "data:image/png" in text


def test_a_hatched_map_is_hatched_in_a_saved_picture(
    pictures: Shown, visit: Visit, tmp_path: Any
) -> None:
    trace = traced(N, lost=((1, 2, 4),), masked=None)
    for level in ("head", "token", "lines"):
        frame = layer(pictures, visit, trace, 1, level=level, head=2, on=[2], query=4, special=False)
        save_picture(frame, "SVG").save_as(tmp_path / "layer.svg")
        shown = frame.locator("path[data-part=missing]").first.get_attribute("d") or ""
        assert shown
        assert 'data-part="missing"' in (tmp_path / "layer.svg").read_text()
