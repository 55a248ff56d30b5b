"""The text box from a visitor's view: when it sends, what it stores, how it grows."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Server, back, for_all, rested, until_link
from tests.tiers import some
from ui.text_box import box as text_box

Visit = Callable[..., Page]
PAUSE = 700  # milliseconds
WORDS = "The bank of the river was steep. "


@pytest.fixture(scope="module")
def typing() -> Iterator[Server]:
    running = for_all("typing", {}, "tests/browser/text_box/typing_app.py")
    yield running
    assert "Traceback" not in running.log


def opened(server: Server, visit: Visit, **link: str) -> Page:
    page = visit(f"{server.url}/?{urlencode({'v': '2', **link})}")
    expect(box(page, "One")).to_have_value(link.get("a", "one cat"))
    rested(page)
    return page


def box(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def told(page: Page, *texts: str) -> None:
    """Wait until the page has received exactly these texts."""
    expect(page.locator(".st-key-heard pre, .st-key-heard [data-testid='stText']").first).to_have_text(
        json.dumps([*texts])
    )


def letters(place: Locator, text: str) -> None:
    """Type after the current text, all letters at once."""
    place.focus()
    place.evaluate("""(area, text) => {
      area.setSelectionRange(area.value.length, area.value.length);
      for (const letter of text) document.execCommand("insertText", false, letter);
    }""", text)  # fmt: skip


def height(place: Locator) -> float:
    found = place.bounding_box()
    assert found is not None
    return found["height"]


def test_enter_tells_what_is_typed_and_breaks_no_line(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    for i, key in enumerate(("Enter", "Shift+Enter", "Control+Enter")):
        box(page, "One").fill(f"{i} cats")
        box(page, "One").press(key)
        told(page, *(f"one: {j} cats" for j in range(i + 1)))
        expect(box(page, "One")).to_have_value(f"{i} cats")
    box(page, "One").press("Enter")  # nothing new
    page.wait_for_timeout(PAUSE + 300)
    told(page, *(f"one: {j} cats" for j in range(3)))
    until_link(page, lambda link: link.get("a") == "2 cats")


def test_a_pause_tells_once_what_is_typed_by_then(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    letters(box(page, "One"), " and a dog")
    page.wait_for_timeout(PAUSE // 3)
    told(page)
    told(page, "one: one cat and a dog")
    page.wait_for_timeout(PAUSE + 300)
    told(page, "one: one cat and a dog")
    expect(box(page, "One")).to_be_focused()


@pytest.mark.fuzz
def test_a_run_that_takes_long_is_not_begun_again_and_again(typing: Server, visit: Visit) -> None:
    """A text is sent again only if no server received it: a busy server would restart the run."""
    page = opened(typing, visit, sl="40")
    box(page, "Late").fill("in the end")
    box(page, "Late").press("Enter")
    told(page, "late: in the end")
    rested(page)
    until_link(page, lambda link: link.get("la") == "in the end")


def test_a_screen_reader_hears_its_name_its_keys_and_its_limit(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    for name, key in (("One", "as you type"), ("Story", "Shift+Enter"), ("Lines", "Ctrl+Enter")):
        expect(box(page, name)).to_have_accessible_name(name)
        expect(box(page, name)).to_have_accessible_description(re.compile(re.escape(key)))
    short = page.get_by_role("status").filter(has_text="12")
    expect(short).to_have_count(0)
    box(page, "Short").fill("a pause is o")
    expect(short).to_be_visible()
    box(page, "Short").fill("a pause")
    expect(short).to_have_count(0)


def test_leaving_the_box_tells(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    letters(box(page, "Short"), "a pause")
    page.wait_for_timeout(PAUSE + 300)
    told(page)  # this box does not follow
    page.keyboard.press("Tab")
    told(page, "short: a pause")
    letters(box(page, "Short"), " is over, long ago")
    expect(box(page, "Short")).to_have_value("a pause is o")  # as many letters as it takes


@pytest.mark.fuzz
def test_a_paragraph_takes_breaks_and_a_list_is_told_when_all_is_typed(
    typing: Server, visit: Visit
) -> None:
    page = opened(typing, visit)
    story, lines = box(page, "Story"), box(page, "Lines")
    letters(story, "One.")
    story.press("Shift+Enter")
    letters(story, "Two.")
    story.press("Enter")
    told(page, "story: One.\nTwo.")
    lines.press("ControlOrMeta+End")
    lines.press("Enter")
    letters(lines, "two")
    page.wait_for_timeout(PAUSE + 300)
    told(page, "story: One.\nTwo.")
    lines.press("Control+Enter")
    told(page, "story: One.\nTwo.", "lines: one\ntwo")


def test_what_is_composed_is_told_when_it_is_complete(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit, a="河")
    box(page, "One").press("End")
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "ぎん", "selectionStart": 2, "selectionEnd": 2})
    page.wait_for_timeout(PAUSE + 300)
    told(page)
    expect(box(page, "One")).to_have_value("河ぎん")
    keyboard.send("Input.insertText", {"text": "銀行"})
    told(page, "one: 河銀行")


def test_it_grows_with_a_paragraph_and_shrinks_again(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    one = box(page, "One")
    low = height(one)
    assert height(one) == height(box(page, "Story"))
    line = float(one.evaluate("area => parseFloat(getComputedStyle(area).lineHeight)"))
    for times, lines in ((6, 4), (30, 8)):
        one.fill(WORDS * times)
        grown = height(one)
        seen, all_of_it = one.evaluate("area => [area.clientHeight, area.scrollHeight]")
        assert (all_of_it > seen + 2) is (lines == 8)
        assert grown == pytest.approx(low + (lines - 1) * line, abs=line if lines < 8 else 1)
    page.set_viewport_size({"width": 390, "height": 844})
    one.fill(WORDS)
    assert height(one) == pytest.approx(low, abs=1)
    one.fill(WORDS * 2)
    assert height(one) == pytest.approx(low + line, abs=1)


@pytest.mark.fuzz
@pytest.mark.parametrize("scheme", some(["dark", "light"], 1))
def test_it_looks_like_the_box_beside_it(typing: Server, visit: Visit, scheme: str) -> None:
    page = visit(f"{typing.url}/?b=as+Streamlit+draws+one&v=2", scheme=scheme)
    expect(box(page, "Beside it")).to_be_visible()
    rested(page)
    ours, theirs = box(page, "Other"), box(page, "Beside it")
    letter = ("color", "fontSize", "fontFamily", "fontWeight", "lineHeight", "paddingLeft")
    frame = ("backgroundColor", "borderTopColor", "borderTopWidth", "borderRadius", "height")
    read = "(node, names) => names.map((name) => getComputedStyle(node)[name])"
    for focus in (False, True):
        looks = []
        for place in (ours, theirs):
            if focus:
                place.focus()
                page.wait_for_timeout(400)  # its border fades in
            looks.append(
                [place.evaluate(read, [*letter]), place.locator("..").evaluate(read, [*frame])]
            )
        assert looks[0] == looks[1]
    tops = [
        page.get_by_text(name, exact=True).evaluate("n => n.getBoundingClientRect().top")
        - place.locator("..").evaluate("n => n.getBoundingClientRect().top")
        for name, place in (("Other", ours), ("Beside it", theirs))
    ]
    assert tops[0] == pytest.approx(tops[1], abs=1)


@pytest.mark.fuzz
def test_an_example_and_back_put_their_text_into_it(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    box(page, "One").fill("a mouse")
    box(page, "One").press("Enter")
    until_link(page, lambda link: link.get("a") == "a mouse")
    rested(page)
    page.get_by_role("button", name="Example").click()
    expect(box(page, "One")).to_have_value("two dogs")
    expect(box(page, "Other")).to_have_value("three dogs")
    until_link(page, lambda link: link.get("a") == "two dogs")
    back(page)
    expect(box(page, "One")).to_have_value("a mouse")
    expect(box(page, "Other")).to_have_value("")
    rested(page)
    letters(box(page, "One"), " again")
    told(page, "one: a mouse", "one: a mouse again")


def test_what_is_being_typed_stays_when_an_answer_comes(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit, sl="5")
    one = box(page, "One")
    one.fill("a cat sat")
    one.press("Enter")
    one.press("Home")
    for _ in range(4):
        one.press("ArrowRight")
    one.evaluate('() => document.execCommand("insertText", false, "x")')
    expect(one).to_have_value("a caxt sat")
    told(page, "one: a cat sat", "one: a caxt sat")
    expect(one).to_have_value("a caxt sat")
    rested(page)
    assert one.evaluate("area => [area.selectionStart, area.selectionEnd]") == [5, 5]
    assert page.evaluate("document.activeElement.value") == "a caxt sat"


def test_what_the_server_sent_before_it_heard_is_not_shown(visit: Visit) -> None:
    """The box alone, with a simulated server: with a real one, it would be a matter of milliseconds."""
    page = visit("about:blank")
    page.set_content(text_box._HTML)
    script = (Path(text_box.__file__).parent / "box.js").read_text("utf-8")
    page.add_script_tag(content=script.replace("export default", "window.draw ="), type="module")
    data = {"visit": "first", "lost": 0, "label": "One", "named": True, "kind": "sentence"}
    data |= {"pause": PAUSE, "placeholder": "", "most": None, "height": None}
    data |= {"hints": text_box._hints("sentence", None)}

    def sends(text: str, heard: int) -> None:
        page.evaluate(
            """(data) => draw({ data, parentElement: document.body,
              setStateValue: (name, told) => { window.told = told; } })""",
            {**data, "text": text, "heard": heard},
        )

    page.wait_for_function("() => Boolean(window.draw)")
    sends("one cat", 0)
    one = box(page, "One")
    one.fill("two dogs")
    sends("three mice", 0)
    expect(one).to_have_value("two dogs")  # it is being typed
    one.press("Enter")
    first = page.evaluate("told")
    assert first["text"] == "two dogs"
    sends("one cat", 0)
    expect(one).to_have_value("two dogs")  # it is told, and not heard
    one.fill("two dogs bark")
    one.press("Enter")
    second = page.evaluate("told")
    assert (second["text"], second["n"] > first["n"]) == ("two dogs bark", True)
    sends("two dogs", first["n"])
    expect(one).to_have_value("two dogs bark")
    sends("two dogs bark", second["n"])
    sends("three mice", second["n"])
    expect(one).to_have_value("three mice")


def test_what_was_told_can_be_taken_back(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    one = box(page, "One")
    letters(one, "s")
    told(page, "one: one cats")
    rested(page)
    one.press("Control+z")
    expect(one).to_have_value("one cat")
    told(page, "one: one cats", "one: one cat")


@pytest.mark.fuzz
def test_two_boxes_typed_quickly_are_both_heard(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit, sl="3")
    for i in range(3):
        letters(box(page, "One"), f" {i}")
        letters(box(page, "Other"), f" {i}")
    box(page, "Other").press("Enter")
    has = page.locator(".st-key-has")
    expect(has).to_contain_text('"one cat 0 1 2", " 0 1 2"')
    until_link(page, lambda link: (link.get("a"), link.get("b")) == ("one cat 0 1 2", " 0 1 2"))
    expect(box(page, "One")).to_have_value("one cat 0 1 2")


def test_an_example_pressed_right_after_typing_wins(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit, sl="9")
    for _ in range(2):
        letters(box(page, "One"), " and more")
        page.get_by_role("button", name="Example").click()
        expect(box(page, "One")).to_have_value("two dogs")
        expect(page.locator(".st-key-has")).to_contain_text('["two dogs", "three dogs"')
        until_link(page, lambda link: link.get("a") == "two dogs")


@pytest.mark.fuzz
def test_what_is_typed_after_an_example_was_pressed_stays(typing: Server, visit: Visit) -> None:
    """Even if a busy server receives both at once."""
    page = opened(typing, visit, sl="9")
    one = box(page, "One")
    for i in range(3):
        box(page, "Other").fill(f"busy {i}")
        box(page, "Other").press("Enter")
        one.evaluate("""(area, text) => {
          [...document.querySelectorAll("button")].find((one) => one.innerText === "Example").click();
          area.focus();
          document.execCommand("insertText", false, text);
          area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
        }""", f" {i}")  # fmt: skip
        typed = "one cat" + "".join(f" {j}" for j in range(i + 1))
        expect(page.locator(".st-key-has")).to_contain_text(f'["{typed}", "three dogs"')
        until_link(page, lambda link: link.get("a") == typed)  # noqa: B023
        expect(one).to_have_value(typed)


@pytest.mark.fuzz
def test_back_counts_though_something_was_typed_that_nobody_heard(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    box(page, "One").fill("a mouse")
    box(page, "One").press("Enter")
    until_link(page, lambda link: link.get("a") == "a mouse")
    rested(page)
    letters(box(page, "One"), " and more")
    page.go_back()
    expect(box(page, "One")).to_have_value("one cat")
    page.wait_for_timeout(PAUSE + 300)
    told(page, "one: a mouse")
    expect(box(page, "One")).to_have_value("one cat")


@pytest.mark.fuzz
def test_what_was_replaced_is_not_said_again_with_what_is_done_later(
    typing: Server, visit: Visit
) -> None:
    page = opened(typing, visit)
    box(page, "One").fill("a mouse")
    box(page, "One").press("Enter")
    told(page, "one: a mouse")
    page.get_by_role("button", name="Example").click()
    expect(box(page, "One")).to_have_value("two dogs")
    box(page, "Beside it").fill("something else")
    box(page, "Beside it").press("Enter")
    page.wait_for_timeout(4000)  # longer than what nobody has heard waits
    told(page, "one: a mouse")
    expect(box(page, "One")).to_have_value("two dogs")
    expect(page.locator(".st-key-has")).to_contain_text('["two dogs", "three dogs"')


def test_six_hundred_words_are_pasted_as_one_line(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pasted = "\r\n".join([WORDS.strip() * 10] * 9)[:3500]
    one, story = box(page, "One"), box(page, "Story")
    for place, text in ((story, pasted.replace("\r\n", "\n")), (one, pasted.replace("\r\n", " "))):
        place.focus()
        page.evaluate("text => navigator.clipboard.writeText(text)", pasted)
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.press("ControlOrMeta+v")
        expect(place).to_have_value(text)
        place.press("Enter")
    line = pasted.replace("\r\n", " ")
    told(page, "story: " + pasted.replace("\r\n", "\n"), f"one: {line}")
    one.press("ControlOrMeta+z")
    expect(one).to_have_value("one cat")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("text", "direction"),
    some(
        [
            ("على ضفة النهر", "rtl"),
            ("👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🐈", "ltr"),
            ("<b>bank</b> <img src=x onerror=alert(1)> </textarea>", "ltr"),
        ],
        2,
    ),
)
def test_any_text_stands_in_it_as_it_is(
    typing: Server, visit: Visit, text: str, direction: str
) -> None:
    page = opened(typing, visit)
    box(page, "One").fill(text)
    box(page, "One").press("Enter")
    told(page, f"one: {text}")
    expect(box(page, "One")).to_have_value(text)
    assert box(page, "One").evaluate("area => getComputedStyle(area).direction") == direction
    assert page.locator("b, img[src=x]").count() == 0
    until_link(page, lambda link: link.get("a") == text)
    page.reload()
    expect(box(page, "One")).to_have_value(text)


def test_what_usually_stands_there_comes_back_into_an_emptied_box(typing: Server, visit: Visit) -> None:
    page = opened(typing, visit)
    usual = box(page, "Usual")
    expect(usual).to_have_value("river")
    usual.fill("")
    page.wait_for_timeout(PAUSE + 300)
    expect(usual).to_have_value("")  # one may type something else
    usual.press("Enter")
    expect(usual).to_have_value("river")


def test_what_a_killed_server_did_not_hear_reaches_the_next_one(
    visit: Visit, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = Server(tmp_path_factory.mktemp("killed"), script="tests/browser/text_box/typing_app.py")
    own.start()
    try:
        page = opened(own, visit)
        box(page, "One").fill("heard")
        box(page, "One").press("Enter")
        told(page, "one: heard")
        page.get_by_role("button", name="Example").click()
        expect(box(page, "One")).to_have_value("two dogs")
        until_link(page, lambda link: link.get("a") == "two dogs")
        own.stop(signal.SIGKILL)
        expect(page.locator('[data-test-connection-state="CONNECTED"]')).to_have_count(0)
        box(page, "Other").fill("told to nobody")
        box(page, "Other").press("Enter")
        letters(box(page, "Story"), "not even told")
        letters(box(page, "Short"), "and this")
        page.wait_for_timeout(PAUSE + 300)
        own.start()
        has = page.locator(".st-key-has")
        # What the server before had heard is in the link by now, or was replaced since.
        expect(has).to_have_text(
            '["two dogs", "told to nobody", "and this", "not even told", "one", ""]'
        )
        until_link(page, lambda link: (link.get("s"), link.get("a")) == ("and this", "two dogs"))
        box(page, "One").fill("a cat for the new one")
        box(page, "One").press("Enter")
        expect(has).to_contain_text('["a cat for the new one", "told to nobody"')
        page.get_by_role("button", name="Example").click()
        expect(box(page, "One")).to_have_value("two dogs")
    finally:
        own.stop(signal.SIGKILL)


@pytest.fixture
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A separate server, which a test may kill and restart."""
    own = Server(tmp_path_factory.mktemp("killed"), script="tests/browser/text_box/typing_app.py")
    own.start()
    yield own
    own.stop(signal.SIGKILL)


def kill(server: Server, page: Page) -> None:
    server.stop(signal.SIGKILL)
    expect(page.locator('[data-test-connection-state="CONNECTED"]')).to_have_count(0)


def go_on(server: Server, page: Page) -> None:
    """Restart the server, and let the visitor do something else."""
    server.start()
    expect(page.locator('[data-test-connection-state="CONNECTED"]')).to_have_count(1)
    box(page, "Beside it").fill("something else")
    box(page, "Beside it").press("Enter")


@pytest.mark.fuzz
def test_what_an_example_has_replaced_does_not_come_back_with_a_new_server(
    killed: Server, visit: Visit
) -> None:
    """Its run had not ended: the link and the browser's storage still have the typed text."""
    page = opened(killed, visit, sl="40")
    box(page, "One").fill("a mouse")
    box(page, "One").press("Enter")
    until_link(page, lambda link: link.get("a") == "a mouse")
    rested(page)
    page.get_by_role("button", name="Example").click()
    expect(box(page, "Other")).to_have_value("three dogs")
    kill(killed, page)
    assert "a=a+mouse" in page.url
    go_on(killed, page)
    expect(page.locator(".st-key-heard")).to_contain_text('"one: two dogs"')
    expect(page.locator(".st-key-heard")).not_to_contain_text("a mouse")  # the browser's own store
    until_link(page, lambda link: (link.get("a"), link.get("b")) == ("two dogs", "three dogs"))
    expect(page.locator(".st-key-has")).to_contain_text('["two dogs", "three dogs"')
    expect(box(page, "One")).to_have_value("two dogs")


@pytest.mark.fuzz
def test_back_counts_where_it_was_pressed_while_no_server_was_there(
    killed: Server, visit: Visit
) -> None:
    page = opened(killed, visit)
    box(page, "One").fill("a mouse")
    box(page, "One").press("Enter")
    until_link(page, lambda link: link.get("a") == "a mouse")
    rested(page)
    page.get_by_role("button", name="Example").click()
    until_link(page, lambda link: link.get("a") == "two dogs")
    rested(page)
    kill(killed, page)
    letters(box(page, "Other"), " told to nobody")
    page.go_back()
    go_on(killed, page)
    expect(page.locator(".st-key-has")).to_contain_text('["a mouse", ""')
    expect(box(page, "One")).to_have_value("a mouse")
    expect(box(page, "Other")).to_have_value("")


@pytest.mark.fuzz
def test_what_was_heard_outlives_a_server_that_had_not_put_it_into_the_link(
    killed: Server, visit: Visit
) -> None:
    page = opened(killed, visit, sl="40")
    box(page, "One").fill("a mouse")
    box(page, "One").press("Enter")
    expect(page.locator(".st-key-has")).to_contain_text('["one cat"')
    box(page, "Short").fill("and this")
    box(page, "Short").press("Enter")
    kill(killed, page)
    assert "a=" not in page.url
    go_on(killed, page)
    until_link(page, lambda link: (link.get("a"), link.get("s")) == ("a mouse", "and this"))
    expect(box(page, "One")).to_have_value("a mouse")
