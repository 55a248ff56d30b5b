"""In front of a class: the whole screen, the keys of a clicker, text that the last row can read."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect

from core.lessons import Lesson, lessons, slides
from tests.browser.conftest import Server, rested, until_link
from tests.browser.serving.test_classroom import close
from tests.tiers import some
from ui import navigation
from ui.state import MINE

pytestmark = pytest.mark.check

Visit = Callable[..., Page]
SMALL_LETTERS = (Path(__file__).parent / "small_letters.js").read_text("utf-8")
OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
WHOLE = "() => document.fullscreenElement === document.documentElement"
BAR = ".polysee-presenter"
FIRST = lessons()[0]
MOST_ENTRIES = 50  # of the history of a tab, in Chromium
SCREEN = {"width": 1280, "height": 720}
# What each page is presented with; those without a picture show their text.
PAGES: dict[str, dict[str, str]] = {page.path: {} for page in navigation.pages().values()} | {
    "glossary": {"g": "attention-weight"}
}


def at(page: Page, number: int, of: int) -> None:
    expect(page.locator(f"{BAR} .at")).to_have_text(f"{number} / {of}")
    rested(page)


def alone(page: Page) -> None:
    """Check that the bar of a page alone offers nothing to page through."""
    expect(page.locator(BAR).get_by_role("button", name="Leave")).to_be_visible()
    rested(page)
    expect(page.locator(f"{BAR} .at")).to_have_count(0)
    expect(page.locator(BAR).get_by_role("button", name="step")).to_have_count(0)


def step_link(server: Server, lesson: Lesson, number: int, **more: str) -> str:
    page = lesson.steps[number - 1].page
    query = {"v": "2", "lesson": f"{lesson.name}.{number}", **more}
    return f"{server.url}/{'' if page == 'compare' else page}?{urlencode(query)}"


def picture(page: Page) -> None:
    """Wait until the presented picture is drawn."""
    expect(page.locator("[data-presented]")).to_have_count(1)
    shown = page.locator("[data-presented] .picture")
    expect(shown.and_(page.locator("[data-drawn], [data-plotted]")).first).to_be_visible()


def no_small_letters(page: Page, within: str = "html", least: float = 22) -> None:
    """Check that no visible letter is smaller than this, in pixels."""
    assert page.evaluate(f"({SMALL_LETTERS})([{least}, '{within}'])") == []


def texts_have_their_place(page: Page) -> None:
    """Check that, at rest, no visible text overlaps another, is cut off, or is below the bar."""
    for _ in range(10):
        if not (found := page.evaluate(OVERLAPS)):
            return
        page.wait_for_timeout(500)
    assert found == []


def nothing_is_wider(page: Page) -> None:
    wide = page.evaluate("""() => {
      const main = document.querySelector('[data-testid="stMain"]');
      return main.scrollWidth - main.clientWidth;
    }""")
    assert wide <= 0


def test_keys_of_a_clicker_go_through_a_lesson_on_the_whole_screen(
    server: Server, visit: Visit
) -> None:
    of = len(FIRST.steps)
    # The last step before another page of the app.
    here = next(i for i, (one, other) in enumerate(pairwise(FIRST.steps), 1) if one.page != other.page)
    page = visit(step_link(server, FIRST, here), **SCREEN)
    page.get_by_text("About this page", exact=True).click()
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)
    page.locator(f"{BAR}.offer").get_by_role("button", name="Present").click()
    at(page, here, of)
    assert page.evaluate(WHOLE)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_text("What it does not say")).to_have_count(0)
    expect(page.get_by_text(FIRST.steps[here - 1].title, exact=True)).to_be_visible()
    page.locator(BAR).get_by_role("button", name="Reveal").click()
    picture(page)
    rested(page)
    # In the picture, arrows belong to the picture, and the keys of a clicker go on.
    area = page.locator("[data-presented] .picture .area").first
    area.focus()
    page.keyboard.press("ArrowRight")
    rested(page)
    at(page, here, of)
    page.keyboard.press("PageDown")  # to another page of the app
    at(page, here + 1, of)
    until_link(page, lambda link: link.get("present") == "1")
    assert f"/{FIRST.steps[here].page}?" in page.url
    assert page.evaluate(WHOLE)
    reveal = page.locator(BAR).get_by_role("button", name="Reveal")
    # Each key of a clicker reveals the answer of a step first, and then goes on.
    for number, key in zip(range(here + 2, of + 1), ("ArrowRight", "Space", "PageDown"), strict=False):
        page.evaluate("() => document.activeElement.blur()")
        expect(reveal).to_contain_text("→")
        page.keyboard.press(key)
        expect(reveal).to_have_count(0)
        at(page, number - 1, of)
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press(key)
        at(page, number, of)
        assert page.evaluate(WHOLE)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("PageDown")
    expect(reveal).to_have_count(0)
    page.keyboard.press("PageDown")  # to the question after the lesson
    page.keyboard.press("PageDown")  # while it still comes: it is revealed as it does
    check = FIRST.check
    assert check is not None
    expect(page.locator(f"{BAR} .at")).to_have_text("after")
    asked = page.locator(".st-key-presented-check")
    expect(asked).to_contain_text("✓ " + "ABC"[check.right] + ") " + check.answers[check.right])
    expect(asked).to_contain_text(check.because)
    expect(page.locator("[data-presented]")).to_have_count(0)
    expect(reveal).to_have_count(0)
    rested(page)
    no_small_letters(page)
    page.keyboard.press("PageDown")  # there is nothing behind it
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    at(page, of, of)
    assert page.evaluate(WHOLE)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page.locator(".st-key-lesson")).to_be_visible()
    until_link(page, lambda link: "present" not in link)
    assert not page.evaluate(WHOLE)


@pytest.mark.few(1)
@pytest.mark.parametrize("present", [False, True])
def test_back_from_another_page_brings_the_step_before_with_its_sentences(
    server: Server, visit: Visit, present: bool
) -> None:
    last = next(i for i, (one, other) in enumerate(pairwise(FIRST.steps), 1) if one.page != other.page)
    texts = [FIRST.texts["a"], FIRST.texts["b"]]
    page = visit(step_link(server, FIRST, last, **({"present": "1"} if present else {})), **SCREEN)

    def there(number: int) -> None:
        rested(page)
        until_link(page, lambda link: link.get("lesson") == f"{FIRST.name}.{number}")
        title = page.locator(".st-key-presented-words h2, .st-key-lesson h5")
        expect(title).to_have_text(FIRST.steps[number - 1].title)
        rested(page)
        expect(page.get_by_text("belongs to another page")).to_have_count(0)

    there(last)
    opened = page.evaluate("() => history.length")
    if present:
        page.locator(BAR).get_by_role("button", name="Next step").click()
    else:
        page.locator(".st-key-lesson").get_by_role("button", name="Next").click()
    there(last + 1)
    # one entry a page; a browser keeps so many, of which earlier tests may have made all
    assert page.evaluate("() => history.length") == min(opened + 1, MOST_ENTRIES)
    page.go_back()
    there(last)
    boxes = page.locator(".stMain textarea")
    assert [boxes.nth(i).input_value() for i in range(2)] == texts
    reveal = page.get_by_role("button", name="Reveal")
    expect(reveal).to_be_visible()
    page.go_forward()
    there(last + 1)


def test_a_step_of_another_page_says_so_and_leads_back(server: Server, visit: Visit) -> None:
    other = next(i for i, one in enumerate(FIRST.steps, 1) if one.page != "compare")
    query = {"v": "2", "a": FIRST.texts["a"], "lesson": f"{FIRST.name}.{other}", "present": "1"}
    page = visit(f"{server.url}/?{urlencode(query)}", **SCREEN)
    at(page, other, len(FIRST.steps))
    expect(page.get_by_text("belongs to another page")).to_be_visible()
    no_small_letters(page)
    page.get_by_role("button", name="Back to this step").click()
    expect(page.get_by_text("belongs to another page")).to_have_count(0)
    until_link(page, lambda link: link.get("t") == FIRST.texts["a"])
    at(page, other, len(FIRST.steps))
    assert page.url.startswith(f"{server.url}/{FIRST.steps[other - 1].page}?")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "number", "part", "shows"),
    [
        ("why-this-word", 1, "why-words", "When (the first token)"),
        ("why-this-word", 4, "copying-sink", "55 % of all attention"),
        ("paper-to-today", 2, "picture-steps-lengths", "619.25"),
        ("one-vector", 4, "layer-5", "[SEP]"),
    ],
)
def test_a_reveal_shows_what_was_asked_and_all_of_it(
    server: Server, visit: Visit, name: str, number: int, part: str, shows: str
) -> None:
    lesson = next(one for one in lessons() if one.name == name)
    page = visit(step_link(server, lesson, number, present="1"), **SCREEN)
    at(page, number, len(lesson.steps))
    hidden = page.locator(":has([data-presented])").evaluate_all(
        """every => every.map(one => getComputedStyle(one, "::before"))
          .filter(({ content, display }) => content.includes("Reveal") && display !== "none").length"""
    )
    assert hidden == 1  # the hatched part says why, once
    page.locator(BAR).get_by_role("button", name="Reveal").click()
    picture(page)
    rested(page)
    shown = page.locator("[data-presented]")
    expect(page.locator(f".st-key-{part}").filter(has=shown)).to_have_count(1)
    expect(shown.locator("svg text").filter(has_text=shows).first).to_be_visible()
    expect(shown.locator("svg text").filter(has_text=re.compile(r"rows \d+–\d+ of"))).to_have_count(0)
    if name == "one-vector":
        rows = shown.locator('svg text[text-anchor="end"]')
        assert [one.text_content() for one in rows.all()].count("the") == 2  # every row has its name
    no_small_letters(page)


@pytest.mark.parametrize("address", some(PAGES, 1))
def test_no_letter_of_a_page_is_small(server: Server, visit: Visit, address: str) -> None:
    query = urlencode({"v": "2", **PAGES[address], "present": "1"})
    page = visit(f"{server.url}/{address}?{query}", **SCREEN)
    alone(page)
    if address not in ("lessons", "glossary"):
        picture(page)
        texts_have_their_place(page)
    expect(page.locator("[data-presented]")).to_have_count(1)
    no_small_letters(page)
    nothing_is_wider(page)


def test_a_verdict_stands_above_its_picture_a_class_types_its_own_text_and_escape_leaves(
    server: Server, visit: Visit
) -> None:
    page = visit(f"{server.url}/?v=2&present=1", **SCREEN)
    alone(page)
    picture(page)
    verdict = page.locator(".st-key-presented-line")
    expect(verdict).to_contain_text("Two meanings")
    rested(page)
    box = page.get_by_role("textbox", name="Sentence A")
    expect(box).to_be_hidden()
    page.locator(BAR).get_by_role("button", name="Your own text").click()
    expect(box).to_be_focused()
    box.fill("She sat on the bank and fed the ducks.")
    expect(verdict).to_contain_text("Not clear")
    rested(page)
    no_small_letters(page)
    texts_have_their_place(page)
    nothing_is_wider(page)
    box.focus()
    page.keyboard.press("PageDown")  # there is no other step, and the page stays
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    until_link(page, lambda link: "present" not in link)
    expect(page.locator("[data-presented], [data-presented-text]")).to_have_count(0)


def test_a_step_shows_the_picture_that_it_asks_about(server: Server, visit: Visit) -> None:
    page = visit(step_link(server, FIRST, 5, present="1"), **SCREEN)  # about a cut
    expect(page.locator(".st-key-fold-if-control [data-presented]")).to_have_count(1)
    shown = page.locator("[data-presented] .picture")
    expect(shown.and_(page.locator("[data-drawn]"))).to_be_hidden()  # it would say the answer
    page.locator(BAR).get_by_role("button", name="Reveal").click()
    picture(page)
    expect(page.locator(".st-key-fold-if-control [data-presented]")).to_have_count(1)


@pytest.mark.few(1)
@pytest.mark.parametrize("width", [390, 1440])
def test_a_class_reads_the_whole_verdict_above_a_picture_that_takes_the_rest(
    server: Server, visit: Visit, width: int
) -> None:
    """No line of it is cut, or painted over by the picture below."""
    page = visit(f"{server.url}/?v=2&present=1", width=width, height=900 if width > 640 else 844)
    picture(page)
    rested(page)
    text, box = page.locator(".st-key-presented-line p"), page.locator(".st-key-presented-line")
    of_text, of_box = text.bounding_box(), box.bounding_box()
    shown = page.locator("[data-presented]").bounding_box()
    bar = page.locator(BAR).bounding_box()
    assert of_text is not None
    assert of_box is not None
    assert shown is not None
    assert bar is not None
    assert of_text["y"] + of_text["height"] <= of_box["y"] + of_box["height"] + 1
    assert of_text["y"] + of_text["height"] <= shown["y"] + 1
    assert shown["y"] + shown["height"] <= bar["y"]
    assert bar["y"] - shown["y"] - shown["height"] < 0.08 * bar["y"]
    page.keyboard.press("Escape")
    expect(page.locator(BAR).get_by_role("button", name="Leave")).to_have_count(0)


@pytest.mark.fuzz
@pytest.mark.parametrize("lesson", some(lessons(), 1), ids=lambda one: one.name)
def test_no_letter_of_a_lesson_is_small(server: Server, visit: Visit, lesson: Lesson) -> None:
    page = visit(step_link(server, lesson, 1, present="1"), **SCREEN)
    for number, step in enumerate(lesson.steps, 1):
        at(page, number, len(lesson.steps))
        expect(page.get_by_role("heading", name=step.title, exact=True)).to_be_visible()
        expect(page.locator("[data-presented]")).to_have_count(1)
        no_small_letters(page)
        page.locator(BAR).get_by_role("button", name="Reveal").click()
        expect(page.locator(BAR).get_by_role("button", name="Reveal")).to_have_count(0)
        rested(page)
        no_small_letters(page)
        texts_have_their_place(page)
        nothing_is_wider(page)
        page.keyboard.press("PageDown")


@pytest.mark.fuzz
def test_a_lesson_of_ones_own_is_collected_saved_opened_and_presented(
    server: Server, visit: Visit, tmp_path: Path
) -> None:
    page = visit(f"{server.url}/?w=bank&v=2")
    rested(page)
    page.get_by_role("button", name="Add to my lesson").click()
    expect(page.get_by_role("link", name="My lesson: 1 step")).to_be_visible()
    rested(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Positions").click()
    expect(page).to_have_title("Positions · Polysee")  # whose button takes what this page shows
    rested(page)
    page.get_by_role("button", name="Add to my lesson").click()
    expect(page.get_by_role("link", name="My lesson: 2 steps")).to_be_visible()
    rested(page)
    page.get_by_role("link", name="My lesson: 2 steps").click()
    title = page.get_by_label("Title of step 2")
    expect(title).to_be_visible()
    rested(page)
    title.fill("Where <b>words</b> stand")
    title.press("Enter")
    until_link(page, lambda link: "Where <b>" in _mine(link)[1].title)
    rested(page)
    page.get_by_role("button", name="↑").last.click()
    until_link(page, lambda link: "Where <b>" in _mine(link)[0].title)
    rested(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / "my-lesson.md"
    saving.value.save_as(saved)
    kept = slides.read(saved.read_text("utf-8"))
    assert [one.page for one in kept] == ["positions", "compare"]
    link = page.url
    page.get_by_role("button", name="Empty it").click()
    until_link(page, lambda link: "mine" not in link)
    rested(page)
    page.locator('input[type="file"]').set_input_files(saved)
    until_link(page, lambda link: "mine" in link and _mine(link) == kept)
    # The link alone brings it, too.
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_label("Title of step 1")).to_have_value("Where <b>words</b> stand")
    rested(page)
    page.get_by_role("button", name="Present my lesson").click()
    at(page, 1, 2)
    assert page.evaluate(WHOLE)
    expect(page.get_by_text("Where <b>words</b> stand")).to_be_visible()
    picture(page)
    page.keyboard.press("PageDown")
    at(page, 2, 2)
    picture(page)
    assert page.evaluate(WHOLE)
    page.reload()
    at(page, 2, 2)


def _mine(link: dict[str, str]) -> tuple[slides.Slide, ...]:
    found = MINE.parse(link.get("mine", "")).slides
    return (*found, *(slides.Slide("", "", "") for _ in range(2 - len(found))))


HOSTILE = [
    "## A\n[x](javascript:alert(1))\n",
    "## A\n[x](https://example.org/)\n",
    "## A\n[x](/compare)\n" * 10_000,
    "\x00\x01",
]


@pytest.mark.parametrize("text", some(HOSTILE, 1), ids=["script", "host", "long", "binary"])
def test_a_hostile_file_gets_a_sentence(server: Server, visit: Visit, text: str) -> None:
    page = visit(f"{server.url}/lessons")
    rested(page)
    page.get_by_text("My lesson", exact=True).click()
    payload = FilePayload(name="x.md", mimeType="text/markdown", buffer=text.encode())
    page.locator('input[type="file"]').set_input_files(payload)
    expect(page.get_by_text("This file cannot be read.")).to_be_visible()
    rested(page)
    assert "mine" not in parse_qs(urlsplit(page.url).query)


@pytest.mark.fuzz
def test_words_of_a_file_stay_words(server: Server, visit: Visit) -> None:
    hostile = (
        "## <img src=https://example.org/x onerror=alert(1)> ![x](https://example.org/y.png)\n"
        "[x](/compare?w=%3Cscript%3E&l=-99&z=%00)\n<script>alert(1)</script> ![x](https://example.org/z)\n"
    )
    word = MINE.write(MINE.default._replace(slides=slides.read(hostile)))
    page = visit(f"{server.url}/lessons?{urlencode({'v': '2', 'mine': word})}")
    rested(page)
    page.get_by_role("button", name="Present my lesson").click()
    alone(page)
    words = page.locator(".st-key-presented-words")
    expect(words.get_by_text(re.compile("<img src=.*onerror"))).to_be_visible()
    expect(words.get_by_text(re.compile("<script>"))).to_be_visible()
    expect(words.locator("img, script")).to_have_count(0)


@pytest.mark.fuzz
def test_the_wall_of_a_class_stays_and_is_large(server: Server, visit: Visit) -> None:
    page = visit(step_link(server, FIRST, 1), **SCREEN)
    expect(page.locator(".st-key-lesson")).to_be_visible()
    rested(page)
    page.get_by_role("button", name="For a class").click()
    page.get_by_role("button", name="Ask the class").click()
    wall = page.locator(".polysee-wall .count")
    expect(wall).to_have_text("0 answers")
    rested(page)
    try:
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_text(FIRST.steps[1].title, exact=True)).to_be_visible()
        expect(wall).to_be_visible()
        rested(page)
        page.get_by_test_id("stSidebar").get_by_role("link", name="Glossary").click()
        expect(page.get_by_text("The words of the field").first).to_be_visible()
        expect(wall).to_be_visible()
        rested(page)
        no_small_letters(page, ".st-key-class")
    finally:
        close(page)
        expect(wall).to_have_count(0)
