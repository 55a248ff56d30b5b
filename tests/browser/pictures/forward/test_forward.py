"""A forward pass in a real browser: zooming by pointer and keys, arrows, a dragged number."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.queries import tiny_pass
from tests.browser.pictures.forward import forward_pictures as made
from tests.browser.reading import frames, labels, meet
from tests.browser.saving import save_picture
from tests.sentences import numbers
from tests.tiers import crossed

Visit = Callable[..., Page]
QUERY, NORM, LAST = 3, 13, 18  # steps of the tiny model


def shown(visit: Visit, at: int = 0, *, width: int = 1440, moves: bool = False, **more: Any) -> Locator:
    """The picture on a page without a server, without motion unless `moves`."""
    html = made.picture(at, **more).to_html(events=["state", "edit"])
    whole = f"<!doctype html><meta charset=utf-8><title>layer</title>{html}"
    address = "data:text/html;base64," + base64.b64encode(whole.encode()).decode()
    page = visit(address, width=width, scheme="light")
    page.emulate_media(reduced_motion="no-preference" if moves else "reduce")
    page.evaluate(
        "globalThis.told = []; globalThis.edits = [];"
        "addEventListener('polysee:state', event => told.push(event.detail));"
        "addEventListener('polysee:edit', event => edits.push(event.detail))"
    )
    (frame,) = frames(page)
    return frame


def level(frame: Locator) -> str:
    return frame.locator("[role=tab][aria-selected=true]").inner_text()


def sums(frame: Locator) -> str:
    """The written-out sum behind a number."""
    return " ".join(label.text for label in labels(frame, "said"))


def cell(frame: Locator, m: int, row: int, column: int, rows: int, columns: int) -> tuple[float, float]:
    """The middle of a cell of matrix `m`, in pixels of the page."""
    box = frame.locator("canvas").nth(m).bounding_box()
    assert box is not None
    return (
        box["x"] + (column + 0.5) * box["width"] / columns,
        box["y"] + (row + 0.5) * box["height"] / rows,
    )


def result(edits: str, step: int) -> np.ndarray:
    ids = tiny_numbers.read_words(made.WORDS)
    steps = tiny_pass(ids, tiny_numbers.changed(tiny_numbers.read_edits(edits)), 0, False)
    return steps[step].result.values


def drag(frame: Locator, start: tuple[float, float], by: float) -> None:
    mouse = frame.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0] + by / 2, start[1])
    mouse.move(start[0] + by, start[1])


def test_by_keys_from_the_layer_to_a_number_and_back(visit: Visit) -> None:
    frame = shown(visit)
    keyboard, live = frame.page.keyboard, frame.get_by_role("status")
    assert level(frame) == "Whole layer"
    frame.locator(".area").focus()
    for _ in range(QUERY):
        keyboard.press("ArrowRight")
    assert "Queries" in live.inner_text()
    keyboard.press("ArrowDown")
    assert "more" in live.inner_text()
    keyboard.press("Enter")
    assert level(frame).endswith("Queries")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    assert level(frame) == "Q [more, 2]"
    frame.page.wait_for_function("told.at(-1)?.level === 'cell' && told.at(-1).column === 1")
    assert numbers(sums(frame))[-1] == pytest.approx(result("", QUERY)[1, 1], abs=6e-5)
    keyboard.press("ArrowDown")  # the number below
    assert level(frame) == "Q [the, 2]"
    assert numbers(sums(frame))[-1] == pytest.approx(result("", QUERY)[2, 1], abs=6e-5)
    keyboard.press("Escape")
    assert level(frame).endswith("Queries")
    keyboard.press("Escape")
    assert level(frame) == "Whole layer"
    keyboard.press("n")
    assert "Keys" in live.inner_text()


def test_a_block_opens_into_its_matrices_and_a_number_into_its_sum(visit: Visit) -> None:
    frame = shown(visit)
    frame.page.mouse.click(*cell(frame, NORM, 3, 0, 4, 6))
    assert "Layer norm" in level(frame)
    expect(frame.locator("canvas")).to_have_count(4)
    frame.page.wait_for_function("told.at(-1)?.level === 'matrix'")
    told = frame.page.evaluate("told.at(-1)")
    assert (told["step"], told["row"]) == (NORM, 3)
    place = cell(frame, 3, 1, 4, 4, 6)
    frame.page.mouse.click(*place)
    frame.page.mouse.click(*place)
    assert level(frame) == "n [more, 5]"
    assert [label.text for label in labels(frame, "line")][-1] == "· γ + β"
    shown_here = [label.text for label in labels(frame, "number")]
    assert numbers(shown_here[6 * 3 + 4])[0] == pytest.approx(result("", NORM)[1, 4], abs=6e-3)
    frame.get_by_role("tab", name="Whole layer").click()
    assert level(frame) == "Whole layer"


def test_the_token_is_lit_in_every_block_and_the_arrows_into_the_step_too(visit: Visit) -> None:
    frame = shown(visit, state={"step": 18, "row": 1})
    assert frame.locator('[data-part="lit"]').count() == 19
    assert [label.text for label in labels(frame, "token")] == ["more"] * 2  # a line each
    widths = {
        arrow.get_attribute("data-of"): float(arrow.get_attribute("stroke-width") or 0)
        for arrow in frame.locator('[data-part="arrow"]').all()
    }
    assert {name for name, width in widths.items() if width > 1} == {"17-18"}
    assert {"2-12", "13-17", "3-6", "4-6", "5-9"} < widths.keys()  # residuals, queries, keys, values


def test_numbers_move_along_the_arrows_unless_motion_is_unwelcome(visit: Visit) -> None:
    frame = shown(visit, moves=True, state={"step": QUERY - 1, "row": 1})
    riders = frame.locator('[data-part="rider"]')
    frame.page.keyboard.press("n")
    expect(riders).to_have_count(4)
    first = riders.first.get_attribute("transform")
    expect(riders.first).not_to_have_attribute("transform", first or "")
    expect(riders).to_have_count(0)  # they have arrived
    frame.page.emulate_media(reduced_motion="reduce")
    frame.page.keyboard.press("n")
    expect(frame.get_by_role("tab").nth(1)).to_have_text("5. Keys")
    expect(riders).to_have_count(0)


def test_what_depends_on_a_dragged_number_follows_and_is_what_python_computes(visit: Visit) -> None:
    frame = shown(visit, QUERY, state={"level": "matrix", "step": QUERY, "row": 1, "column": 0})
    drag(frame, cell(frame, 1, 3, 0, 6, 3), 41)  # W_Q [4, 1], ten steps of 0.1
    expect(frame.locator(".tip")).to_contain_text("1.8")
    edited = "W_Q.3.0.1.8"
    during = numbers(sums(frame))[-1]
    assert during == pytest.approx(result(edited, QUERY)[1, 0], abs=6e-5)
    assert abs(during - result("", QUERY)[1, 0]) > 0.5
    assert frame.page.evaluate("edits") == []  # the page hears of it at the end
    frame.page.mouse.up()
    assert frame.page.evaluate("edits") == [{"table": "W_Q", "row": 3, "column": 0, "value": 1.8}]
    for step in (6, 8, NORM, LAST):  # scores, weights, the norms
        frame.get_by_role("radio", name=f"Step {step + 1}:").click()
        rows = frame.locator("table tr").all_inner_texts()[1:]
        whole = result(edited, step)
        found = sorted(abs(numbers(row.split("\t")[-1])[0]) for row in rows)
        wanted = sorted(np.abs(whole).ravel())[-len(found) :]
        np.testing.assert_allclose(found, wanted, atol=6e-5)
    frame.page.wait_for_function("told.at(-1).step === 18")


def test_keys_change_a_number_and_lead_back_to_the_result(visit: Visit) -> None:
    state = {"level": "matrix", "step": QUERY, "row": 1, "column": 0}
    frame = shown(visit, QUERY, state=state, head=1)
    keyboard, live = frame.page.keyboard, frame.get_by_role("status")
    frame.locator(".area").focus()
    for key in ("e", "ArrowDown", "+", "+", "-", "-", "-"):
        keyboard.press(key)
    # of the second head: its columns begin with the fourth of the table
    before = float(tiny_numbers.NUMBERS["W_Q"][1, 3])
    assert numbers(live.inner_text())[-1] == pytest.approx(before - 0.1)
    frame.page.wait_for_function("edits.length === 1")  # once, after a pause
    assert frame.page.evaluate("edits")[0] == {
        **{"table": "W_Q", "row": 1, "column": 3},
        "value": pytest.approx(before - 0.1),
    }
    keyboard.press("Escape")
    assert live.inner_text().startswith("Queries. Q [more, 1]")
    assert level(frame).endswith("Queries")


def test_only_numbers_of_the_tiny_model_can_be_dragged(visit: Visit) -> None:
    frame = shown(visit, QUERY, state={"level": "matrix", "step": QUERY})
    assert frame.locator('[data-part="editable"]').count() == 1
    before = sums(frame)
    drag(frame, cell(frame, 0, 0, 0, 4, 6), 60)  # x is computed
    assert sums(frame) == before
    frame.page.mouse.up()
    assert frame.page.evaluate("edits") == []
    frame.get_by_role("radio", name="Step 7:").click()  # scores have no numbers of their own
    assert frame.locator('[data-part="editable"]').count() == 0


@pytest.mark.parametrize(("state", "width"), crossed(["layer", "matrix", "cell"], [390, 1440]))
def test_no_words_meet_and_all_stay_inside(visit: Visit, width: int, state: str) -> None:
    frame = shown(visit, NORM, width=width, state={"level": state, "step": NORM, "row": 3})
    box = frame.bounding_box()
    assert box is not None
    found = [label for label in labels(frame) if label.part != "lower"]
    assert found
    for i, one in enumerate(found):
        assert one.left >= -1
        assert one.right <= box["width"] + 1
        assert one.bottom <= box["height"] + 1
        for other in found[i + 1 :]:
            assert not meet(one, other), (one, other)


@pytest.mark.few(1)
@pytest.mark.parametrize("state", ["layer", "matrix", "cell"])
def test_every_level_is_saved(visit: Visit, state: str) -> None:
    frame = shown(visit, NORM, state={"level": state, "step": NORM, "row": 1})
    svg = ET.fromstring(save_picture(frame, "SVG").path().read_bytes())
    texts = ["".join(one.itertext()) for one in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"layer": "14. Layer norm", "matrix": "γ", "cell": "· γ + β"}[state] in texts
