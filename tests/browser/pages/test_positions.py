"""The Positions page from a visitor's view: a real server, a real browser, mouse and keys."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.WidgetStates_pb2 import WidgetState

import core
from core.transformer import rotary, sinusoidal
from tests.browser.conftest import Server, back, rested, until_link
from tests.browser.reading import labels, point
from tests.browser.saving import save_picture
from tests.tiers import some
from tools.streamlit_client import Visitor, wait_for

Visit = Callable[..., Page]


def opened(page: Page) -> Page:
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)
    return page


LINKED = "?v=2&pl=50&pd=128&pi=20"  # what a link means that says nothing about the table


def address(server: Server, query: str = "") -> str:
    return f"{server.url}/positions{query}"


def picture(page: Page, name: str) -> Locator:
    found = page.locator(f".st-key-{name} .picture[data-drawn]")
    expect(found).to_have_count(1)
    return found


def numbers_of(page: Page, name: str) -> np.ndarray:
    """The table of the CSV file that a picture's menu saves."""
    rested(page)
    download = save_picture(picture(page, name), "CSV")
    table = list(csv.reader(io.StringIO(download.path().read_text())))
    return np.array([row[1:] for row in table[1:]], float)


def change(page: Page, name: str, value: int | str) -> None:
    box = page.get_by_label(name, exact=True)
    box.fill(str(value))
    box.press("Enter")


def in_link(page: Page, **state: str) -> None:
    """Wait until the link contains this state, and no other."""
    until_link(page, lambda link: link == {"v": "2", **state})


def test_first_screen_shows_the_pictures_without_scrolling(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server)))
    for name in ("sinusoidal", "wave", "by-distance"):
        box = picture(page, name).bounding_box()
        assert box is not None
        assert box["y"] > 0
        assert box["y"] + box["height"] < 900


@pytest.mark.fuzz
def test_a_number_is_read_with_its_formula(server: Server, visit: Visit) -> None:
    length, width, base = 37, 23, 100
    page = opened(visit(address(server, f"?pl={length}&pd={width}&pb={base}&pp=0&pi=0")))
    table = sinusoidal(length, width, base).numpy()
    frame = picture(page, "sinusoidal")
    for p, c in ((3, 2), (3, 1), (length - 1, 0), (0, width - 1)):
        point(frame, p, c, length, width)
        power = f"{c - c % 2}/{width}"
        value = f"{table[p, c]:.6f}".replace("-", "−")
        said = f"PE({p}, {c}) = {'cos' if c % 2 else 'sin'}({p} / {base}^({power})): {value}"
        expect(frame.locator(".tip")).to_have_text(said)
    np.testing.assert_allclose(numbers_of(page, "sinusoidal"), table, atol=1e-8)


@pytest.mark.fuzz
def test_every_control_of_the_waves(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server, LINKED)))
    change(page, "Positions", 20)
    change(page, "d_model", 6)
    in_link(page, pl="20", pd="6", pi="5")  # it has set the dimension too
    change(page, "Base", 100)
    change(page, "Position p", 4)
    change(page, "Dimension", 3)
    change(page, "Offset k", 2)
    in_link(page, pl="20", pd="6", pb="100", pp="4", pi="3", pk="2")
    page.get_by_test_id("stNumberInputStepUp").last.click()  # of the offset
    in_link(page, pl="20", pd="6", pb="100", pp="4", pi="3", pk="3")
    expect(page.get_by_text(re.compile("matrix moves every position on by 3"))).to_be_visible()
    expect(page.get_by_text("Dimension 3, a cosine")).to_be_visible()
    here = opened(page).url
    sizes = page.get_by_role("combobox", name="Sizes")
    sizes.scroll_into_view_if_needed()  # a list that opens while the page scrolls closes again
    expect(sizes).to_be_in_viewport()
    sizes.click()
    page.get_by_role("option", name="100 × 400").click()
    in_link(page, pl="100", pd="400", pp="4", pi="3", pk="3")
    expect(page.get_by_text("All 40,000 numbers")).to_be_visible()
    back(page)
    expect(page.get_by_text("All 120 numbers")).to_be_visible()
    assert page.url == here
    page.reload()
    expect(page.get_by_text("All 120 numbers")).to_be_visible()
    expect(page.get_by_label("Base", exact=True)).to_have_value("100")
    page.go_forward()
    expect(page.get_by_text("All 40,000 numbers")).to_be_visible()


@pytest.mark.fuzz
def test_views_by_mouse_and_the_sliders_by_keyboard(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server, LINKED)))
    page.get_by_role("radio", name="Rotary").click()
    m = page.get_by_role("slider", name=re.compile("^Query at m"))
    m.focus()
    for _ in range(2):
        m.press("ArrowRight")
    n = page.get_by_role("slider", name=re.compile("^Key at n"))
    n.focus()
    n.press("ArrowLeft")
    in_link(page, p="rotary", rm="5", rn="6")
    import torch

    of = [torch.tensor(pair * 4) for pair in ([1.0, 0], [0, 1.0])]
    q, k = (rotary(one.repeat(50, 1), torch.arange(50)).double().numpy() for one in of)
    products = q @ k.T
    said = f"{products[5, 6]:.4f}".replace("-", "−")
    expect(page.get_by_text("Query at 5, key at 6:")).to_contain_text(
        f"Query at 5, key at 6: {said}. Query at 10, key at 11: {said}."
    )
    frame = picture(page, "rotary-products")
    point(frame, 12, 40, 50, 50)
    value = f"{products[12, 40]:.6f}".replace("-", "−")
    expect(frame.locator(".tip")).to_contain_text("query at 12, key at 40: ")
    shown = str(frame.locator(".tip").text_content()).split(": ")[1]
    assert float(shown.replace("−", "-")) == pytest.approx(float(value.replace("−", "-")), abs=2e-6)
    np.testing.assert_allclose(numbers_of(page, "rotary-products"), products, atol=1e-6)
    change(page, "Query q", "0, 2")
    change(page, "Key k", "2, 0")
    expect(page.get_by_text("Query at 5, key at 6:")).to_contain_text(f"key at 6: {4 * np.sin(1):.4f}")
    page.get_by_role("radio", name="Sinusoidal").click()
    expect(picture(page, "sinusoidal")).to_be_visible()
    width = page.get_by_role("spinbutton", name="d_model")
    expect(width).to_have_value("128")
    change(page, "d_model", 64)
    page.get_by_role("radio", name="Rotary").click()
    expect(page.get_by_role("textbox", name="Query q")).to_have_value("0, 2")
    # A run that ends before it has written its link leaves no entry in the history.
    until_link(page, lambda link: (link.get("p"), link.get("pd")) == ("rotary", "64"))
    page.get_by_role("radio", name="Sinusoidal").click()
    expect(width).to_have_value("64")
    back(page)
    expect(page.get_by_text("Query at 5, key at 6:")).to_be_visible()


@pytest.mark.fuzz
def test_views_changed_faster_than_the_page_answers_lose_nothing(server: Server, visit: Visit) -> None:
    """A run overtaken by the next one has told the browser nothing about controls that reappeared."""
    page = opened(visit(address(server, LINKED)))
    change(page, "d_model", 64)
    change(page, "Dimension", 33)
    in_link(page, pd="64", pi="33")
    for _ in range(6):
        for view in ("Rotary", "Sinusoidal"):
            page.get_by_role("radio", name=view).click()
    opened(page)
    expect(page.get_by_role("spinbutton", name="d_model")).to_have_value("64")
    expect(page.get_by_label("Dimension", exact=True)).to_have_value("33")
    in_link(page, pd="64", pi="33")


@pytest.mark.fuzz
def test_q_and_k_turn_together_and_circles_are_round(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server, "?p=rotary&rm=0&rn=5")))
    frame = picture(page, "rotary")
    slider = frame.get_by_role("slider", name="Moved on by")
    marks = """(frame) => [...frame.querySelectorAll('[data-part="mark"]')].map((mark) => {
      const box = mark.getBBox();
      return [Number(mark.dataset.of), box.x + box.width / 2, box.y + box.height / 2];
    })"""
    angles, reach = [], []
    for _ in range(7):
        expect(frame).not_to_have_attribute("data-moving", "")
        places = {int(i): np.array([x, y]) for i, x, y in frame.evaluate(marks)}
        q, k = places[1] - places[0], places[2] - places[0]
        angles.append((q[0] * k[1] - q[1] * k[0]) / np.linalg.norm(q) / np.linalg.norm(k))
        reach += [np.linalg.norm(q), np.linalg.norm(k)]
        slider.press("ArrowRight")
    # The key is a right angle ahead, and five positions; up is less on a screen.
    np.testing.assert_allclose(angles, -np.sin(np.pi / 2 + 5), atol=0.03)
    assert max(reach) < 1.03 * min(reach)


@pytest.mark.fuzz
def test_learned_positions_are_read_as_the_model_has_them(
    server: Server, visit: Visit, minilm: core.Model
) -> None:
    page = opened(visit(address(server, "?p=learned")))
    table = minilm._runner.encoder.positions.table.weight.numpy()  # type: ignore[attr-defined]
    np.testing.assert_allclose(numbers_of(page, "learned-positions"), table, rtol=1e-6)
    frame = picture(page, "learned-positions")
    frame.locator(".area").focus()
    for key in ("Control+Home", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    value = f"{table[2, 1]:.6f}".replace("-", "−")
    expect(frame.get_by_role("status")).to_have_text(f"position 2, dimension 1: {value}")
    change(page, "Dimension", 190)
    expect(page.get_by_text("a wave of 170 positions holds 82 %")).to_be_visible()
    change(page, "Position p", 7)
    in_link(page, p="learned", pi="190", pp="7")
    opened(page)
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="small-bert").click()
    expect(page.get_by_text("small-bert learned 64 × 21 numbers")).to_be_visible()


@pytest.mark.parametrize(
    "view", some(["sinusoidal", "learned", "rotary", "sum", "padding", "padding&pn=model"], 1)
)
def test_a_phone_never_scrolls_sideways(server: Server, visit: Visit, view: str) -> None:
    page = opened(visit(address(server, f"?p={view}"), width=390, height=844, scheme="dark"))
    for frame in page.locator(".picture[data-drawn]").all():
        box = frame.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    main = page.get_by_test_id("stMain")
    assert main.evaluate("(main) => main.scrollWidth <= main.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.fuzz
def test_pictures_are_named_and_have_a_table(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server, "?pp=3&pi=5")))
    frame = picture(page, "sinusoidal")
    name = "Sinusoidal positions: 50 positions down, 128 dimensions across."
    expect(page.locator(f'role=application[name="{name}"]')).to_have_count(1)
    assert 2 <= frame.get_by_role("table").get_by_role("row").count() <= 21
    expect(frame.get_by_role("table")).to_contain_text("PE(3, ")
    bold = [label.text for label in labels(frame) if label.bold]
    assert sorted(bold) == ["3", "5"]


@pytest.mark.fuzz
def test_a_box_of_sizes_that_has_gone_does_not_bring_its_sizes_back(server: Server) -> None:
    """A slow browser still shows it, and sends its first value with the next typed number."""

    async def visit() -> str:
        async with Visitor(server.url.removeprefix("http://"), "positions") as visitor:
            await visitor.open()
            gone, _ = visitor.page.box("Sizes")
            for name, value in (("Positions", 30.0), ("d_model", 6.0)):
                box, fragment = visitor.page.box(name)
                await visitor.send(WidgetState(id=box.id, double_value=value), fragment)
                visitor.page.states[gone.id] = WidgetState(id=gone.id, string_value="20 × 16")
            return visitor.page.query

    assert wait_for(visit()) == "v=2&pl=30&pd=6&pi=2"


@pytest.mark.fuzz
def test_a_changed_word_changes_its_sum_and_padding_is_hidden(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server, "?p=sum&sr=0&sc=0")))
    frame = picture(page, "word-and-position")
    last = frame.locator("svg text[data-part=said]").last
    expect(last).to_have_text("0.12 + 0 = 0.12")
    cell = page.get_by_test_id("glide-cell-1-0")
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    grid.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)
    box = grid.bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + box["width"] * 0.2, box["y"] + 35 * 1.5)
    number = page.locator("#portal textarea")
    expect(number).to_be_focused()
    number.fill("7.5")
    page.keyboard.press("Enter")
    expect(cell).to_have_text("7.5")
    expect(last).to_have_text("7.5 + 0 = 7.5")
    in_link(page, p="sum", sr="0", sc="0", ed="E.0.0.7.5")
    page.goto(address(server, "?p=padding&sr=2&sc=6"))
    opened(page)
    hidden = picture(page, "padding").locator("svg text[data-part=said]").last
    expect(hidden).to_have_text(re.compile("padding.*−∞$"))
    expect(picture(page, "padding").locator("svg [data-part=hidden]")).to_have_count(7 * 2)


@pytest.mark.fuzz
def test_a_refused_number_is_answered_with_what_is_allowed(server: Server, visit: Visit) -> None:
    page = opened(visit(address(server, "?p=reach")))
    box = page.get_by_role("spinbutton", name="Window r")
    for typed in ("1e9", "4.5", "-3"):
        box.fill(typed)
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("stToast").last).to_contain_text("from 1 to 512")
        expect(box).to_have_value("4")
    page.goto(address(server, "?p=sum&ed=E.0.0.7.5"))
    opened(page)
    cell = page.get_by_test_id("glide-cell-1-0")
    for typed in ("1e9", "abc", "−5.55555"):
        grid = page.get_by_test_id("stDataFrame").locator("canvas").first
        grid.scroll_into_view_if_needed()
        page.wait_for_timeout(1000)
        corner = grid.bounding_box()
        assert corner is not None
        page.mouse.dblclick(corner["x"] + corner["width"] * 0.2, corner["y"] + 35 * 1.5)
        text = page.locator("#portal textarea")
        expect(text).to_be_visible()
        text.fill(typed)
        page.keyboard.press("Enter")
        alert = page.get_by_test_id("stAlert")
        expect(alert).to_contain_text(typed)
        expect(alert).to_contain_text("from −100 to 100")
        expect(cell).to_have_text("7.50")
    in_link(page, p="sum", ed="E.0.0.7.5")


@pytest.mark.fuzz
def test_nothing_of_how_far_runs_off_a_telephone(server: Server, visit: Visit) -> None:
    page = visit(address(server, "?p=reach&cw=1000000"))
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page)
    tables = page.get_by_test_id("stMarkdownContainer").locator("table")
    expect(tables).to_have_count(2)
    ends = tables.evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)")
    assert max(ends) <= 390
    names = [label.text for label in labels(picture(page, "context-windows"), "label")]
    assert "Gemini 1.5 Pro" in names
