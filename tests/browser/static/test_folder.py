"""The folder for any web space on a plain server: typing redraws, links are the app's, offline too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Playwright, Request, expect

from core.lessons import lessons
from tests.browser.static.conftest import BELOW, Plain, predict
from tools.browser import FLAGS, find_browser

pytestmark = pytest.mark.check
WEIGHTS = "model.safetensors"
LINK = "v=2&t=The+cat+sat+on+the+mat+because+it+was+tired.&l=4&h=2&r=head&q=9"


@pytest.fixture
def plain(folder: Path) -> Iterator[Plain]:
    server = Plain(folder)
    yield server
    server.stop()


def _watched(page: Page, address: str) -> list[str]:
    """What the page asks for; no other host is asked, and nothing breaks."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith(("blob:", "data:")):
            assert request.url.startswith(address), request.url
            asked.append(request.url)

    page.context.on("request", note)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return asked


def _drawn(page: Page) -> None:
    page.locator(".picture[data-drawn]").first.wait_for(timeout=120_000)
    expect(page.locator("main:not([aria-busy])")).to_be_visible(timeout=60_000)


def _fetch(page: Page) -> None:
    page.get_by_role("button", name="Fetch the model").click()
    _drawn(page)


def test_every_pack_has_its_answers_and_their_pictures(folder: Path) -> None:
    drawn = set()
    for one in lessons():
        (path,) = (folder / BELOW / "paper").glob(f"*-{one.name}.html")
        page = path.read_text("utf-8")
        assert page.count('class="leaf slide"') == 2 * len(one.steps) + 2, one.name
        assert page.count('class="answer">') == len(one.steps), one.name
        if '<svg class="figure' in page:
            drawn.add(one.number)
    # Tokens are counted, and of the nearest words a list is the picture.
    assert drawn == {one.number for one in lessons()} - {2, 3}


def test_on_a_plain_server_and_then_without_any(folder: Path, chromium: Browser) -> None:
    server = Plain(folder)
    address = server.address()
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    asked = _watched(page, address)
    page.goto(address)
    offer = page.get_by_role("button", name="Fetch the model")
    expect(offer).to_be_visible()
    assert not [url for url in asked if WEIGHTS in url]
    _fetch(page)
    assert [url for url in asked if WEIGHTS in url]
    verdict = page.locator(".verdict .headline")
    expect(verdict).to_contain_text("Two meanings")
    # typing redraws, and the address is the app's
    box = page.get_by_role("textbox", name="Sentence A")
    box.fill("The bank lent him the money.")
    expect(verdict).to_contain_text("One meaning")
    link = parse_qs(urlsplit(page.url).query)
    assert link == {"v": ["2"], "a": ["The bank lent him the money."]}
    # what may be asked next, as far as the tab can answer it
    page.get_by_text("And in all directions at once?").click()
    expect(page.locator(".picture[data-drawn]")).to_have_count(2)
    page.get_by_text("The numbers", exact=True).click()
    expect(page.locator(".numbers")).to_have_count(2)
    expect(page.locator(".numbers").first.locator("tbody tr")).to_have_count(6)
    # from whatever address one has come, links lead where they say
    for name, place in (("Heads", "heads"), ("Lessons", "lessons"), ("Compare", "compare")):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(re.escape(f"{address}{place}/") + r"(\?.*)?$"))
        expect(page.locator("nav [aria-current]")).to_have_text(name)
    _drawn(page)
    # what cannot be compared is said in a sentence, and nothing is lost
    for typed in ("", "🎣", "<b>x</b>", "nothing"):
        box.fill(typed)
        expect(page.locator(".notes p")).to_have_count(1)
        expect(page.locator(".picture[data-drawn]").first).to_be_visible()
        expect(box).to_have_value(typed)
    box.fill(f"{'bank ' * 600}")
    expect(page.locator(".notes")).to_contain_text("longer", timeout=60_000)
    # without a network, and without a server
    server.stop()
    context.set_offline(True)
    page.goto(f"{address}heads?{LINK}")
    _drawn(page)
    assert urlsplit(page.url).query == LINK
    expect(page.get_by_role("textbox", name="Text")).to_have_value(
        "The cat sat on the mat because it was tired."
    )
    fourth = page.get_by_role("radio", name="Layer 4", exact=True)
    expect(fourth).to_have_attribute("aria-checked", "true")
    page.get_by_role("radio", name="All heads", exact=True).click()
    page.get_by_role("link", name="Lessons", exact=True).click()
    page.locator(".lessons a").first.click()
    page.locator(".picture[data-drawn]").first.wait_for(state="attached", timeout=120_000)
    expect(page.locator("[data-part=trajectory]")).to_have_class("covered")
    # the verdict would give the end of the lesson away: it stays out, after the reveal too
    expect(page.locator("[data-part=verdict]")).to_be_hidden()
    page.get_by_role("button", name="Begin without an answer").click()  # the question before it all
    predict(page)
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".reveal")).to_contain_text("You predicted not at all, and that is right.")
    expect(page.locator(".reveal")).to_contain_text("The distance between them is 0, their cosine 1")
    expect(page.locator("[data-part=trajectory]")).not_to_have_class("covered")
    expect(page.locator("[data-part=verdict]")).to_be_hidden()
    page.goto(f"{address}embeddings?v=2&lesson=nearness.2")
    expect(page.locator(".lesson")).to_contain_text("How far apart")
    context.close()


@pytest.mark.fuzz
def test_over_plain_http_the_model_stays_and_the_page_says_so(
    plain: Plain, playwright: Playwright
) -> None:
    flags = [*FLAGS, "--host-resolver-rules=MAP school.test 127.0.0.1"]
    browser = playwright.chromium.launch(executable_path=find_browser(), args=flags)
    page = browser.new_page()
    address = plain.address("school.test")
    asked = _watched(page, address)
    page.goto(f"{address}compare/")
    assert not page.evaluate("isSecureContext")
    _fetch(page)
    # Each of the two models has a line of its own; that of the one that is not chosen is hidden.
    expect(page.locator(".model:visible")).to_contain_text("you need the network")
    asked.clear()
    page.reload()
    _drawn(page)
    assert not [url for url in asked if WEIGHTS in url]
    browser.close()
