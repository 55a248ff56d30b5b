"""Sheets printed by a real browser: one page of A4 or US Letter, readable, without early answers."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from core.lessons import Click, Lesson, Number, courses, lessons, read
from tests.browser.conftest import Server, rested
from tests.tiers import some
from ui.paper import links, served, sheets, shell
from ui.paper.links import KINDS, Kind

Visit = Callable[..., Page]
OURS = lessons()
FIRST = OURS[0]
FORMATS = ("A4", "Letter")
MOST_ON_A_PAGE = 6  # questions with room to write
# The sizes of all painted letters, in points.
SIZES = """() => [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility()
  && [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * 0.75)"""
COLOURS = """() => [...new Set([...document.querySelectorAll("body, main, main *")].flatMap((one) => {
  const style = getComputedStyle(one); return [style.color, style.backgroundColor]; }))]"""


def printed(page: Page, paper: str) -> PdfReader:
    return PdfReader(io.BytesIO(page.pdf(format=paper)))


def words(page: Page, paper: str, pages: int = 1) -> str:
    """The words of a sheet, which has so many pages."""
    found = printed(page, paper).pages
    assert len(found) == pages
    # “fl” is one letter there
    return unicodedata.normalize(
        "NFKC", " ".join(" ".join(one.extract_text() for one in found).split())
    )


@pytest.mark.check
@pytest.mark.parametrize("lesson", some(OURS, 1), ids=lambda lesson: lesson.name)
def test_each_sheet_is_one_page_and_only_the_key_has_the_answers(
    server: Server, visit: Visit, lesson: Lesson
) -> None:
    page = visit("about:blank")
    for second in (False, True):
        said: dict[Kind, str] = {}
        for kind in KINDS:
            page.goto(server.url + links.address(lesson.name, kind, second=second))
            # Seven would need letters below 9 points: the sheet says so.
            pages = 2 if len(lesson.steps) > MOST_ON_A_PAGE and kind in ("questions", "key") else 1
            for paper in FORMATS:
                said[kind] = words(page, paper, pages)
                assert lesson.title in said[kind]
                assert (
                    "Another sentence Lessons" not in said[kind]
                )  # what leads elsewhere is not printed
            assert min(page.evaluate(SIZES)) >= 9, (kind, second)
            expect(page.locator("#long")).to_be_visible(visible=pages > 1)
            source = page.content()
            for step in lesson.steps:
                told = [one for one in re.split(r"\{.*?\}|\n", step.reveal) if len(one) > 15]
                assert kind == "key" or not [one for one in told if one in source], step.title
        only_the_key_answers(lesson, said, second=second)


def only_the_key_answers(lesson: Lesson, said: Mapping[Kind, str], *, second: bool) -> None:
    """Of all sheets of a lesson, by their words."""
    for step, answer in zip(lesson.steps, served.answers(lesson, second=second), strict=True):
        assert not isinstance(answer, str), answer
        if isinstance(step.prediction, Click):
            assert isinstance(answer.key, tuple)
            layer, head = (f"{one:.0f}" for one in answer.key)
            wanted = [f"layer {layer}, head {head}"]
            hidden = [*wanted, f"head {head} of layer {layer}"]
        else:
            wanted = [answer.in_words]
            decimals = isinstance(step.prediction, Number) and "." in answer.in_words
            hidden = [rf"(?<!± )(?<!\d){re.escape(answer.in_words)}"] if decimals else []
        assert all(one in said["key"] for one in wanted), step.title
        for kind in ("notes", "questions"):
            assert not [one for one in hidden if re.search(one, said[kind])], step.title


@pytest.mark.fuzz
def test_a_sheet_is_black_on_white_in_dark_mode_too(server: Server, visit: Visit) -> None:
    page = visit(server.url + links.address(FIRST.name, "questions"), scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert set(page.evaluate(COLOURS)) == {"rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    expect(page.get_by_role("navigation")).to_be_hidden()


@pytest.mark.parametrize("steps", some([9, 1], 1))
def test_a_lesson_of_a_teacher_shrinks_or_says_that_it_is_long(
    visit: Visit, tmp_path: Path, steps: int
) -> None:
    head = "# Own\naim: To see.\nminutes: 9\nneeds: nothing\nmodel: minilm\nconcepts: 1\n"
    step = (
        "## A step\n[Compare](/compare?w=bank)\nWords.\n"
        "ask: " + "Many long words stand here. " * 24 + "\n  Where?\n"
        'choices: here | there\nkey: "here"\nreveal: Here.\n'
    )
    (tmp_path / "11-own.md").write_text(head + step * steps)
    lesson = read(tmp_path / "11-own.md")
    page = visit("about:blank")
    nav = '<p><button id="print" type="button">Print</button></p>'
    page.set_content(shell.page("Own", nav, sheets.questions(lesson, lesson.texts)))
    long = steps > 1
    expect(page.locator("#long")).to_be_visible(visible=long)
    assert min(page.evaluate(SIZES)) >= 9
    for paper in FORMATS:
        pages = printed(page, paper).pages
        assert (len(pages) > 1) is long
        said = [one.extract_text() for one in pages]
        assert sum(one.count("A step") for one in said) == steps
        # No step is split: its question is on the page on which it begins.
        assert all(one.count("A step") == one.count("Because:") for one in said)


@pytest.mark.fuzz
@pytest.mark.check
def test_keys_lead_from_the_lessons_and_from_a_step_to_a_sheet(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/lessons")
    rested(page)
    page.locator("summary", has_text="On paper:").press("Enter")
    plan = page.locator(f'a[href="{links.address(FIRST.name, "plan")}"]')
    expect(plan).to_be_visible()
    for _ in ("All packs", "pack", *KINDS[: KINDS.index("plan") + 1]):
        page.keyboard.press("Tab")
    expect(plan).to_be_focused()
    with page.expect_popup() as opened:
        page.keyboard.press("Enter")
    expect(opened.value.get_by_role("heading", name=FIRST.title)).to_be_visible()
    opened.value.close()

    page.goto(f"{server.url}/?v=2&lesson={FIRST.name}.2.second")
    rested(page)
    page.get_by_role("button", name="The first sentence").focus()
    link = page.locator(f'a[href="{links.address(FIRST.name, "questions", second=True)}"]')
    for _ in range(4):
        page.keyboard.press("Tab")
        if link.evaluate("one => one === document.activeElement"):
            break
    with page.expect_popup() as opened:
        page.keyboard.press("Enter")
    sheet = opened.value
    expect(sheet.get_by_text(FIRST.second["a"]).first).to_be_visible()
    # From there, Tab leads to the other sheets.
    for name in ("Print", "Notes", "Questions", "Before and after", "Key"):
        sheet.keyboard.press("Tab")
        role: Literal["button", "link"] = "button" if name == "Print" else "link"
        expect(sheet.get_by_role(role, name=name, exact=True)).to_be_focused()
    sheet.keyboard.press("Enter")
    expect(sheet).to_have_url(re.compile(f"/paper/{FIRST.name}/key\\?second$"))
    expect(sheet.get_by_text("Computed with MiniLM")).to_be_visible()
    sheet.close()


@pytest.mark.fuzz
@pytest.mark.parametrize("width", some([390, 1440], 1))
def test_a_sheet_fits_on_a_screen(server: Server, visit: Visit, width: int) -> None:
    page = visit("about:blank", width=width)
    for kind in KINDS:
        page.goto(server.url + links.address(FIRST.name, kind))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert min(page.evaluate(SIZES)) >= 11  # on the screen, letters are as large as elsewhere


@pytest.mark.check
@pytest.mark.parametrize("kind", ["plan", "rubric"])
def test_in_german_no_table_is_wider_than_the_page(server: Server, visit: Visit, kind: Kind) -> None:
    """A browser prints a page that is too wide smaller, and loses its last pages."""
    page = visit(f"{server.url}/paper/paper-to-today/{kind}?lang=de", width=703)  # 186 mm
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    assert len(printed(page, "A4").pages) == 1
    phases = page.locator(".minutes + td")
    assert phases.evaluate_all("every => every.every((one) => one.scrollWidth <= one.clientWidth)")


@pytest.mark.check
@pytest.mark.parametrize("language", ["", "?lang=de"])
def test_a_course_is_one_page(server: Server, visit: Visit, language: str) -> None:
    (course,), _ = courses()
    page = visit(f"{server.url}/paper/course/{course.name}{language}")
    expect(page.locator("#long")).to_be_hidden()
    for paper in FORMATS:
        said = words(page, paper)
        assert "docs/lessons.md" not in said
        assert all(f"{number}. " in said for number in range(1, len(course.sessions) + 1))
    assert min(page.evaluate(SIZES)) >= 9
