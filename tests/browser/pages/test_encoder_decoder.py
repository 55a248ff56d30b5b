"""The encoder–decoder in a real browser: word by word, a forced word, its attention, the mask."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, back, rested, until_link
from tests.browser.reading import labels
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


def asked(page: Page) -> dict[str, str]:
    return {key: found[0] for key, found in parse_qs(urlparse(page.url).query).items()}


def bars(page: Page) -> Locator:
    return drawn(page, "bar chart")


def drawn(page: Page, kind: str) -> Locator:
    """The picture of this kind, once it is painted."""
    area = page.locator(f'[aria-roledescription="{kind}"]')
    frame = page.locator(".picture[data-drawn]").filter(has=area)
    expect(frame).to_be_visible()
    return frame


def word(page: Page, name: str) -> Locator:
    return page.get_by_role("radio", name=name, exact=True)


@pytest.mark.fuzz
def test_word_by_word(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/encoder-decoder")
    expect(word(page, "étudiant")).to_be_checked()
    expect(bars(page)).to_be_in_viewport(ratio=1)
    lines = page.locator(".picture[data-level=lines]")
    expect(lines).to_be_in_viewport(ratio=1)
    assert "▸ étudiant (after suis)" in [label.text for label in labels(lines)]
    page.keyboard.press("n")
    page.wait_for_url(re.compile("st=4"))
    expect(word(page, "[END]")).to_be_checked()
    page.keyboard.press("b")
    expect(word(page, "étudiant")).to_be_checked()
    page.keyboard.press("b")
    expect(word(page, "suis")).to_be_checked()
    page.get_by_role("button", name="Next word →").click()
    expect(word(page, "étudiant")).to_be_checked()
    text = page.get_by_role("textbox", name="English")
    text.fill("the cat sees the cat")
    text.press("Enter")
    chats = page.get_by_role("radio", name=re.compile("^chat"))  # one word, twice
    for which, step in ((1, "5"), (0, "2")):
        chats.nth(which).click()
        expect(chats.nth(which)).to_be_checked()
        expect(chats.nth(1 - which)).not_to_be_checked()
        page.wait_for_url(re.compile(f"st={step}"))


@pytest.mark.fuzz
def test_another_word(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/encoder-decoder")
    text = page.get_by_role("textbox", name="English")
    text.fill("she does not have a new banana")  # an n in a text is no step
    text.press("Enter")
    expect(page.get_by_text("does not know “new”, “banana”")).to_be_visible()
    page.get_by_role("button", name="leave it out").first.click()
    page.wait_for_url(re.compile("a\\+banana"))
    assert set(asked(page)) == {"v", "t", "st"}  # what has no control for the moment is as it was
    expect(text).to_have_value("she does not have a banana")  # else it comes over what is typed
    text.fill("she does not have a red car")
    text.press("Enter")
    expect(word(page, "elle")).to_be_checked()
    expect(page.get_by_role("radio", name="Across")).to_be_checked()  # nor do they come back changed
    expect(page.get_by_role("slider", name="Temperature")).to_have_value("1")
    word(page, "n'").click()
    page.wait_for_url(re.compile("st=2"))
    area = bars(page).get_by_role("application")
    expect(area).to_have_accessible_name(re.compile("after “.START. elle”"))
    second = labels(bars(page), "label")[1].text
    area.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(word(page, f"✎ {second}")).to_be_checked()
    until_link(page, lambda link: link.get("fw") == f"2.{second}")
    page.reload()
    expect(word(page, f"✎ {second}")).to_be_checked()
    page.get_by_role("button", name="Undo").click()
    expect(word(page, "n'")).to_be_checked()
    page.wait_for_url(lambda url: "fw=" not in url)


@pytest.mark.fuzz
def test_a_row_across_is_a_step_and_can_be_saved(server: Server, visit: Visit, tmp_path: Path) -> None:
    query = "?t=the black cat does not eat the small apple&st=2&r=head"
    page = visit(f"{server.url}/encoder-decoder{query}")
    expect(word(page, "chat")).to_be_checked()
    frame = page.locator(".picture[data-level=head]")
    expect(frame).to_be_visible()
    rested(page)
    canvas = frame.locator("canvas").bounding_box()
    assert canvas is not None
    place = canvas["x"] + 1.5 / 9 * canvas["width"], canvas["y"] + 2.5 / 10 * canvas["height"]
    page.mouse.move(*place)
    tip = frame.locator(".tip")
    expect(tip).to_have_text(re.compile(r"noir \(after chat\) → black: weight \.9\d+|weight 1"))
    page.mouse.click(*place)
    expect(word(page, "noir")).to_be_checked()
    page.wait_for_url(lambda url: "st=" not in url)  # as the page opens
    rested(page)
    saving = save_picture(frame, "CSV")
    rows = list(csv.reader(Path(saving.path()).read_text("utf-8").splitlines()))
    assert rows[3][0] == "noir (after chat)"
    assert float(rows[3][2]) > 0.9
    picture = save_picture(frame, "PNG")
    assert Path(picture.path()).read_bytes().startswith(b"\x89PNG")
    back(page)
    expect(word(page, "chat")).to_be_checked()


@pytest.mark.fuzz
def test_the_mask_hides_what_comes_later(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/encoder-decoder?st=1")
    page.get_by_role("radio", name="Decoder, masked").click()
    frame = drawn(page, "matrices")
    hidden = frame.locator('svg path[data-part="hidden"]')
    expect(hidden).to_have_count(12)  # six of each matrix
    texts = [label.text for label in labels(frame, "number")]
    assert texts.count("−∞") == 6
    mask = page.get_by_role("switch", name="Mask")
    expect(mask).to_be_checked()
    page.get_by_text("Mask", exact=True).click()
    expect(mask).not_to_be_checked()
    expect(hidden).to_have_count(0)
    page.wait_for_url(re.compile("c=0"))
    page.keyboard.press("n")  # the switch has the focus still, and takes no letters
    expect(word(page, "suis")).to_be_checked()
    page.wait_for_url(re.compile("st=2"))
    page.get_by_role("radio", name="Encoder: English → English").click()
    expect(page.locator(".picture[data-level=lines]")).to_be_visible()
    page.get_by_role("radio", name="Layer 2").click()
    page.wait_for_url(re.compile("l=2"))
    assert asked(page)["e"] == "encoder"


@pytest.mark.fuzz
def test_places_changed_faster_than_the_page_answers_leave_view_picture_and_link_agreed(
    server: Server, visit: Visit
) -> None:
    """A run's message to the browser may cross with an action of the visitor."""
    for _ in range(3):
        page = visit(f"{server.url}/encoder-decoder")
        expect(word(page, "étudiant")).to_be_checked()
        drawn(page, "bar chart")
        rested(page)
        page.evaluate("""async () => {
            const press = (name) => [...document.querySelectorAll('[role="radio"]')]
                .find((radio) => radio.textContent.startsWith(name)).click();
            press("Decoder, masked");
            await new Promise((later) => setTimeout(later, 30));
            press("Across");
        }""")
        expect(page.get_by_role("radio", name="Across")).to_be_checked()
        page.wait_for_timeout(2500)
        expect(page.get_by_role("radio", name="Which token attends to which")).to_be_checked()
        assert "e=" not in page.url


@pytest.mark.fuzz
def test_the_other_direction_and_back(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/encoder-decoder")
    expect(word(page, "étudiant")).to_be_checked()
    word(page, "French → English").click()
    expect(page.get_by_role("textbox", name="French")).to_have_value("je suis étudiant")
    expect(word(page, "i")).to_be_checked()
    rested(page)
    lines = page.locator(".picture[data-level=lines]")
    shown = [label.text for label in labels(lines)]
    assert {"student (after a)", "étudiant"} <= set(shown)
    until_link(page, lambda link: link.get("d") == "to-english" and link.get("t") == "je suis étudiant")
    text = page.get_by_role("textbox", name="French")
    text.fill("elle n’a pas de voiture rouge")
    text.press("Enter")
    expect(word(page, "does")).to_be_visible()
    back(page)
    expect(text).to_have_value("je suis étudiant")
    word(page, "English → French").click()
    expect(page.get_by_role("textbox", name="English")).to_have_value("I am a student")
    expect(word(page, "étudiant")).to_be_visible()
