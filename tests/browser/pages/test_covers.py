"""Before a step is revealed, nothing on its page shows the answer: such parts are covered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from core.lessons import Click, Lesson, lessons
from core.lessons.keys import state
from tests.browser.conftest import Server, rested
from tests.tiers import some
from ui.models import lesson_records
from ui.paper import served
from ui.state import MODEL

Visit = Callable[..., Page]
OURS = lessons()
ASKED = [
    pytest.param(lesson, i, id=f"{lesson.name}-{i}")
    for lesson in OURS
    for i, step in enumerate(lesson.steps, 1)
    if not isinstance(step.prediction, Click)  # whose answer is in the picture, to be found there
]
# All text on the page outside the card, in pictures and for screen readers as well.
READ = """() => {
  const read = [];
  // A column of "Try this": a button, and what it shows of texts of its own. That is no answer.
  const isExample = (node) => node.matches?.(".stColumn") && !node.querySelector(".stColumn")
    && node.querySelector('[class*="st-key-try-"] button');
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim() && seen(node.parentElement ?? node.getRootNode().host)) read.push(node.data);
      return;
    }
    if (node.matches?.("style, script, .st-key-lesson") || isExample(node)) return;
    if (node.getAttribute?.("aria-label") && seen(node)) read.push(node.getAttribute("aria-label"));
    if (node.shadowRoot) walk(node.shadowRoot);
    node.childNodes.forEach(walk);
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return read;
}"""

# The folds that a lesson makes around the rest of its page, not those that are always on it.
FOLDS = '[class*="st-key-rest-"] > [data-testid="stExpander"] > details > summary'


def opened(server: Server, visit: Visit, lesson: Lesson, number: int) -> Page:
    step = lesson.steps[number - 1]
    path = "" if step.page == "compare" else step.page
    query = "&".join(f"{key}={value}" for key, value in _state(lesson, number).items())
    page = visit(f"{server.url}/{path}?v=2&{query}&lesson={lesson.name}.{number}", height=2400)
    expect(page.locator(".st-key-lesson")).to_be_visible()
    rested(page)
    for fold in page.locator(FOLDS).all():  # a visitor may open them before predicting
        fold.click()
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)
    return page


def _state(lesson: Lesson, number: int) -> dict[str, str]:
    step = lesson.steps[number - 1]
    found = state(step, lesson.texts)
    if lesson_records.is_text_model(step.model) and step.model != MODEL.default:
        found = {MODEL.url: step.model, **found}  # as the link to a step has it
    return {key: quote(value) for key, value in found.items()}


def decimals_in(text: str) -> Iterator[str]:
    """The numbers in a text with at least two decimals."""
    for found in re.finditer(r"(?<![\d.\w])[−-]?\d*\.\d{2,}(?![\d\w])", text.replace(",", "")):
        yield found[0].replace("−", "-")


def says(written: str, number: float) -> bool:
    """Whether this is the number, in its printed precision."""
    return float(written) == round(number, len(written.partition(".")[2]))


@pytest.mark.check
@pytest.mark.parametrize(("lesson", "number"), some(ASKED, 1))
def test_the_answer_is_not_on_the_page(
    server: Server, visit: Visit, lesson: Lesson, number: int
) -> None:
    step, answer = lesson.steps[number - 1], served.answers(lesson, second=False)[number - 1]
    assert not isinstance(answer, str), answer
    page = opened(server, visit, lesson, number)
    read = page.evaluate(READ)
    written = [one for text in read for one in decimals_in(text)]
    if isinstance(answer.key, float) and answer.key.is_integer():
        # A small number that names something, such as a head, is not an answer.
        whole = rf"(?<![\d.,·⁻−-])(?<!Head )(?<!Layer )(?<!Step ){answer.key:.0f}(?![\d.,·])"
        assert not [text for text in read if re.search(whole, text)]
    elif isinstance(answer.key, float):
        assert not [one for one in written if says(one, answer.key)]
    else:
        told = [float(one) for one in decimals_in(answer.reveal.replace("\\", ""))]
        assert not [one for one in written if any(says(one, other) for other in told)]
        phrase = answer.in_words
        if step.covers and " " in phrase:  # single words stand in the sentences, too
            assert not [text for text in read if phrase.casefold() in text.casefold()]


@pytest.mark.check
@pytest.mark.parametrize("lesson", some(OURS, 1), ids=lambda one: one.name)
def test_what_a_lesson_covers_is_there(server: Server, visit: Visit, lesson: Lesson) -> None:
    """Every name that a lesson covers belongs to a part of one of its pages."""
    names = {name for step in lesson.steps for name in step.covers}
    hidden = "(one) => getComputedStyle(one, '::before').content.includes('Hidden')"
    for number, step in enumerate(lesson.steps, 1):
        if names.isdisjoint(step.covers):
            continue  # it covers nothing that has not been found
        page = opened(server, visit, lesson, number)
        for name in [*names]:
            at = f'[class*="st-key-{name[:-1]}"]' if name.endswith("*") else f".st-key-{name}"
            found = page.locator(at)
            if name in step.covers and found.count():
                assert found.first.evaluate(hidden), name
                names.discard(name)
    assert not names
