"""Step by step in a real browser: the first screen, the origin of numbers, keys, a changed number."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.walkthroughs import depth, tiny, tiny_numbers
from tests.browser.conftest import Server, back, rested, until_link
from tests.browser.reading import labels, point_at, shapes
from tests.browser.saving import save_picture
from tests.sentences import numbers
from tests.tiers import some

Visit = Callable[..., Page]
TEXT = "the cat ate the mouse"


PAGE = "step-by-step"


def drawn(page: Page, title: str) -> Locator:
    """The picture, once it shows the step of this title."""
    frame = page.locator(".picture[data-drawn]")
    expect(frame.get_by_role("application")).to_have_accessible_name(
        re.compile(f"^{re.escape(title)}:")
    )
    page.wait_for_timeout(100)
    return frame


def point(frame: Locator, m: int, row: int, column: int, shape: tuple[int, int]) -> None:
    """Move the mouse to a cell of matrix `m`, −1 for the result."""
    canvases = frame.locator("canvas").all()
    box = canvases[m].bounding_box()
    assert box is not None
    frame.page.mouse.move(
        box["x"] + (column + 0.5) * box["width"] / shape[1],
        box["y"] + (row + 0.5) * box["height"] / shape[0],
    )


def written(frame: Locator) -> str:
    return " ".join(label.text for label in labels(frame, "said"))


def value(text: str) -> float:
    return numbers(text.rpartition("= ")[2])[0]


def asked(page: Page) -> dict[str, str]:
    return {key: found[0] for key, found in parse_qs(urlparse(page.url).query).items()}


@pytest.mark.parametrize(
    "query",
    some(["?st=query", "?st=norm", "?ti=1&st=weights", "?st=scores&t=" + "river " * 14], 1),
)
def test_the_first_screen_holds_formula_matrices_and_sum(
    server: Server, visit: Visit, query: str
) -> None:
    page = visit(f"{server.url}/{PAGE}{query}")
    frame = page.locator(".picture[data-drawn]")
    expect(frame).to_be_visible()
    expect(page.locator(".katex").first).to_be_visible()
    for what in (page.locator(".katex").first, *frame.locator("canvas").all()):
        box = what.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 900
    top = frame.bounding_box()
    assert top is not None
    sums = labels(frame, "said")
    assert sums
    assert top["y"] + max(label.bottom for label in sums) <= 900


@pytest.mark.fuzz
@pytest.mark.parametrize(("layer", "head"), some([(4, 9), (1, 1)], 1))
def test_every_number_is_traced_without_asking_the_server(
    server: Server, visit: Visit, minilm: Any, layer: int, head: int
) -> None:
    sent: list[object] = []
    page = visit("about:blank")
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{server.url}/{PAGE}?l={layer}&h={head}")
    trace = minilm.trace(TEXT)
    query = trace.query[layer - 1, head - 1]
    frame = drawn(page, "Queries")
    rested(page)
    page.wait_for_timeout(1500)
    before = len(sent)
    for row, column in ((0, 0), (2, 17), (6, 31), (4, 8)):
        point(frame, -1, row, column, (7, 32))
        text = written(frame)
        assert value(text) == pytest.approx(query[row, column], abs=6e-5)
        terms = [float(x.replace("−", "-")) for x in re.findall(r"−?\d[\d.]*", text)]
        linear = minilm._runner.encoder.layers[layer - 1].attention.query
        x = trace.embedded if layer == 1 else trace.hidden[layer - 2]
        w = linear.weight.numpy().T[:, 32 * (head - 1) + column]
        pairs = np.stack([x[row, :4], w[:4]], axis=1).ravel()
        np.testing.assert_allclose(terms[:8], pairs, atol=6e-5)
        assert terms[8] == 380
        assert terms[9] == pytest.approx(float(x[row, 4:] @ w[4:]), abs=2e-4)
    assert len(sent) == before


def test_opens_with_the_whole_layer_on_the_first_screen_and_goes_in_and_out(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/{PAGE}", height=900)
    frame = drawn(page, "Pieces and ids")
    blocks = frame.locator("canvas").all()
    assert len(blocks) == 19
    for block in blocks:
        assert _bottom(block) < 900
    page.get_by_role("button", name="Next step →").click()
    drawn(page, "One-hot × table")
    assert asked(page) == {"v": "2", "ti": "1", "st": "learned", "zl": "layer"}
    expect(page.get_by_text("the tiny model, learned vector")).to_be_visible()
    box = blocks[9].bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    drawn(page, "Weights × values")
    assert asked(page) == {"v": "2", "ti": "1", "st": "mix", "q": asked(page)["q"]}
    back(page)
    back(page)
    drawn(page, "Pieces and ids")
    expect(frame.locator("canvas")).to_have_count(19)


@pytest.mark.fuzz
def test_a_number_is_dragged_and_the_page_follows(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/{PAGE}?ti=1&st=query&q=1&k=0")
    frame = drawn(page, "Queries")
    point(frame, 1, 0, 0, (6, 3))  # W_Q [1, 1] is 1.2
    box = frame.locator("canvas").nth(1).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 6, box["y"] + box["height"] / 12
    page.mouse.down()
    page.mouse.move(x - 50, y, steps=5)
    ids = tiny_numbers.read_words("the more the merrier")
    passed = tiny.tiny_steps(ids, tiny_numbers.changed({("W_Q", 0, 0): 0.0}))
    made = {one.name: one.result.values for one in passed}
    assert value(written(frame)) == pytest.approx(made["query"][1, 0], abs=6e-5)
    assert "ed" not in asked(page)
    page.mouse.up()
    page.wait_for_url(re.compile(r"ed=W_Q\.0\.0\.0(&|$)"))
    expect(page.get_by_text("1 changed")).to_be_visible()
    expect(page.get_by_test_id("glide-cell-1-0")).to_have_text("0.0")
    frame.get_by_role("radio", name=re.compile("Layer norm: the output$")).click()
    drawn(page, "Layer norm: the output")
    assert value(written(frame)) == pytest.approx(made["norm2"][1, 0], abs=6e-5)
    page.get_by_role("button", name="Reset all numbers").click()
    expect(page.get_by_text("unchanged", exact=True)).to_be_visible()
    usual = tiny.tiny_steps(ids, tiny_numbers.NUMBERS)[-1].result.values
    page.wait_for_timeout(1000)
    assert value(written(frame)) == pytest.approx(usual[1, 0], abs=6e-5)


@pytest.mark.fuzz
def test_clicking_a_cell_puts_it_into_the_link(server: Server, visit: Visit, minilm: Any) -> None:
    page = visit(f"{server.url}/{PAGE}?st=query")
    frame = drawn(page, "Queries")
    point(frame, -1, 5, 20, (7, 32))
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(re.compile(r"k=20"))
    assert {key: asked(page)[key] for key in ("q", "k")} == {"q": "5", "k": "20"}
    expect(page.get_by_role("combobox", name="Token")).to_have_value("mouse (6)")
    page.reload()
    frame = drawn(page, "Queries")
    assert value(written(frame)) == pytest.approx(minilm.trace(TEXT).query[0, 0, 5, 20], abs=6e-5)


@pytest.mark.fuzz
def test_keys_and_buttons_go_from_step_to_step(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/{PAGE}?st=query")
    frame = drawn(page, "Queries")
    frame.locator(".area").focus()
    page.keyboard.press("n")
    drawn(page, "Keys")
    page.wait_for_url(re.compile("st=key"))
    page.keyboard.press("n")  # the picture has kept the focus
    drawn(page, "Values")
    page.keyboard.press("b")
    drawn(page, "Keys")
    frame.get_by_role("radio", name="Step 6: Keys").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    drawn(page, "Scores")
    page.get_by_role("button", name="Next step →").click()
    drawn(page, "÷ √d")
    expect(frame.get_by_role("radio", name="Step 9")).to_be_checked()
    page.get_by_role("button", name="← Back").click()
    drawn(page, "Scores")
    back(page)
    drawn(page, "÷ √d")


@pytest.mark.fuzz
def test_what_is_chosen_outlives_what_its_lists_call_it(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/{PAGE}?st=query")
    frame = drawn(page, "Queries")

    def follows(name: str) -> None:  # the list before may stand there until the page has run
        row = page.get_by_role("combobox", name="Token").and_(page.locator(f'[value="{name}"]'))
        expect(row).to_be_visible()

    text = page.get_by_role("textbox", name="Text")
    text.fill("a dog barked loudly")
    text.press("Enter")
    follows("dog (3)")
    forward = page.get_by_role("button", name="Next step →")
    forward.click()  # the list of rows was another one when the browser last answered
    drawn(page, "Keys")
    follows("dog (3)")
    frame.get_by_role("radio", name=re.compile("inner$")).click()
    drawn(page, "Feed-forward, inner")
    part = page.get_by_role("combobox", name="Columns")
    rested(page)  # a list that is open while the page runs may close
    part.click()
    page.get_by_role("option", name="33–64 of 1536").click()
    page.wait_for_url(re.compile("bl=1"))
    for size, there, title in (
        ("of a tiny model", "the (3)", "Activation"),
        ("of the paper's size", "dog (3)", "Feed-forward, outer"),
        ("of a tiny model", "the (3)", "Residual"),
        ("of a trained model", "dog (3)", "Layer norm: the output"),
    ):
        page.get_by_test_id("stRadio").locator("label", has_text=size).click()
        follows(there)
        rested(page)  # the button of the size before may stand there until the page has run
        forward.click()
        drawn(page, title)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.fuzz
def test_a_changed_number_changes_all_that_follows(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/{PAGE}?ti=1&st=query&q=1&k=0")
    frame = drawn(page, "Queries")
    before = value(written(frame))
    last = frame.locator("svg text[data-part=said]").last  # ends in the number
    which = page.get_by_role("combobox", name="Change the numbers of")
    expect(which).to_have_value("W_Q")  # the first that the lesson changes
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    cell = page.get_by_test_id("glide-cell-1-0")
    expect(cell).to_have_text("1.2")
    rested(page)
    grid.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)
    box = grid.bounding_box()
    assert box is not None
    # The first row below the names, the first column behind the numbers of the rows.
    said = str(last.text_content())
    page.mouse.dblclick(box["x"] + box["width"] * 1.5 / 7, box["y"] + 35 * 1.5)
    number = page.locator("#portal textarea")
    expect(number).to_be_focused()
    number.fill("9.5")
    page.keyboard.press("Enter")
    expect(cell).to_have_text("9.5")
    page.wait_for_url(re.compile(r"ed=W_Q\.0\.0\.9\.5"))
    expect(page.get_by_text("1 changed")).to_be_visible()
    edits = {("W_Q", 0, 0): 9.5}
    ids = tiny_numbers.read_words("the more the merrier")
    made = {one.name: one for one in tiny.tiny_steps(ids, tiny_numbers.changed(edits))}
    expect(last).not_to_have_text(said)
    after = value(written(frame))
    assert after == pytest.approx(made["query"].result.values[1, 0], abs=6e-5)
    assert after != before
    for title, name in (("Softmax", "weights"), ("Layer norm: the output", "norm2")):
        frame.get_by_role("radio", name=re.compile(rf": {title}$")).click()
        drawn(page, title)
        assert value(written(frame)) == pytest.approx(made[name].result.values[1, 0], abs=6e-5)
    said = str(last.text_content())
    page.get_by_role("button", name="Reset all numbers").click()
    expect(page.get_by_text("unchanged", exact=True)).to_be_visible()
    expect(last).not_to_have_text(said)
    usual = tiny.tiny_steps(ids, tiny_numbers.NUMBERS)[-1]
    assert value(written(frame)) == pytest.approx(usual.result.values[1, 0], abs=6e-5)


@pytest.mark.parametrize(
    "query", some(["?st=query", "?ti=1&st=weights&c=1", "?p=what-if", "?p=plain"], 1)
)
def test_a_phone_has_the_matrices_one_below_the_other(server: Server, visit: Visit, query: str) -> None:
    page = visit(f"{server.url}/{PAGE}{query}", width=390, height=844)
    frame = page.locator(".picture[data-drawn]")
    expect(frame).to_be_visible()
    boxes = [canvas.bounding_box() for canvas in frame.locator("canvas").all()]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(set(tops))
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes if box)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    "query",
    some(
        [
            "",
            "?st=query",
            "?ti=1",
            "?ti=paper&hf=decoder",
            "?ti=paper&hf=decoder&st=cross-weights",
            "?p=what-if&wi=depth",
        ],
        2,
    ),
)
def test_the_first_screen_of_a_phone_has_a_picture(server: Server, visit: Visit, query: str) -> None:
    page = visit(f"{server.url}/{PAGE}{query}", width=390, height=844)
    frame = page.locator(".picture[data-drawn]").first
    expect(frame).to_be_visible()
    rested(page)
    drawing = frame if "depth" in query else frame.locator("canvas").first
    assert drawing.bounding_box()["y"] < 844 - 20  # type: ignore[index]
    if "depth" not in query:  # what a step is for comes first; the choice of the token comes later
        assert _bottom(page.locator(".st-key-steps-words")) <= _top(frame)
        assert _top(page.locator(".st-key-steps-controls")) >= _bottom(frame)
    if "decoder" in query:  # whose two texts stand below it there, and above it on a laptop
        texts = page.locator(".st-key-decoder-texts")
        assert _top(texts) > _bottom(frame)
        page.set_viewport_size({"width": 1440, "height": 900})
        rested(page)
        assert _top(texts) < _top(frame)


def _top(one: Locator) -> float:
    return one.bounding_box()["y"]  # type: ignore[index]


def _bottom(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.fuzz
def test_parts_missing_in_every_layer(server: Server, visit: Visit, minilm: Any) -> None:
    """Both curves by mouse and keys, the file of their numbers, a switch, and the resulting link."""
    page = visit(f"{server.url}/{PAGE}?p=what-if&wi=depth&sk=fresh&n=12")
    ids = minilm.read(TEXT).ids
    complete, changed = (depth.fresh(ids, 12, depth.Without(residual=one)) for one in (False, True))
    pictures = [
        page.locator(f".st-key-{name}-over-depth .picture[data-drawn]")
        for name in ("similarity", "gradient")
    ]
    for frame in pictures:
        expect(frame).to_be_visible()
    rested(page)
    similarity, gradient = pictures
    for of, values in ((0, complete.similarity), (13, changed.similarity)):
        mark = next(one for one in shapes(similarity, "mark") if one.of == of)
        point_at(similarity, mark.x, mark.y)
        expect(similarity.locator(".tip")).to_contain_text(f"input of layer 1: {values[0]:.3f}")
    gradient.get_by_role("application").focus()
    page.keyboard.press("Home")
    heard = gradient.get_by_role("status")
    expect(heard).to_have_text(f"complete, input of layer 1: {complete.gradient[0]:.3g}")
    page.keyboard.press("ArrowRight")
    expect(heard).to_contain_text("complete, Layer 1: ")
    table = list(csv.reader(io.StringIO(save_picture(gradient, "CSV").path().read_text())))
    assert len(table) == 14
    of = table[0].index("gradient relative to the last layer, without residual connections")
    saved = [float(row[of]) for row in table[1:]]
    np.testing.assert_allclose(saved, changed.gradient, rtol=1e-6)
    page.get_by_test_id("stCheckbox").get_by_text("layer norm", exact=True).click()
    expect(similarity.get_by_role("columnheader", name="layer norm")).to_have_count(1)
    until_link(page, lambda link: link.get("nn") == "1")
    back(page)
    expect(similarity.get_by_role("columnheader", name="layer norm")).to_have_count(0)


@pytest.mark.fuzz
def test_a_mask_on_a_trained_model_and_the_decoder(server: Server, visit: Visit, minilm: Any) -> None:
    river = "On the river bank"
    page = visit(f"{server.url}/{PAGE}?t={river}&st=weights&l=2&h=9&q=2&k=4")
    frame = drawn(page, "Softmax")
    point(frame, -1, 2, 4, (6, 6))
    assert value(written(frame)) > 0
    page.get_by_test_id("stCheckbox").get_by_text("Mask", exact=True).click()
    page.wait_for_url(re.compile("c=1"))
    expect(page.get_by_text("trained without a mask").locator("visible=true").first).to_be_visible()
    rested(page)
    frame = drawn(page, "Softmax")
    point(frame, -1, 2, 4, (6, 6))
    assert "e^−∞" in written(frame)
    assert value(written(frame)) == 0
    point(frame, -1, 2, 0, (6, 6))
    expected = minilm.causal_trace(river).attention.weights[1, 8, 2, 0]
    assert value(written(frame)) == pytest.approx(expected, abs=6e-5)
    page.goto(f"{server.url}/{PAGE}?ti=paper&t={river}&st=mask&q=2&k=4&c=1")
    frame = drawn(page, "Mask")
    page.get_by_role("radio", name="Decoder").click()
    page.wait_for_url(re.compile("hf=decoder"))
    frame = drawn(page, "Mask")
    rested(page)
    assert "−∞" in written(frame)
    frame.locator(".area").focus()
    page.keyboard.press("n")
    frame = drawn(page, "Softmax")
    for _ in range(5):
        page.keyboard.press("n")
    drawn(page, "Layer norm")
    page.keyboard.press("n")
    drawn(page, "Cross: queries")
    page.wait_for_url(re.compile("st=cross-query"))


@pytest.mark.check
def test_a_decoder_shows_its_norm_its_rotation_and_its_gate(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/{PAGE}?v=2&m=smollm2&p=layer&st=turn-query&zl=matrix&l=1&h=1&q=2&k=0")
    frame = drawn(page, "Rotate the queries")
    # The chosen number is one of a pair that turns: drawn as an arrow that turns, and written as a sum.
    turned = re.search(r"turns by m·θ = 2 × 1 = 2 rad.*cos 2 − .*sin 2 = ", written(frame))
    assert turned is not None, written(frame)
    assert page.get_by_test_id("stCheckbox").filter(has_text="Mask").locator("input").is_disabled()
    titles = [("pre-norm", "RMSNorm"), ("gated", "Gate × up")]
    for name, title in titles:
        page = visit(f"{server.url}/{PAGE}?v=2&m=smollm2&p=layer&st={name}&zl=matrix&l=30&h=9&q=5&k=0")
        frame = drawn(page, title)
        assert "=" in written(frame)
    assert not re.search("[ĠĊ]", page.locator("body").inner_text())
