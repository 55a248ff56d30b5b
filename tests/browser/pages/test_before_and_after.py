"""The question before and after a lesson: alone in a browser, and in a class on wall and phones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from core.lessons import lessons
from tests.browser.conftest import PATIENCE, Server, rested
from tests.browser.serving.test_classroom import close

Visit = Callable[..., Page]
FIRST = lessons()[0]
LAST = len(FIRST.steps)
WHY = "It looks <b>it</b> up."


@pytest.mark.fuzz
@pytest.mark.check
def test_alone_one_sees_what_one_chose_and_wrote_before(server: Server, visit: Visit) -> None:
    assert FIRST.check is not None
    page = visit(f"{server.url}/?lesson={FIRST.name}.1&v=2", width=1440)
    box = page.locator(".st-key-lesson .check")
    box.get_by_role("textbox").press_sequentially(WHY)  # typing goes on while each letter is kept
    box.get_by_role("radio").nth(2).click()
    line = page.locator(".polysee-progress .answered")
    expect(line).to_contain_text(FIRST.check.answers[2])
    expect(page.locator(".polysee-progress .reason input").first).to_have_value(WHY)

    page.goto(f"{server.url}/?lesson={FIRST.name}.{LAST}&v=2")
    rested(page)
    own = page.get_by_placeholder("Your own, then Enter")
    own.fill("The bank has an old vault.")
    own.press("Enter")
    rested(page)
    page.locator('.st-key-lesson [data-testid="stRadio"] label').last.click()
    page.get_by_role("button", name="Reveal", exact=True).click()
    after = page.locator(".st-key-lesson .check")
    after.get_by_role("radio").nth(FIRST.check.right).click()
    after.get_by_role("button", name="Compare").click()  # the reason is written before the verdict
    expect(after).to_contain_text(f"Before: “{FIRST.check.answers[2]}”, not right.")
    expect(after).to_contain_text("The model looks words up in a dictionary.")
    expect(after).to_contain_text(f"Before, you wrote: “{WHY}”")


@pytest.mark.fuzz
@pytest.mark.check
def test_a_class_answers_twice_and_a_teacher_hides_a_text(
    server: Server, visit: Visit, chromium: Browser
) -> None:
    wall = visit(f"{server.url}/?lesson={FIRST.name}.1&v=2", width=1440)
    wall.get_by_role("button", name="For a class").click()
    wall.get_by_role("button", name="Ask before the lesson").click()
    name = wall.locator(".polysee-wall .name").inner_text()
    rested(wall)
    phone = chromium.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.set_default_timeout(PATIENCE)
    phone.goto(f"{server.url}/class/0/{name}")
    phone.locator("#why input").fill("It")
    held: list[Route] = []
    phone.route("**/vote", lambda route: route.continue_() if held else held.append(route))
    with phone.expect_request("**/vote"):
        phone.locator("#answers button").first.click()
    phone.locator("#why input").fill(WHY)  # while the answer is on its way: the reason follows it
    phone.locator("#why input").press("Enter")
    with phone.expect_request("**/vote") as later:
        held[0].continue_()
    assert (later.value.post_data_json or {}).get("why") == WHY
    expect(phone.locator("#saved")).to_have_text("✓ saved")
    with phone.expect_request("**/vote") as paused:  # neither Enter, nor another field
        phone.locator("#why input").fill(f"{WHY}!")
    assert (paused.value.post_data_json or {}).get("why") == f"{WHY}!"
    expect(phone.locator("#saved")).to_have_text("✓ saved")
    with phone.expect_request("**/vote"):
        phone.locator("#why input").fill(WHY)
    expect(phone.locator("#state")).to_contain_text("You have answered")
    for number in range(2, LAST + 1):
        wall.get_by_role("button", name="Next →").click()
        expect(wall.get_by_text(f"step {number} of {LAST}")).to_be_visible()
        rested(wall)
    wall.get_by_role("button", name="Ask again after it").click()
    phone.locator("#answers button").nth(1).click()
    expect(wall.locator(".polysee-wall .count")).to_have_text("1 answer")
    wall.get_by_role("button", name="Reveal to all").last.click()
    table = wall.locator(".polysee-evidence")
    expect(table).to_contain_text("Before (1)")
    bars = table.locator("i").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width > 20)"
    )
    assert bars == [True, False, False, True, False, False]
    expect(wall.get_by_text("Of one who answered twice")).to_be_visible()
    expect(wall.get_by_text("The model stores each meaning of a word separately.")).to_be_visible()
    written = wall.get_by_text(f"“{WHY}”")
    expect(written).to_be_hidden()  # folded
    wall.locator("summary", has_text="What they wrote (1)").click()
    expect(written).to_be_visible()
    wall.get_by_role("button", name="Hide", exact=True).click()
    expect(written).to_have_count(0)
    expect(phone.locator("#reveal")).to_contain_text("Before the lesson you answered")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    close(wall)
    phone.context.close()
