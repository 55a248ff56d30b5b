"""The Senses page from a visitor's view."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, back
from tests.browser.pictures.points.spaces import plotted, spot
from tests.browser.reading import frames, labels, shapes
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


def answered(page: Page) -> None:
    page.locator('[data-test-script-state="notRunning"]').wait_for()


def choose(page: Page, name: str, option: str) -> None:
    answered(page)
    box = page.get_by_role("combobox", name=name)
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # a list that opens while the page still scrolls is closed by that
    box.click()
    page.get_by_role("option", name=option, exact=True).click()


def groups(frame: Locator) -> list[str]:
    return [label.text for label in labels(frame, "group")]


@pytest.mark.fuzz
def test_in_space_a_point_is_chosen_in_the_picture_and_in_the_list(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/senses")
    frames(page, 2)
    answered(page)
    page.get_by_text("In 3-D", exact=True).click()
    expect(page).to_have_url(re.compile(r"[?&]s3=1"))
    space = page.locator(".picture[data-plotted]")
    drawn = plotted(space)
    box = space.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900
    assert drawn["titles"] == ["PCA 1", "PCA 2", "PCA 3"]
    assert [len(trace["x"]) for trace in drawn["traces"]] == [8, 8]
    expect(page.get_by_text("Layer 6: three directions hold")).to_be_visible()
    expect(space.locator("[data-part=group]")).to_have_text(["money (8)", "river (8)"])
    chosen = page.locator("blockquote")
    space.get_by_role("listbox").press("End")
    space.get_by_role("listbox").press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]q=16"))
    expect(chosen).to_contain_text(re.compile(r"^\s*16\. "))
    assert [note["text"] for note in plotted(space)["notes"]] == ["<b>16</b>"]
    # A hovered mark names its occurrence, and a click chooses it.
    first = [drawn["traces"][1][axis][0] for axis in "xyz"]
    x, y = spot(space, np.array(first))
    page.mouse.move(x - 20, y)
    page.mouse.move(x, y, steps=3)
    told = space.locator(".tip")
    expect(told).to_be_visible()
    number = re.findall(r"^(\d+)\.", str(told.text_content()))[0]
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile(rf"[?&]q={number}(&|$)"))
    expect(chosen).to_contain_text(re.compile(rf"^\s*{number}\. "))
    back(page)
    expect(page).to_have_url(re.compile(r"[?&]q=16"))
    expect(space.locator("[aria-selected=true]")).to_have_attribute("aria-posinset", "16")


@pytest.mark.fuzz
def test_a_walk_over_every_control(server: Server, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{server.url}/senses")
    shown, curve = frames(page, 2)
    for picture in (shown, curve):
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900
    expect(page.get_by_text("of 16 occurrences")).to_be_visible()
    assert groups(shown) == ["money (8)", "river (8)"]
    # The slider repaints by itself; the parts beside the picture follow.
    shown.get_by_role("slider").focus()
    shown.get_by_role("slider").press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"[?&]d=1(&|$)"))
    expect(page.get_by_text("cosine similarity of their vectors, Layer 5.")).to_be_visible()
    # A click on a point chooses it, in the link too, and the keys do as well.
    answered(page)
    chosen = page.locator("blockquote")
    expect(chosen).to_contain_text(re.compile(r"^\s*1\. "))
    area = shown.get_by_role("application")
    area.focus()
    area.press("End")
    area.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]q=\d+"))
    number = re.findall(r"[?&]q=(\d+)", page.url)[0]
    expect(chosen).to_contain_text(re.compile(rf"^\s*{number}\. "))
    assert [ring.of for ring in shapes(shown, "chosen")] == [int(number) - 1]
    choose(page, "Colours", "by found cluster")
    expect(page.get_by_text("and its most typical sentence")).to_be_visible()
    expect(page.get_by_text("adjusted Rand index", exact=False).first).to_be_visible()
    choose(page, "How many", "3 clusters")
    expect(page.get_by_text(re.compile(r"Cluster 3 \("))).to_be_visible()
    called = shown.locator("text[data-part=group]")
    expect(called).to_have_text([re.compile(rf"^cluster {i} \(") for i in (1, 2, 3)])
    assert shown.get_by_role("slider").get_attribute("aria-valuetext") == "Layer 5"  # nothing was lost
    expect(page).to_have_url(re.compile(r"c=cluster.*k=3|k=3.*c=cluster"))
    for place, name in (("map", "senses-map"), ("accuracy", "senses-accuracy")):
        answered(page)
        waiting = save_picture(page.locator(f".st-key-{place}"), "CSV")
        assert waiting.suggested_filename == f"polysee-{name}.csv"
    # Other sentences of ours, a word that is not there, and Back.
    choose(page, "Colours", "by label")
    expect(called).to_have_text(["money (8)", "river (8)"])
    choose(page, "Sentences", "ours about “spring”")
    expect(page.get_by_role("textbox", name="Word")).to_have_value("spring")
    expect(page.get_by_text("of 16 occurrences")).to_be_visible()
    answered(page)
    typed = page.get_by_role("textbox", name="Word")
    typed.fill("lake")
    typed.press("Enter")
    expect(page.get_by_text("No sentence contains the word “lake”")).to_be_visible()
    back(page)
    expect(typed).to_have_value("spring")
    frames(page, 2)


@pytest.mark.fuzz
def test_a_file_is_read_stopped_and_gone_on_with(server: Server, visit: Visit, tmp_path: Path) -> None:
    rng = random.Random(1)
    words = ["quietly", "often", "never", "slowly", "again", "today", "somewhere", "here"]
    ends = {"river": "by the muddy bank of the river", "money": "at the bank with all their money"}
    lines = [
        f'{sense},"They waited {" ".join(rng.choices(words, k=15))}, {end}, {i}."'
        for i in range(250)
        for sense, end in ends.items()
    ]
    file = tmp_path / "secret name.csv"
    file.write_text("sense,text\n" + "\n".join([*lines, "money,No such word."]))
    page = visit(f"{server.url}/senses")
    frames(page, 2)
    choose(page, "Sentences", "a file of your own")
    expect(page.get_by_text("Choose a file, and type the word")).to_be_visible()
    page.locator('input[type="file"]').set_input_files(file)
    expect(page.get_by_text("501 sentences in 501 rows")).to_be_visible()
    expect(page.get_by_text(re.compile(r"sentence \d+ of 501, about .* left"))).to_be_visible()
    # Streamlit has a button of this name too, in its bar: that one leaves the page half drawn.
    page.get_by_test_id("stMain").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("of 501 sentences: the pictures below show the first")).to_be_visible()
    shown, _ = frames(page, 2)
    before = sum(int(name.split("(")[1].strip(")")) for name in groups(shown))
    assert 0 < before < 500
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("of 500 occurrences")).to_be_visible(timeout=200_000)
    expect(page.get_by_text("1 of 501 sentences does not contain the word")).to_be_visible()
    answered(page)
    expect(shown.locator("text[data-part=group]")).to_have_text(["river (250)", "money (250)"])
    box = shown.get_by_role("application").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"[?&]q=\d+"))
    expect(page.get_by_role("spinbutton", name="Nearest to number")).not_to_have_value("1")
    assert "secret" not in page.url
    assert "ln=" not in page.url
    assert server.asked() == set()


@pytest.mark.fuzz
def test_on_a_phone(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/senses?c=cluster", width=390, height=844, scheme="dark")
    frames(page, 2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
