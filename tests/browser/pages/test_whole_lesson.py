"""One whole lesson, by keys alone and by touch: predicted, revealed, and remembered by the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from core.lessons import Choice, Lesson, Step, lessons
from core.lessons.keys import state
from tests.browser.conftest import PATIENCE, Server, rested, until_link
from tests.tiers import some
from ui.lessons import parts

Visit = Callable[..., Page]
FIRST: Lesson = lessons()[0]
SPOKEN: Lesson = next(one for one in lessons() if one.name == "why-this-word")
MOST_TABS = 60
# A sentence for the box of a lesson’s last step.
OWN = {
    FIRST.name: ("Sentence A", "The bank has an old vault."),
    SPOKEN.name: ("Text", "The cook tasted the soup and added some"),
}
# The focused element in words: its text or its name, and its kind.
FOCUSED = """() => {
  const one = document.activeElement;
  const label = one?.getAttribute("aria-label") ?? one?.innerText ?? "";
  return [one?.tagName ?? "", one?.type ?? "", label.trim()];
}"""
KEPT = "() => localStorage.getItem('polysee lessons')"
# Whether the focused element, or what is drawn of it, looks otherwise than without the focus.
FRAMED = """() => {
  const one = document.activeElement, around = one.closest('label, [data-baseweb="base-input"]') ?? one;
  const parts = [one, around, around.parentElement, ...around.querySelectorAll("*")];
  const looks = () => parts.map((part) => {
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(part);
    return [outlineStyle === "none" ? "" : outlineStyle + outlineWidth, boxShadow, borderColor].join();
  }).join(";");
  // A frame that fades in is there once it has.
  const settled = () => {
    looks();
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
    return looks();
  };
  const focused = settled();
  one.blur();
  const blurred = settled();
  one.focus({ preventScroll: true });
  return focused !== blurred;
}"""


def tab_to(page: Page, found: Callable[[str, str, str], bool], most: int = MOST_TABS) -> None:
    """Press Tab until the focused element satisfies a condition."""
    for _ in range(most):
        page.keyboard.press("Tab")
        tag, kind, label = page.evaluate(FOCUSED)
        if found(tag, kind, label):
            return
    raise AssertionError(f"not reached in {most} steps; last was {page.evaluate(FOCUSED)}")


def focus_is_on(page: Page, selector: str) -> None:
    """Wait until the focus is on such an element, and check that it is seen there."""
    page.wait_for_function("at => document.activeElement?.matches(at)", arg=selector)
    assert page.evaluate(FRAMED), selector


def named(name: str) -> Callable[[str, str, str], bool]:
    return lambda tag, _, label: tag in ("BUTTON", "A") and name in label


def card(page: Page, step: int, lesson: Lesson = FIRST) -> None:
    """Wait until the card of a step is on the screen, and its run has ended."""
    shown = page.locator(".st-key-lesson")
    expect(shown.get_by_text(f"step {step} of {len(lesson.steps)}")).to_be_visible(timeout=PATIENCE)
    expect(shown.get_by_text(lesson.steps[step - 1].title, exact=True)).to_be_visible()
    ended = page.locator('[data-test-script-state="notRunning"]')
    expect(ended).to_be_visible(timeout=3 * PATIENCE)  # the first run of a page loads what it needs
    rested(page)


@pytest.mark.check
def test_by_keys_the_focus_leads_from_question_to_answer_to_the_next_step(
    server: Server, visit: Visit
) -> None:
    assert FIRST.check is not None
    page = visit(f"{server.url}/?lesson={FIRST.name}.1&v=2")
    page.evaluate("() => localStorage.clear()")
    card(page, 1)
    before = page.locator(".st-key-lesson .check")
    before.get_by_role("radio").first.focus()
    for _ in range(2):  # each that is reached is chosen, and none of them is answered yet
        page.keyboard.press("ArrowDown")
    expect(before.get_by_role("radio").nth(2)).to_be_checked()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    focus_is_on(page, ".answered")
    expect(page.locator(".answered")).to_contain_text(FIRST.check.answers[1])
    tab_to(page, lambda _, kind, __: kind == "radio")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Reveal")).to_be_enabled()
    rested(page)
    tab_to(page, named("Reveal"))
    page.keyboard.press("Enter")
    focus_is_on(page, ".st-key-lesson-answer p")
    tab_to(page, named("Next"))
    page.keyboard.press("Enter")
    card(page, 2)
    focus_is_on(page, ".st-key-lesson h5")
    tab_to(page, named("Leave"))
    page.keyboard.press("Enter")
    focus_is_on(page, "h1")
    page.goto(f"{server.url}/lessons")
    expect(page.get_by_text(f"2 of {len(FIRST.steps)} steps seen")).to_be_visible(timeout=PATIENCE)


@pytest.mark.timeout(1_200)  # each of its forty keys that choose something starts a run
@pytest.mark.fuzz
@pytest.mark.parametrize("lesson", [FIRST, SPOKEN], ids=lambda one: one.name)
def test_a_whole_lesson_by_keys_alone(server: Server, visit: Visit, lesson: Lesson) -> None:
    page = visit(server.url)
    page.evaluate("() => localStorage.clear()")
    rested(page)
    tab_to(page, lambda tag, _, label: tag == "A" and label == "Lessons")
    assert page.evaluate(FRAMED)
    page.keyboard.press("Enter")
    start = "Start with lesson 1" if lesson is FIRST else lesson.title
    expect(page.get_by_role("link", name=start).first).to_be_visible()
    rested(page)
    tab_to(page, named(start), 2 * MOST_TABS)
    assert page.evaluate(FRAMED)
    page.keyboard.press("Enter")
    box, own = OWN[lesson.name]
    for number, step in enumerate(lesson.steps, 1):
        card(page, number, lesson)
        heard = page.locator("body").aria_snapshot()
        assert step.title in heard
        assert not re.search(r"\{[a-z%]+\}", heard)  # names are filled in
        focus_is_on(page, ".st-key-lesson h5")
        if number == 1:  # the question before the lesson comes first
            tab_to(page, lambda _, kind, __: kind == "radio")
            page.keyboard.press("Space")
            focus_is_on(page, ".answered")
        if step.own:
            tab_to(page, lambda tag, *_: tag == "TEXTAREA")
            assert page.evaluate(FRAMED)
            page.keyboard.press("Control+a")
            page.keyboard.type(own)
            page.keyboard.press("Enter")
            expect(page.get_by_role("textbox", name=box, exact=True)).to_have_value(own)
            rested(page)
        if isinstance(step.prediction, Choice):
            tab_to(page, lambda _, kind, __: kind == "radio")
            page.keyboard.press("Space")
        else:
            tab_to(page, lambda _, kind, name: kind == "text" and "?" in name)
            page.keyboard.type("0.5")
            page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Reveal")).to_be_enabled()
        rested(page)
        tab_to(page, named("Reveal"))
        page.keyboard.press("Enter")
        told = page.locator(".st-key-lesson-answer")
        expect(told.get_by_text("You predicted")).to_be_visible(timeout=PATIENCE)
        rested(page)
        focus_is_on(page, ".st-key-lesson-answer p")
        if number < len(lesson.steps):
            tab_to(page, named("Next"))
            page.keyboard.press("Enter")
    tab_to(page, lambda _, kind, __: kind == "radio")  # the question after the lesson
    page.keyboard.press("Space")
    tab_to(page, lambda tag, _, label: tag == "BUTTON" and label == "Compare")  # behind the reason
    page.keyboard.press("Enter")
    focus_is_on(page, ".st-key-lesson .check p")
    tab_to(page, named("Leave"))
    page.keyboard.press("Enter")
    focus_is_on(page, "h1")
    assert json.loads(page.evaluate(KEPT)) == {lesson.name: [*range(1, len(lesson.steps) + 1)]}
    page.goto(f"{server.url}/lessons")
    expect(page.get_by_text("all steps seen")).to_be_visible()
    tab_to(page, named("Forget my progress"), 2 * MOST_TABS)  # below the list of all lessons
    page.keyboard.press("Enter")
    expect(page.get_by_text("all steps seen")).to_be_hidden()
    assert page.evaluate(KEPT) == "{}"


@pytest.mark.fuzz
@pytest.mark.parametrize(("width", "height"), [(390, 844)])
def test_a_whole_lesson_by_touch(server: Server, chromium: Browser, width: int, height: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": height}, has_touch=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    try:
        page.goto(f"{server.url}/lessons")
        rested(page)
        page.get_by_role("link", name="Start with lesson 1").tap()
        for number, step in enumerate(FIRST.steps, 1):
            card(page, number)
            here = page.locator(".st-key-lesson")
            if number == 1:  # the question before the lesson has the card to itself
                here.get_by_text("Begin without an answer").tap()
            if step.own:  # a text of one's own comes before the prediction
                own = here.get_by_placeholder("Your own, then Enter")
                own.tap()
                own.fill(OWN[FIRST.name][1])
                own.press("Enter")
                expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(OWN[FIRST.name][1])
                rested(page)
            if isinstance(step.prediction, Choice):
                here.locator('[data-testid="stRadio"] label').last.tap()
            else:
                box = here.get_by_role("textbox", name="end up?")
                box.tap()
                box.fill("0.5")
                box.press("Enter")  # as the keyboard on the screen has it
            expect(here.get_by_role("button", name="Reveal")).to_be_enabled()
            rested(page)
            here.get_by_role("button", name="Reveal").tap()
            expect(here.get_by_text("You predicted")).to_be_visible()
            rested(page)
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= width  # nothing is wider than the screen
            if number < len(FIRST.steps):
                here.get_by_role("button", name="Next →").tap()
    finally:
        context.close()


@pytest.mark.fuzz
def test_the_picture_stays_on_the_first_screen(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/?lesson={FIRST.name}.2&v=2")
    card(page, 2)
    picture = page.locator(".picture[data-drawn]").first
    expect(picture).to_be_attached()  # covered until the answer is revealed
    expect(page.get_by_text("About this page")).to_be_visible()  # the last fold: all above it is there
    rested(page)
    box = picture.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900


@pytest.mark.check
@pytest.mark.parametrize("lesson", some(lessons(), 1), ids=lambda one: one.name)
def test_question_way_to_answer_and_picture_begin_on_the_first_screen_of_a_phone(
    server: Server, visit: Visit, lesson: Lesson
) -> None:
    step = lesson.steps[0]
    page = visit(f"{server.url}/?lesson={lesson.name}.1", width=390, height=844)  # leads to its page
    shown = page.locator(".st-key-lesson")
    expect(shown.get_by_text(step.title, exact=True)).to_be_visible()
    expect(page.get_by_text("About this page")).to_be_visible()  # the last fold: all above it is there
    rested(page)
    # The question before the lesson has the card to itself, until it is answered or skipped.
    check = shown.locator(".check")
    for one in (check.get_by_role("radio").last, skip := shown.get_by_text("Begin without an answer")):
        expect(one).to_be_in_viewport(ratio=1)
    reveal = shown.get_by_role("button", name="Reveal")
    expect(reveal).to_be_hidden()
    check.get_by_role("textbox").fill("Because.")
    skip.click()
    expect(check.get_by_role("radio").last).to_be_hidden()
    way_and_picture_are_there(page, step)
    check.locator("summary").click()
    expect(check.get_by_role("textbox")).to_have_value("Because.")  # nothing that was typed is lost
    check.get_by_role("radio").last.click()
    expect(shown.locator(".answered")).to_be_visible()
    way_and_picture_are_there(page, step)
    page.get_by_role("button", name="Next →").click()
    expect(page.get_by_text(f"step 2 of {len(lesson.steps)}")).to_be_visible()
    rested(page)
    page.evaluate("() => localStorage.removeItem('polysee lesson answers')")  # not answered, but begun
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text(f"step 1 of {len(lesson.steps)}")).to_be_visible()
    expect(check).to_be_visible()
    expect(check.get_by_role("radio").last).to_be_hidden()
    expect(reveal).to_be_visible()


def way_and_picture_are_there(page: Page, step: Step) -> None:
    """The way to the answer and the beginning of a picture are on the first screen."""
    shown = page.locator(".st-key-lesson")
    expect(shown.get_by_role("button", name="Reveal")).to_be_in_viewport(ratio=1)
    covered = page.locator(parts.selector(step.covers)) if step.covers else page.locator("no-part")
    pictures = covered.or_(page.locator(".picture[data-drawn]"))
    expect(pictures.first).to_be_attached()
    boxes = [box for one in pictures.all() if one.is_visible() and (box := one.bounding_box())]
    boxes += [box for one in covered.all() if (box := one.bounding_box())]
    assert min(box["y"] for box in boxes) <= 844 - 100


@pytest.mark.fuzz
def test_next_leads_to_another_page_and_the_menu_keeps_the_lesson(server: Server, visit: Visit) -> None:
    pages = [step.page for step in FIRST.steps]
    assert pages[0] == "compare"
    other = next(i for i, name in enumerate(pages, 1) if name != "compare")
    page = visit(f"{server.url}/?lesson={FIRST.name}.{other - 1}&v=2")
    card(page, other - 1)
    page.get_by_role("button", name="Next →").click()
    card(page, other)
    assert f"/{pages[other - 1]}?" in page.url
    page.get_by_test_id("stSidebar").get_by_role("link", name="Glossary").click()
    expect(page.get_by_role("button", name="Back to this step")).to_be_visible()
    rested(page)
    page.get_by_role("button", name="Back to this step").click()
    card(page, other)
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".st-key-lesson")).to_have_count(0)


def test_a_click_in_the_picture_is_the_prediction(server: Server, visit: Visit) -> None:
    heads = next(one for one in lessons() if one.name == "heads")
    (text,) = (value for key, value in state(heads.steps[0], heads.texts).items() if key == "t")
    page = visit(f"{server.url}/heads?{urlencode({'v': '2', 't': text, 'lesson': 'heads.1'})}")
    here = page.locator(".st-key-lesson")
    expect(here.get_by_text(heads.steps[0].title, exact=True)).to_be_visible()
    expect(page.locator(".picture[data-drawn]").first).to_be_visible()
    rested(page)
    here.get_by_role("button", name="Reveal").click()
    expect(here.get_by_text("Nothing is chosen")).to_be_visible()
    rested(page)
    box = page.locator(".picture .area").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 2.5 * box["width"] / 12, box["y"] + 0.5 * box["height"] / 6)
    until_link(page, lambda link: (link.get("l"), link.get("h")) == ("1", "3"))
    rested(page)
    here.get_by_role("button", name="Reveal").click()
    expect(here.get_by_text("and that is right")).to_be_visible()
