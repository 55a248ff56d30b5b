"""Lessons in the folder: what the tab computes equals Python's, and what it cannot give is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.static.conftest import BELOW, Plain, predict
from tests.tiers import some

pytestmark = pytest.mark.check
OWN = "This was computed in your browser"


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Plain]:
    made = Plain(folder)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def lessons(folder: Path) -> dict[str, Any]:
    content = json.loads((folder / BELOW / "content.json").read_text("utf-8"))
    return {one["name"]: one for one in content["lessons"]}


@pytest.fixture(scope="module")
def page(server: Plain, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(60_000)
    made = context.new_page()
    made.on("pageerror", lambda error: pytest.fail(str(error)))
    made.goto(f"{server.address()}compare/")
    made.get_by_role("button", name="Fetch the model").click()
    made.locator(".picture[data-drawn]").first.wait_for(timeout=120_000)
    yield made
    context.close()


# As a link within the folder does. The model stays: started anew, it takes two and a half seconds.
_GO = """address => {
  document.querySelector(".lesson h2")?.setAttribute("data-before", "");
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def opened(page: Page, server: Plain, lesson: dict[str, Any], number: int, **more: str) -> Any:
    step = lesson["steps"][number - 1]
    query = {"v": "2", "lesson": f"{lesson['name']}.{number}", **more}
    page.evaluate(_GO, f"{server.address()}{step['page']}/?{urlencode(query)}")
    expect(page.locator(".lesson h2:not([data-before])")).to_have_text(step["title"])
    return step


def reveal(page: Page) -> str:
    expect(page.locator(".lesson .polysee-progress").first).not_to_be_empty()
    if page.locator(".check.before[open]").count():  # on a phone, it comes before all else
        page.get_by_role("button", name="Begin without an answer").click()
    predict(page)
    page.get_by_role("button", name="Reveal").click()
    told = page.locator(".reveal")
    expect(told).not_to_be_empty()
    return told.inner_text()


@pytest.mark.fuzz
def test_a_reveal_needs_a_prediction_and_says_whole_sentences(
    server: Plain, page: Page, lessons: dict[str, Any]
) -> None:
    opened(page, server, lessons["one-vector"], 2)
    # The page opens with the app's sentences: the lesson's own stand in its link.
    link = {key: value for key, value in lessons["one-vector"]["texts"].items() if key in "ab"}
    opened(page, server, lessons["one-vector"], 2, **link, w="bank")
    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_text("Make a prediction first.")).to_be_visible()
    expect(page.locator(".reveal")).to_have_count(0)
    page.get_by_role("radio", name="money").check()
    said = reveal(page)
    assert said.startswith("You predicted money, and that is right. It ends up at −")
    page.get_by_role("button", name="Predict again").click()
    page.get_by_role("radio", name="river").check()
    assert reveal(page).startswith("You predicted river, and the model answers otherwise. ")
    # Where the sentence names the key itself, nothing is said before it.
    opened(page, server, lessons["one-vector"], 5, **link, w="bank")
    said = reveal(page)
    assert re.search(r"otherwise\. It ends up at −?\d\.\d\d: with boat it was ", said)
    assert "this server" not in page.locator("main").inner_text().lower()


def test_the_question_before_comes_again_and_what_was_answered_is_kept(
    server: Plain, page: Page, lessons: dict[str, Any]
) -> None:
    """As in the app: a phone asks it first, and one file has all that was answered."""
    page.evaluate("localStorage.clear()")
    page.goto(f"{server.address()}lessons/")  # nothing was revealed yet
    lesson = lessons["one-vector"]
    link = {key: value for key, value in lesson["texts"].items() if key in "ab"}
    opened(page, server, lesson, 1, **link, w="bank")
    before = page.locator(".check.before")
    expect(before).to_contain_text("Why does a model have different vectors for “bank”")
    expect(page.get_by_role("button", name="Reveal")).to_be_hidden()  # one question at a time
    before.get_by_role("radio").first.click()  # it is gone with the click
    expect(page.locator(".answered")).to_contain_text("its table has a row for each meaning")
    page.get_by_role("radio", name="a little").check()
    page.locator(".asked ~ div").get_by_role("textbox", name="Why?").fill("they look different")
    reveal(page)
    rows = page.locator(".polysee-drawn li")
    expect(rows.filter(has_text="← you")).to_have_text("a little← you")
    expect(rows.filter(has_text="← the model")).to_have_text("not at all← the model")
    last = len(lesson["steps"])
    opened(page, server, lesson, last, **link, w="bank")
    expect(page.locator(".check.after")).to_have_count(0)  # its answer would stand beside the question
    reveal(page)
    after = page.locator(".check.after")
    after.get_by_role("radio").nth(lesson["check"][0]["right"]).click()
    expect(after).not_to_contain_text("Before: ")  # a reason comes before the verdict
    after.get_by_role("textbox").fill("its neighbours differ")
    after.get_by_role("button", name="Compare").click()
    expect(after).to_contain_text("Now, you wrote: “its neighbours differ”")
    expect(after).to_contain_text("Before: “its table has a row for each meaning”, not right. After: ")
    expect(after).to_contain_text("The idea behind the other answer")
    page.goto(f"{server.address()}lessons/")
    expect(page.locator(".lessons li").first).to_contain_text(f"2 of {last} steps seen")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my answers as CSV").click()
    table = Path(saved.value.path()).read_text("utf-8-sig")
    assert '"one-vector","1","' in table
    assert ',"a little","not at all","no","they look different"' in table
    page.get_by_role("button", name="Forget my progress").click()
    expect(page.get_by_text("steps seen")).to_have_count(0)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", some(["tokens", "nearness", "position", "layer", "qkv"], 2))
def test_what_is_computed_here_equals_what_python_computed(
    server: Plain, page: Page, lessons: dict[str, Any], name: str
) -> None:
    """With a blank at its end, a text is a visitor's own and the same to the model."""
    computed = 0
    for number, step in enumerate(lessons[name]["steps"], 1):
        if step["live"]:
            continue
        opened(page, server, lessons[name], number)
        box = page.locator(".bench textarea").first
        if not box.count():
            said = reveal(page)
            stored = step["answers"][0]["reveal"]
            assert said.split()[-3:] == stored.replace("\\", "").replace("*", "").split()[-3:]
            continue
        mine = reveal(page)
        expect(page.locator(".bench tbody tr").first).to_be_visible()
        box.fill(f"{box.input_value()} ")
        if page.get_by_role("button", name="Reveal").count():  # its prediction is about the other text
            reveal(page)
        note = page.locator(".asked ~ .quiet").last
        expect(note).not_to_be_empty()
        if OWN in note.inner_text():
            assert page.locator(".reveal").inner_text() == mine
            computed += 1
    assert computed >= (0 if name in ("position",) else 1)


@pytest.mark.fuzz
def test_a_text_of_ones_own_is_computed_here_and_a_strange_one_gets_a_sentence(
    server: Plain, page: Page, lessons: dict[str, Any]
) -> None:
    page.goto(f"{server.address()}lessons/")  # nothing was revealed yet
    opened(page, server, lessons["tokens"], 1)
    expect(page.locator(".bench .covered, .covered[data-part=bench]")).to_have_count(1)
    box = page.get_by_role("textbox", name="Text")
    box.fill("cat dog")
    reveal(page)
    expect(page.locator(".reveal")).to_contain_text("It reads 4 tokens")  # once the model has started
    expect(page.get_by_text(OWN)).to_be_visible()
    expect(page.locator(".bench tbody tr")).to_have_count(4)
    for typed, tokens in (("", 2), ("<b>x</b> 🎣", 11), ("a " * 600, 64)):
        box.fill(typed)
        expect(page.locator(".bench tbody tr")).to_have_count(tokens)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The table has the numbers of the answer, from the word of the question.
    opened(page, server, lessons["nearness"], 2)
    said = reveal(page)
    word = lessons["nearness"]["texts"]["w"]
    expect(page.locator(".bench .numbers p")).to_contain_text(f"{word} and each other word")
    cells = page.locator(".bench tbody tr td:nth-child(3)").all_inner_texts()
    assert len(cells) == 2
    for cell in cells:
        # A cell has three digits: 1.485 stands for what is written 1.48 or 1.49.
        assert any(f"{float(cell) + off:.2f}" in said for off in (-0.0004, 0.0004))
    opened(page, server, lessons["layer"], 5)
    reveal(page)
    expect(page.locator(".bench .numbers p")).to_contain_text("river and each other word")
    opened(page, server, lessons["qkv"], 3)
    reveal(page)
    word = lessons["qkv"]["texts"]["word"]
    expect(page.locator(".bench .numbers p")).to_contain_text(f"From {word} to each token")
    # Where a word of the question is missing, a sentence says so.
    opened(page, server, lessons["nearness"], 1)
    page.get_by_role("textbox", name="Text").fill("nothing of that")
    reveal(page)
    expect(page.locator(".reveal")).to_contain_text("a word of the question is missing")
    # What the tab cannot give is said once, and the answer of the lesson is there all the same.
    opened(page, server, lessons["layer"], 2)
    expect(page.locator(".bench")).to_contain_text("only the full app has")
    assert "It is" in reveal(page)
