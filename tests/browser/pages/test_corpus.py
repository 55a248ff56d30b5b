"""The Corpus page as a visitor has it: lines by pointer and keys, sorted, and where they lead."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, WebSocket, expect

from core import corpus, figures
from core.corpus.querying import concordance
from tests import corpora
from tests.browser.conftest import Server, back, rested
from tests.browser.pictures import concordance_pictures
from tests.browser.reading import frames
from tests.browser.saving import save_picture

Visit = Callable[..., Page]
MOST_ROWS = 60  # in the page at a time
TABLES = ".st-key-corpus-beside-tables > *"  # of collocates


@pytest.mark.check
def test_tables_of_collocates_share_a_row_and_leave_no_hole(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/corpus?w=object&k=2&fb=1", width=1280, height=720)
    tables = page.locator(TABLES)
    expect(tables.nth(1)).to_be_visible()
    rested(page)
    row, *boxes = (one.bounding_box() for one in (tables.nth(0).locator(".."), *tables.all()))
    assert row is not None
    last = boxes[-1]
    assert last is not None
    assert {box and box["y"] for box in boxes} == {last["y"]}
    assert last["x"] + last["width"] == pytest.approx(row["x"] + row["width"], abs=2)
    basis = "one => parseFloat(getComputedStyle(one).flexBasis)"
    first, other = (tables.nth(i).evaluate(basis) for i in (0, 1))
    gap = tables.nth(0).evaluate("one => parseFloat(getComputedStyle(one.parentElement).gap)")
    assert first + 2 * other + 2 * gap <= row["width"] - 15  # a third fits too, beside a scroll bar


def test_a_line_is_chosen_sorted_by_and_opened(server: Server, visit: Visit) -> None:
    lines = concordance.read(corpus.open(corpora.docs()), "case")
    page = visit("about:blank")
    told: list[object] = []
    page.on("websocket", lambda socket: listen(socket, told))
    # the lines and their map: only one topic has enough lines of this word for a share
    page.goto(f"{server.url}/corpus?w=case&k=2&fc=1&fm=1")
    frame = frames(page, 2)[0]
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    area = frame.get_by_role("listbox")
    box = frame.bounding_box()
    assert box is not None
    assert box["y"] < 400

    frame.get_by_label("Sort by").select_option("text")
    expect(page).to_have_url(re.compile(r"[?&]s=text"))
    expect(frame.locator(".line").first).to_have_attribute("aria-setsize", str(len(lines)))
    page.locator('[data-test-script-state="notRunning"]').wait_for()
    before = len(told)
    area.evaluate("area => { area.scrollTop = 1e6; }")  # scrolling and pointing ask nobody
    expect(frame.locator(f"#l{len(lines) - 1}")).to_be_visible()
    frame.locator(f"#l{len(lines) - 1}").hover()
    expect(frame.locator(".tip")).to_be_visible()
    page.wait_for_timeout(500)
    assert len(told) == before

    area.press("Home")
    area.press("ArrowDown")
    area.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]q=2(&|$)"))
    expect(page.locator("blockquote")).to_contain_text(lines.texts_in_order[1][:30])
    expect(frame.locator("[aria-selected=true]")).to_have_id("l1")

    frame.get_by_label("Sort by").select_option("similar")
    cosines = concordance.similarities(lines, 1)
    expect(frame.locator(".line").first).to_have_id("l1")
    first = [int(i) for i in np.argsort(-cosines, kind="stable")[:6]]
    shown = [one.get_attribute("id") for one in frame.locator(".line").all()[:6]]
    assert shown == [f"l{i}" for i in first]
    expect(frame.locator("#l1 .about")).to_have_text("1.00")
    expect(page).to_have_url(re.compile(r"[?&]s=similar"))

    rows = list(csv.DictReader(io.StringIO(Path(save_picture(frame, "CSV").path()).read_text("utf-8"))))
    assert [int(row["line"]) - 1 for row in rows[:6]] == first
    assert len(rows) == len(lines)

    page.get_by_role("link", name="Open in Heads").click()
    expect(page).to_have_url(re.compile(r"/heads\?"))
    expect(page.get_by_label("Text").first).to_have_value(lines.texts_in_order[1])
    back(page)
    expect(frames(page, 2)[0].locator("[aria-selected=true]")).to_have_id("l1")


def listen(socket: WebSocket, told: list[object]) -> None:
    socket.on("framesent", lambda frame: told.append(frame))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fifty_thousand_lines(visit: Visit, scheme: str) -> None:
    count = 50_000
    page = visit("about:blank")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_content(concordance_pictures.picture(count).to_html())
    (frame,) = frames(page)
    area = frame.get_by_role("listbox")
    frame.get_by_label("Sort by").select_option("text")
    assert 10 < frame.locator(".line").count() < MOST_ROWS
    area.press("End")
    last = frame.locator(f"#l{count - 1}")
    expect(last).to_be_visible()
    expect(last).to_have_attribute("aria-posinset", str(count))
    expect(area).to_have_attribute("aria-activedescendant", f"l{count - 1}")
    assert 10 < frame.locator(".line").count() < MOST_ROWS
    area.press("Home")
    odd = frame.locator("#l3")  # markup is text
    expect(odd).to_contain_text("<b>bold</b> & <script>alert(1)</script> the bank &amp; more")
    assert odd.locator("script").count() == 0
    hebrew = frame.locator("#l17")
    before, after = (hebrew.locator(f".{side} bdi").bounding_box() for side in ("left", "right"))
    assert before is not None
    assert after is not None
    assert before["x"] > after["x"]  # the text before the word is on its right
    frame.get_by_role("button", name="Cluster 2").click()
    expect(frame.locator(".line").first).to_have_attribute("aria-setsize", str(len(range(1, count, 3))))
    frame.get_by_label("Sort by").select_option("left")
    expect(frame.locator(".line").first).to_be_visible()


def test_on_a_phone_the_word_stays_in_view(visit: Visit) -> None:
    page = visit("about:blank")
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(concordance_pictures.picture(40, numbers=True).to_html())
    (frame,) = frames(page)
    for line in frame.locator(".line").all()[:5]:
        word, whole = line.locator("b").bounding_box(), line.bounding_box()
        assert word is not None
        assert whole is not None
        assert whole["x"] <= word["x"] and word["x"] + word["width"] <= whole["x"] + whole["width"]  # noqa: PT018
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


CLIPPED = {
    "latin": ("the tall grass by the water ", "bank", " where willows and alders grow in the mud "),
    "chinese": ("我们在河边散步的时候看见那家", "银行", "已经关门了门口站着很多人等着取钱"),
    "hebrew": ("ישבנו על גדת הנהר ליד ", "הבנק", " הישן וחיכינו לסירה שלא באה "),
}


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("script", CLIPPED)
def test_a_line_without_room_ends_where_a_word_ends(visit: Visit, script: str, width: int) -> None:
    before, word, after = CLIPPED[script]
    left, right = before * 12, after * 12
    made = figures.concordance(
        [f"{left}{word}{right}"],
        [0],
        [(len(left), len(left) + len(word))],
        figures.groups_of(["all"]),
        [0],
        [0.0],
        sentence="One line.",
        name="one",
    )
    page = visit("about:blank")
    page.set_viewport_size({"width": width, "height": 844})
    page.set_content(made.to_html())
    (frame,) = frames(page)
    line = frame.locator("#l0")
    for side, context in (("left", left), ("right", right)):
        cell = line.locator(f".{side}")
        expect(cell.locator("bdi")).to_contain_text("…")
        shown = cell.locator("bdi").inner_text()
        kept = shown.strip("…")
        assert len(kept) > 3
        assert context.endswith(kept) if side == "left" else context.startswith(kept)
        # Nothing of it is hidden.
        assert cell.evaluate(
            "cell => cell.firstChild.getBoundingClientRect().width <= cell.clientWidth"
        )
        cut = context[: -len(kept)] if side == "left" else context[len(kept) :]
        starts = page.evaluate(
            "text => [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]"
            ".map(({ index }) => index)",
            context,
        )
        assert (len(cut) if side == "left" else len(kept)) in starts
