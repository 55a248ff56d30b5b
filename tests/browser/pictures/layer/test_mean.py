"""The mean over the heads of a layer, at each zoom level: against NumPy, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.figures import style
from tests.browser import reading
from tests.browser.conftest import Shown
from tests.browser.pictures import heads_pictures as made
from tests.browser.pictures.layer.test_layer import (
    EXACT,
    heard,
    inner,
    middle,
    numbers,
    opened,
    press,
    read_all,
    softmax,
)
from tests.browser.reading import labels, point_at
from tests.tiers import some

Visit = Callable[..., Page]
MEAN = "Mean over all heads"
NO_SCORES = "A mean of heads has no scores of its own: choose a head."


def mean(n: int) -> np.ndarray:
    found: np.ndarray = softmax(inner(n)[2]).mean(axis=0)
    return found


def notes(frame: Locator, part: str = "note") -> str:
    return " ".join(label.text for label in labels(frame, part))


def test_lines_of_the_mean_are_one_set_in_the_colour_of_letters(app_heads: Shown, visit: Visit) -> None:
    frame = opened(app_heads, visit, "n=7", {"on": [2, 5], "head": 5, "threshold": 0.0})
    page, weights = frame.page, mean(7)
    button = frame.get_by_role("button", name=MEAN, exact=True)
    assert button.inner_text() == "mean"
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(frame.locator(".heads [aria-pressed=true]")).to_have_count(1)
    assert "Layer 3, mean of 12 heads, weights from 0.00" in notes(frame)
    painted = frame.evaluate("""(frame) => { const canvas = frame.querySelector("canvas");
      const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const found = new Set();
      for (let i = 0; i < all.length; i += 4) if (all[i + 3] > 200) {
        found.add(Math.max(all[i], all[i + 1], all[i + 2]) - Math.min(all[i], all[i + 1], all[i + 2]));
      }
      return [...found]; }""")
    ink = [float(x) for x in re.findall(r"\d+", frame.evaluate("node => getComputedStyle(node).color"))]
    assert max(painted, default=0) <= max(ink[:3]) - min(ink[:3]) + 8  # no hue of a head
    for side, shown in (("query", weights[4]), ("key", weights[:, 4])):
        point_at(frame, *middle(frame, side, 4))
        reading.settle(page)  # those of the one before may stand there still
        expect(frame.locator("[data-part=weight]").first).to_be_visible()
        got = {
            int(label.get_attribute("data-of") or -1): float(label.text_content() or "")
            for label in frame.locator("text[data-part=weight]").all()
        }
        assert set(got) == {i for i, weight in enumerate(shown) if weight >= 0.01}
        assert all(abs(weight - shown[i]) <= 0.0051 for i, weight in got.items())
    page.mouse.move(1, 1)
    expect(page.locator("code")).to_contain_text('"on": [-1]')
    sent = json.loads(page.locator("code").inner_text())
    assert (sent["on"], sent["head"]) == ([-1], -1)
    button.click()  # the heads that were there before
    expect(frame.locator(".heads [aria-pressed=true]")).to_have_count(2)
    expect(frame.get_by_role("button", name="Head 6", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    button.click()
    frame.get_by_role("button", name="Head 4", exact=True).click()
    expect(frame.locator(".heads [aria-pressed=true]")).to_have_count(1)
    expect(button).to_have_attribute("aria-pressed", "false")
    assert "Layer 3, head 4, weights" in notes(frame)


def test_the_keyboard_alone_reaches_the_mean_and_goes_down_with_it(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=7")
    page, weights, tokens = frame.page, mean(7), made.tokens(7)
    frame.get_by_role("button", name="Head 1", exact=True).focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(frame.get_by_role("button", name=MEAN)).to_be_focused()
    page.keyboard.press("Space")
    page.get_by_role("checkbox", name="special tokens").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    best = int(weights[1].argmax())
    expect(frame.get_by_role("status")).to_contain_text(f"{tokens[1]} attends to: ")
    assert f"{tokens[best]}\u2069 {weights[1, best]:.4f}" in heard(frame)
    assert "head" not in heard(frame)
    cells = page.get_by_role("table").locator("tr").nth(1).locator("td").all_inner_texts()
    assert cells[0] == "mean"
    assert abs(float(cells[3]) - weights[1].max()) < EXACT
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name=MEAN, checked=True)).to_be_visible()
    area = page.get_by_role("application")
    expect(area).to_have_attribute("aria-label", re.compile("mean of 12 heads"))
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(area).to_have_attribute("aria-roledescription", "strips of numbers")
    assert notes(frame, "none") == "A product belongs to one head: choose a head above."
    page.keyboard.press("ArrowRight")  # nothing to go through, and nothing breaks
    page.keyboard.press("Shift+Tab")
    page.get_by_role("radio", name=MEAN).focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("radio", name="Head 1", exact=True, checked=True)).to_be_focused()
    assert len(labels(frame, "sum")) == 3


@pytest.mark.parametrize("special", some([False, True], 1))
def test_every_weight_of_the_mean_by_keys(heads: Shown, visit: Visit, special: bool) -> None:
    state = {"level": "head", "head": -1, "view": "scores", "special": special}
    frame = opened(heads, visit, "n=6", state)
    kept = slice(None) if special else slice(1, -1)
    weights = softmax(inner(6)[2])[:, kept, kept]
    weights = (weights / weights.sum(axis=2, keepdims=True)).mean(axis=0)  # scaled, then averaged
    tokens, n = made.tokens(6)[kept], len(weights)
    for i, row in enumerate(read_all(frame, n)):
        for j, said in enumerate(row):
            assert said.startswith(f"{tokens[i]} → {tokens[j]}: weight ")
            assert "score" not in said
            assert abs(numbers(said)[0] - weights[i, j]) < EXACT
    got = reading.pixels(frame, n, n)[..., :3]
    expected = 255 + weights[..., None] * (np.array(style.WEIGHT_HUE) - 255)
    np.testing.assert_allclose(got, expected, atol=2)
    expect(frame.get_by_role("radio", name="scores before softmax")).to_have_count(0)
    assert NO_SCORES in notes(frame)
    texts = [label.text for label in labels(frame)]
    assert any("mean of 12 heads" in text for text in texts)
    press(frame, "Head 3")
    expect(frame.locator("canvas")).to_have_count(2)  # a head has scores: they stand beside its weights
    assert "Layer 3, head 3, scores before softmax (q·k scaled)" in notes(frame)


def test_the_bars_of_the_mean(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "n=14", {"level": "token", "head": -1, "query": 5})
    weights = mean(14)[5]
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, weights, atol=EXACT)
    assert labels(frame, "score") == []
    assert "Σ of 14 weights = 1.0000" in notes(frame)
    assert NO_SCORES in notes(frame)
    assert "Layer 3, mean of 12 heads: what" in notes(frame)


def test_the_mean_of_weights_alone_and_of_a_mask(heads: Shown, visit: Visit) -> None:
    frame = opened(heads, visit, "kind=weights&n=7", {"level": "token", "head": -1, "query": 3})
    weights = np.random.default_rng(4).dirichlet(np.ones(7), (3, 7)).mean(axis=0)[3]
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, weights, atol=EXACT)
    assert "no query and key" in notes(frame)
    assert NO_SCORES not in notes(frame)
    frame = opened(heads, visit, "kind=causal&n=6", {"level": "token", "head": -1, "query": 2})
    scores = inner(6, heads=3, d_head=made.D_HEAD)[2]
    later = np.triu(np.ones((6, 6), bool), 1)
    weights = softmax(np.where(later, -np.inf, scores)).mean(axis=0)[2, :3]
    assert len(labels(frame, "masked")) == 3
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, weights, atol=EXACT)


def test_the_mean_of_all_has_its_own_name_and_is_that_of_what_heads_show(
    heads: Shown, visit: Visit
) -> None:
    frame = opened(heads, visit, "kind=averaged&n=6", {"level": "token", "query": 2, "on": []})
    weights = made.maps(2, 3, 6).astype(float)
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, weights.mean(axis=(0, 1))[2], atol=EXACT)
    frame.get_by_role("checkbox", name="special tokens").click()
    bare = weights[..., 1:-1, 1:-1] / weights[..., 1:-1, 1:-1].sum(axis=-1, keepdims=True)
    got = [float(label.text) for label in labels(frame, "weight")]
    np.testing.assert_allclose(got, bare.mean(axis=(0, 1))[1], atol=EXACT)
    assert "Mean of all 6 heads: what" in notes(frame)
    assert re.search("each head’s rows .* 1 over the tokens shown, then averaged", notes(frame))
    assert "head 1" not in notes(frame)
    expect(frame.locator(".heads")).to_be_hidden()
    frame.get_by_role("tab", name="Lines").click()
    assert "Mean of all 6 heads, weights from" in notes(frame)  # of four tokens, no line is left out
    frame = opened(heads, visit, "kind=averaged&n=30", {"on": []})
    assert "Mean of all 6 heads, the 40 strongest weights from 0.05" in notes(frame)


def test_one_head_has_no_mean(heads: Shown, visit: Visit) -> None:
    for state in ({"on": [-1], "head": -1}, {"level": "head", "head": -1}):
        frame = opened(heads, visit, "kind=single&n=6", state)
        expect(frame.get_by_label(MEAN)).to_have_count(0)
        assert "mean of" not in " ".join(label.text for label in labels(frame))


@pytest.mark.fuzz
def test_weights_of_many_heads_arrive_within_a_hundred_thousandth(heads: Shown, visit: Visit) -> None:
    n = 300
    weights = made.maps(1, 12, n)[0]
    for head, query, special in ((7, 120, True), (-1, 33, True), (2, 1, False)):
        state = {"level": "token", "head": head, "query": query, "sort": "size", "special": special}
        frame = opened(heads, visit, f"kind=many&n={n}", state)
        kept = weights if special else weights[..., 1:-1] / weights[..., 1:-1].sum(-1, keepdims=True)
        row = np.sort((kept.mean(axis=0) if head < 0 else kept[head])[query])[::-1]
        got: list[str] = []
        frame.locator(".area").focus()
        for key in ("Home", *["PageDown"] * 29):
            frame.page.keyboard.press(key)
            got.append(heard(frame).split(": weight ")[1])
        places = [min(10 * i, len(row) - 1) for i in range(30)]
        for text, weight in zip(got, row[places], strict=True):
            assert abs(float(text) - weight) <= 1.05e-5 + 0.5 * 10.0 ** -len(text.split(".")[1])
        assert f"Σ of {len(row)} weights = 1.0000" in notes(frame)
