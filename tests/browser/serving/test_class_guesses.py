"""A class guesses the next word: phones, the wall, and nothing before the reveal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, Server, rested
from tests.browser.serving.test_classroom import Pupil, close

Visit = Callable[..., Page]
TEXT = "The capital of France is"
OTHERS = ("a", "now", "big", "old", "far", "near", "cold", "warm", "red", "blue")


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """Open a phone; afterwards, check that nothing failed on it."""
    errors: list[str] = []
    contexts = []

    def opened(url: str) -> Page:
        context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors


def test_phones_guess_and_the_reveal_shows_both(
    server: Server, visit: Visit, phone: Callable[[str], Page]
) -> None:
    wall = visit(f"{server.url}/next-word?v=2&t={TEXT.replace(' ', '%20')}")
    expect(wall.get_by_text("Try this", exact=True)).to_be_visible()
    wall.get_by_role("button", name="Ask the class").click()
    expect(wall.locator(".polysee-wall .question")).to_be_in_viewport()
    expect(wall.get_by_text("Try this", exact=True)).to_have_count(0)  # it says what comes out
    name = wall.locator(".polysee-wall .name").inner_text()
    rested(wall)
    with wall.context.expect_page() as opened:
        wall.get_by_role("link", name="Open the wall in another window").click()
    window = opened.value
    window.set_viewport_size({"width": 1440, "height": 900})
    answer = wall.locator(".st-key-presented-line").get_by_text("Paris").last
    expect(answer).to_be_hidden()  # the class sees this page
    first, second = (phone(f"{server.url}/class/0/{name}") for _ in range(2))
    for one, word in ((first, "Paris"), (second, "zebra")):
        expect(one.locator("#about")).to_contain_text(TEXT)
        one.locator("#answers input").fill("two words")
        one.get_by_role("button", name="Answer").click()
        expect(one.locator("#state")).to_have_text("Type one word.")
        one.locator("#answers input").fill(word)
        one.get_by_role("button", name="Answer").click()
        expect(one.locator("#answers")).to_contain_text(f"You answered “{word}”")
    expect(wall.locator(".polysee-wall .count")).to_have_text("2 answers")
    for word in OTHERS:
        assert Pupil(server, name).answer(word) == 200
    expect(wall.locator(".polysee-wall .count")).to_have_text("12 answers")
    expect(wall.locator(".polysee-wall .bars")).to_be_empty()
    assert "zebra" not in wall.locator("body").inner_text()
    wall.get_by_role("button", name="Reveal to all").click()
    bars = wall.locator(".polysee-wall .bars")
    expect(bars).to_contain_text("zebra")
    expect(answer).to_be_visible()
    expect(bars).to_contain_text(re.compile(r"Paris.*class 1 \(8\.3\s%\), model \d", re.DOTALL))
    expect(wall.locator(".polysee-wall .key span")).to_have_text(["class", "model"])
    expect(bars).not_to_contain_text("class 0")
    expect(wall.get_by_text("The phones wait until you ask again.")).to_be_visible()
    expect(wall.locator(".polysee-wall .told")).to_contain_text("bits a word")
    expect(window.locator(".told")).to_contain_text("bits a word")
    for size in ((1440, 900), (1280, 720)):  # bars, their last row, and the sentence below it
        window.set_viewport_size({"width": size[0], "height": size[1]})
        tracks = window.locator(".track").evaluate_all("all => all.map(i => i.clientWidth)")
        assert len(tracks) >= 12
        assert min(tracks) > 180, tracks
        height = window.evaluate("document.documentElement.scrollHeight")
        assert height <= size[1], height
    for one in (first, second):
        expect(one.locator("#answers")).to_contain_text(re.compile(r"Paris\s*class 1, model \d"))
        expect(one.locator("#reveal")).to_contain_text("bits a word")
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth")
    close(wall)
