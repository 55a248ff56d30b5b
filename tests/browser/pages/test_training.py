"""The Training page from a visitor's view: a real server, a real browser, real training."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.tasks import TASKS, dump, load, train
from core.tasks.training import recipe_code
from tests.browser import reading
from tests.browser.conftest import Server, rested
from tests.browser.saving import save_picture

pytestmark = pytest.mark.usefixtures("only_here")  # the server trains so many at once

Visit = Callable[..., Page]
TINY = "reverse~sd2~n20~b2~wu1~h1~d8~ff8"
SOME, LONG = (TINY.replace("n20", steps) for steps in ("n3200", "n10000"))


def opened(page: Page) -> Page:
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)
    return page


def address(server: Server, query: str = "") -> str:
    return f"{server.url}/training{query}"


def press(page: Page, name: str) -> None:
    main = page.get_by_test_id("stMainBlockContainer")  # Streamlit's own bar has a "Stop" as well
    main.get_by_role("button", name=name, exact=True).click()


def start(page: Page) -> None:
    # The browser loads the code of text boxes last.
    expect(page.get_by_label("Seed", exact=True)).to_have_value(re.compile(r"\d"))
    press(page, "Start")


def choose(page: Page, box: str, option: str) -> None:
    rested(page)  # a list that is open while the page runs may close
    closed = page.get_by_role("combobox", name=box, exact=True)
    closed.evaluate("(box) => box.scrollIntoView({ block: 'center' })")  # scrolling closes a list
    closed.click()
    page.get_by_role("option", name=option, exact=True).click()


def test_a_run_is_watched_paused_scrubbed_compared_saved_and_loaded(
    server: Server, visit: Visit, tmp_path: Path
) -> None:
    page = opened(visit(address(server, f"?rc={SOME}")))
    expect(page.get_by_text("it starts from random weights")).to_be_visible()
    for name in ("training-accuracy", "training-attention-0"):
        box = page.locator(f".st-key-{name} .picture[data-drawn]").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900
    curve = page.locator(".st-key-training-accuracy .picture")
    (width,) = [box["width"] for box in [curve.bounding_box()] if box]
    last = reading.labels(curve, "tick")[-1]
    assert int(last.text.replace(",", "")) in range(2_000, 3_201, 100)
    assert last.right <= width  # all of it can be read
    start(page)
    expect(page.get_by_text(re.compile(r"^Step [\d,]+ of 3,200, about"))).to_be_visible()
    expect(
        page.get_by_text(re.compile("Which token attends to which after step [1-9]"))
    ).to_be_visible()  # by itself
    press(page, "Pause")
    expect(page.get_by_text("Paused at step")).to_be_visible()
    slider = page.get_by_role("slider", name="After")
    slider.focus()
    slider.press("Home")
    expect(page.get_by_text("Which token attends to which after step 0")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]st=0(&|$)"))
    press(page, "One snapshot")
    expect(page.get_by_text("Paused at step")).to_be_visible()
    press(page, "Stop")
    expect(page.get_by_text("Stopped at step")).to_be_visible()

    page.get_by_label("Steps", exact=True).fill("20")
    page.get_by_label("Steps", exact=True).press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]rc=reverse~sd2~n20~"))
    start(page)
    expect(page.get_by_text("Done, step 20 of 20: goal not reached")).to_be_visible()
    rested(page)
    page.get_by_role("combobox", name="Compare with").click()
    page.get_by_role("option", name="1: 3,200 steps, seed 2").click()
    expect(page.locator(".st-key-training-attention-1 .picture[data-drawn]")).to_have_count(1)

    rested(page)
    with page.expect_download() as download:
        press(page, "Save the model")
    saved = download.value.path().read_bytes()
    alone = train(recipe_code.read(TINY))
    alone.learn(20)
    there, here = load(saved).weights, alone.trained().weights
    assert {*there} == {*here}
    for name in here:  # before all bytes: by how much they differ, if they do
        np.testing.assert_array_equal(there[name], here[name], err_msg=name)
    assert saved == dump(alone.trained())  # what else goes on in the server changes nothing
    page.get_by_text("Load from a file").click()
    chooser = page.locator("input[type=file]")
    foreign = tmp_path / "foreign.safetensors"
    foreign.write_bytes(b"<svg onload=alert(1)>")
    chooser.set_input_files(foreign)
    expect(page.get_by_text("not a model that was trained in Polysee")).to_be_visible()
    own = tmp_path / "own.safetensors"
    own.write_bytes(saved)
    chooser.set_input_files(own)
    expect(page.get_by_text("Loaded: Your reverse from a file")).to_be_visible()
    assert load(saved).steps == 20

    # Another task has no run here, and no box for one: nothing comes back by another box.
    choose(page, "Task", "Translate English into French")
    expect(page).to_have_url(re.compile(r"[?&]rc=translation~sd2$"))
    expect(page.get_by_role("combobox", name="Where", exact=True)).to_have_count(1)  # of this task
    choose(page, "Where", "Encoder")
    expect(page).to_have_url(re.compile(r"[?&]rc=translation~sd2&e=encoder$"))
    choose(page, "Head", "3")
    expect(page).to_have_url(re.compile(r"[?&]rc=translation~sd2&e=encoder&h=3$"))
    page.get_by_role("button", name=re.compile("^More")).click()
    heads = page.get_by_label(
        "Heads", exact=True
    )  # what was in a closed popover is as the recipe has it
    expect(page.get_by_label("d_model", exact=True)).to_have_value("64")
    expect(heads).to_have_value("4")
    heads.fill("2")
    heads.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]rc=translation~sd2~h2&"))
    # Nor do their former values return when another task has other values meanwhile.
    page.get_by_role("button", name=re.compile("^More")).click()
    expect(heads).to_have_count(0)
    choose(page, "Task", "Reverse letters")
    expect(page).to_have_url(re.compile(r"[?&]rc=reverse~sd2$"))
    rested(page)
    page.get_by_label("Seed", exact=True).fill("4")
    page.get_by_label("Seed", exact=True).press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]rc=reverse~sd4$"))
    rested(page)
    page.get_by_role("button", name=re.compile("^More")).click()
    expect(heads).to_have_value(str(TASKS["reverse"].recipe.n_heads))


@pytest.mark.fuzz
def test_a_trained_model_in_another_page_and_its_link_for_a_stranger(
    server: Server, visit: Visit
) -> None:
    page = opened(visit(address(server, "?rc=bank~sd2~n5~b2~d8~ff8")))
    start(page)
    expect(page.get_by_text("Done, step 5 of 5")).to_be_visible()
    page.get_by_role("link", name="Its heads").click()
    expect(page).to_have_url(re.compile("/heads.*yours-"))
    expect(page.get_by_label("Text", exact=True)).to_have_value("near the river the old bank [MASK] .")
    expect(page.locator(".picture[data-drawn]").first).to_be_visible()
    link = opened(page).url
    download = save_picture(page.locator(".picture[data-drawn]").first, "CSV")
    assert "river" in download.path().read_text()
    page.get_by_role("link", name="Training").first.click()
    expect(page.get_by_text("Done, step 5 of 5")).to_be_visible()  # it is still there

    stranger = opened(visit(link))
    expect(stranger.get_by_text("This model was trained in another session")).to_be_visible()
    stranger.get_by_role("link", name="Train it again").click()
    expect(stranger.get_by_label("Steps", exact=True)).to_have_value("5")
    expect(stranger.get_by_label("Seed", exact=True)).to_have_value("2")
    expect(stranger.get_by_text("it starts from random weights")).to_be_visible()


@pytest.mark.fuzz
def test_a_closed_tab_leaves_nothing_running_and_lets_the_next_one_in(
    server: Server, visit: Visit
) -> None:
    pages = [opened(visit(address(server, f"?rc={LONG}"))) for _ in range(3)]
    for page in pages[:2]:
        start(page)
        expect(page.get_by_text("of 10,000, about")).to_be_visible()
    start(pages[2])
    expect(pages[2].get_by_text("2 people are training; you are next in the queue")).to_be_visible()
    pages[0].close()
    # Only the end of a thread lets another one start.
    expect(pages[2].get_by_text("of 10,000, about")).to_be_visible()
    expect(pages[1].get_by_text("of 10,000, about")).to_be_visible()
