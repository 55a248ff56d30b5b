"""A class of thirty over real connections; a room that closes, and a server that dies."""

from __future__ import annotations

import http.client
import json
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PATIENCE, Server, rested

LESSON = "/?v=2&lesson=one-vector.2"
PARTS = ("#question", "#about p", "#intro p", "#answers button")  # what a lesson's words are in
Visit = Callable[..., Page]


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """Open a phone with its own cookies; afterwards, check that nothing failed."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

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


class Pupil:
    """A phone without a browser: its cookie, and a connection for each answer."""

    def __init__(self, server: Server, name: str) -> None:
        self.at = f"/class/0/{name}"
        self.line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.line.request("GET", self.at)
        reply = self.line.getresponse()
        self.size = len(reply.read())
        assert reply.status == 200
        self.cookie = str(reply.getheader("Set-Cookie")).partition(";")[0]
        self.line.close()  # the server would close it soon

    def answer(self, said: float | str, number: int = 1) -> int:
        self.line.request(
            "POST",
            f"{self.at}/vote",
            json.dumps({"round": number, "answer": said}),
            {"Content-Type": "application/json", "Cookie": self.cookie},
        )
        reply = self.line.getresponse()
        reply.read()
        self.line.close()
        return reply.status


def close(page: Page) -> None:
    """Close the room: the page asks once, and offers its file first."""
    page.get_by_role("button", name="Close the room").click()
    offered = page.get_by_test_id("stPopoverBody")
    expect(offered.get_by_role("button", name="Save the CSV first")).to_be_visible()
    offered.get_by_role("button", name="Close it").click()


def opened_room(page: Page) -> str:
    page.get_by_role("button", name="For a class").click()
    page.get_by_role("button", name="Ask the class").click()
    name = page.locator(".polysee-wall .name").inner_text()
    assert re.fullmatch(r"[a-z]{6}", name)
    return name


@pytest.mark.check
def test_a_teacher_who_reloads_keeps_the_room_and_reads_the_reasons(
    server: Server, visit: Visit, phone: Callable[[str], Page]
) -> None:
    page = visit(f"{server.url}{LESSON}")
    name = opened_room(page)
    rested(page)
    pupil = phone(f"{server.url}/class/0/{name}")
    answers, reason = pupil.locator("#answers button"), pupil.locator("#why input")
    answers.nth(0).tap()
    expect(pupil.locator("#answers [aria-pressed=true]")).to_have_count(1)
    reason.fill("it has money")
    wall = page.locator(".polysee-wall")
    expect(wall.locator(".count")).to_have_text("1 answer · 1 reason")
    answers.nth(1).tap()  # a reason for one answer is none for another
    expect(wall.locator(".count")).to_have_text("1 answer")
    expect(reason).to_have_value("")
    reason.fill("the boat <b>drifts</b>")
    expect(wall.locator(".count")).to_have_text("1 answer · 1 reason")
    page.reload()
    expect(wall.locator(".name")).to_have_text(name, timeout=PATIENCE)
    expect(wall.locator(".count")).to_have_text("1 answer · 1 reason")
    rested(page)
    page.get_by_role("button", name="Reveal to all").click()
    expect(pupil.locator("#answers .right")).to_be_visible()
    written = page.get_by_text("What they wrote (1): read it before you show it")
    written.click()
    expect(page.get_by_text("“the boat <b>drifts</b>”")).to_be_visible()
    rested(page)
    close(page)
    expect(wall).to_have_count(0)
    rested(page)
    page.reload()
    rested(page)
    expect(wall).to_have_count(0)
    assert page.evaluate("() => sessionStorage.getItem('polysee room')") is None


@pytest.mark.fuzz
def test_thirty_answer_at_once_and_the_wall_shows_it_within_a_second(
    server: Server, visit: Visit, phone: Callable[[str], Page]
) -> None:
    wall = visit(f"{server.url}{LESSON}")
    name = opened_room(wall)
    rested(wall)
    # On this computer alone there is no code that would lead nowhere, and the page says what to do.
    wall.get_by_text("Phones cannot join yet: how to let them in").click()
    expect(wall.get_by_text("HOST=0.0.0.0").first).to_be_visible()
    with wall.context.expect_page() as opened:
        wall.get_by_role("link", name="Open the wall in another window").click()
    expect(opened.value.locator(".count")).to_have_text("0 answers")
    assert opened.value.url == f"{server.url}/class/0/{name}/wall"  # the key is not on the screen
    opened.value.reload()
    expect(opened.value.locator(".count")).to_have_text("0 answers")
    expect(wall.locator(".polysee-wall svg")).to_have_count(0)
    phones = [phone(f"{server.url}/class/0/{name}") for _ in range(3)]
    for one in phones:
        expect(one.locator("#answers button")).to_have_count(2)
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with ThreadPoolExecutor(27) as at_once:
        pupils = list(at_once.map(lambda _: Pupil(server, name), range(27)))
        assert max(pupil.size for pupil in pupils) < 30_000
        for i, one in enumerate(phones):
            one.locator("#answers button").nth(i % 2).tap()
            expect(one.get_by_text("You have answered.")).to_be_visible()
        start = threading.Barrier(27)

        def vote(i: int) -> int:
            start.wait(30)
            return pupils[i].answer(i % 2)

        assert list(at_once.map(vote, range(27))) == [200] * 27
        arrived = time.perf_counter()
        wall.get_by_text("30 answers", exact=True).first.wait_for()
        took = time.perf_counter() - arrived
        print(f"{took:.3f} s from the last vote to the wall, a page of {pupils[0].size} bytes")
        assert took < 1.0, took
        # Nobody counts twice: another attempt, in another tab as well, takes the place of the first.
        assert Counter(at_once.map(lambda i: pupils[i].answer(i % 2), range(27))) == {200: 27}
    again = phones[0].context.new_page()
    again.goto(phones[0].url)
    expect(again.get_by_text("You have answered.")).to_be_visible()
    pressed = again.locator("#answers [aria-pressed=true]")
    expect(pressed).to_have_text("money")
    again.locator("#answers button").nth(1).tap()  # a slip of the finger, which can be mended
    expect(pressed).to_have_text("river")
    assert (
        wall.locator(".polysee-wall .bars b").count() == 0
    )  # what others answered is seen by nobody yet
    again.locator("#answers button").nth(0).tap()
    expect(pressed).to_have_text("money")
    # What is spoken keeps up with what is shown, and the sentence stands on the phone.
    expect(wall.locator(".polysee-wall [role=status]")).to_have_text("30 answers")
    expect(again.locator("#about p").first).to_contain_text("drifted towards the bank.")
    expect(wall.locator(".polysee-wall .count")).to_have_text("30 answers")
    expect(wall.locator(".polysee-wall .bars")).to_be_empty()
    wall.get_by_role("button", name="Reveal to all").click()
    expect(wall.locator(".polysee-wall .bars b")).to_have_text(["16", "14"])
    widths = wall.locator(".polysee-wall .track i").evaluate_all("all => all.map(i => i.style.width)")
    assert [round(float(one[:-1])) for one in widths] == [53, 47]  # of 30: the track is the class
    expect(wall.locator(".polysee-wall .right span")).to_have_text(re.compile("money"))
    expect(wall.locator(".polysee-wall .count")).to_have_text(re.compile(r"^30 answers, 16 "))
    for i, one in enumerate(phones):
        expect(one.locator("#reveal")).to_contain_text("A word leans")
        said = "The model says otherwise." if i % 2 else "Your prediction holds."
        expect(one.get_by_text(said)).to_be_visible()
        expect(one.locator("#answers .times")).to_have_text(["16", "14"])
        expect(one.locator("#answers button").first).to_be_disabled()
    # The card and the picture have heard it, too.
    expect(wall.locator(".st-key-lesson").get_by_text("A word leans")).to_be_visible()
    expect(wall.locator(".st-key-trajectory .picture").first).to_be_visible()
    expect(wall.locator(".polysee-wall [role=status]")).to_have_text(re.compile(r"^30 answers, 16 "))
    with wall.expect_download() as saved:
        wall.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV").first.click()
    lines = saved.value.path().read_text("utf-8").splitlines()
    cells = [line.split(",") for line in lines[1:]]  # others are empty here
    assert [[row[-7], row[-5], row[-3]] for row in cells] == [
        ["money", "16", "yes"],
        ["river", "14", "no"],
    ]
    # The room goes on with the next question: phones need no new code.
    wall.get_by_role("button", name="Next →").click()
    for one in phones:
        expect(one.get_by_text("Wait for the next question.")).to_be_visible()
        expect(one.locator("#answers button, #reveal p, #about p")).to_have_count(0)
    expect(wall.locator(".polysee-wall .count")).to_have_text("The phones wait for the next question.")
    for step in (4, 5):  # where a number is asked for
        wall.get_by_role("button", name="Next →").click()
        expect(wall.get_by_text(f"step {step} of 6")).to_be_visible()
    wall.get_by_role("button", name="Ask this question").click()
    box = phones[0].get_by_placeholder("a number")
    box.fill("about one")
    box.press("Enter")
    expect(phones[0].get_by_text("Type a number")).to_be_visible()
    box.fill("−0,5")
    phones[0].get_by_role("button", name="Answer").tap()
    expect(phones[0].get_by_text("You answered −0.5.")).to_be_visible()
    expect(wall.locator(".polysee-wall .count")).to_have_text("1 answer")
    box.fill("−1")
    box.press("Enter")
    expect(phones[0].get_by_text("You answered −1.")).to_be_visible()
    expect(wall.locator(".polysee-wall .bars")).to_be_empty()
    wall.get_by_role("button", name="Reveal to all").click()
    expect(wall.locator(".polysee-wall .bars span")).to_have_text(re.compile("−1$"))
    # After closing, everything is deleted, here and on the phones.
    close(wall)
    expect(wall.locator(".polysee-wall")).to_have_count(0)
    for one in phones:
        expect(one.get_by_text("This room is closed.")).to_be_visible()
    assert pupils[0].answer(0, 2) == 404


@pytest.mark.check
def test_a_german_phone_says_what_an_english_question_is_about_where_there_is_room(
    server: Server, visit: Visit, chromium: Browser
) -> None:
    wall = visit(f"{server.url}{LESSON}")
    rested(wall)
    name = opened_room(wall)
    for height, has_room in ((844, True), (330, False)):
        size = {"width": 390, "height": height}
        context = chromium.new_context(viewport=size, has_touch=True, locale="de-DE")  # type: ignore[arg-type]
        one = context.new_page()
        one.set_default_timeout(PATIENCE)
        one.goto(f"{server.url}/class/0/{name}")
        words = one.get_by_text("After the table come six layers.")
        expect(words).to_be_visible(visible=has_room)
        if has_room:
            last = one.locator("#answers button").last.bounding_box()
            assert last is not None
            assert last["y"] + last["height"] <= height
        one.locator("#answers button").first.tap()
        expect(one.get_by_text("Du hast geantwortet.")).to_be_visible()
        expect(words).to_be_hidden()
        one.get_by_text("Worum es geht").tap()
        expect(words).to_be_visible()  # and stays so, whatever comes
        languages = {part: one.locator(part).first.get_attribute("lang") for part in PARTS}
        assert {*languages.values()} == {"en"}
        assert one.locator("html").get_attribute("lang") == "de"
        context.close()
    close(wall)


@pytest.mark.fuzz
def test_a_phone_says_that_its_server_is_gone_and_then_that_the_room_is(
    tmp_path: Path, visit: Visit, phone: Callable[[str], Page]
) -> None:
    own = Server(tmp_path, {"POLYSEE_LOG": "json"}, "tests/browser/serving/serving_app.py")
    own.start()
    try:
        page = visit(own.url)
        page.get_by_text("Room", exact=True).click()
        found = re.search(r"room (/class/0/\w+)", page.get_by_text("room /class").inner_text())
        assert found
        student = phone(f"{own.url}{found[1]}")
        expect(student.locator("#answers button")).to_have_count(2)
        own.stop(signal.SIGKILL)
        expect(student.get_by_text("No connection.")).to_be_visible()
        student.locator("#answers button").first.tap()
        expect(student.get_by_text("Your answer did not arrive.")).to_be_visible()
        own.start()
        expect(student.get_by_text("This room is closed.")).to_be_visible()
        assert found[1] not in own.log
    finally:
        own.stop()
