"""The animated picture and the folds of Compare: a real server, a real browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.examples.first_texts import OPENING
from tests.browser.conftest import Server, rested, until_link
from tests.browser.pages.compare.test_compare import answered, link, picture, saved, type_into, verdict
from tests.browser.reading import labels, shapes
from tests.tiers import crossed, some

pytestmark = pytest.mark.motion
Visit = Callable[..., Page]


def _has(key: str, value: str | None, link: Mapping[str, str]) -> bool:
    return link.get(key) == value


# Records each start of an animation, from the first script of the page onwards.
_STARTS = """() => { globalThis.starts = 0; const own = Element.prototype.toggleAttribute;
Element.prototype.toggleAttribute = function (name, on) {
  if (name === "data-moving" && on && !this.hasAttribute(name)) globalThis.starts += 1;
  return own.call(this, name, on);
}; }"""

# What the picture shows, frame by frame, where it differs from the frame before: which element it is,
# how many words are underlined, how many dots stand in the path, and what is said below sentence A.
_FRAMES = """() => { globalThis.shown = []; const known = [];
const look = () => {
  requestAnimationFrame(look);
  for (const host of document.querySelectorAll(".st-key-trajectory *")) {
    const frame = host.shadowRoot?.querySelector(".picture[data-drawn]");
    if (!frame) continue;
    if (!known.includes(frame)) known.push(frame);
    const now = {
      which: known.indexOf(frame),
      lines: [...frame.querySelectorAll(".word")].filter((w) => w.style.backgroundSize
        && w.style.backgroundImage !== "none").length,
      dots: frame.querySelectorAll("svg [data-part=mark]").length,
      sum: frame.querySelector(".sum").textContent,
    };
    if (JSON.stringify(now) !== JSON.stringify(globalThis.shown.at(-1))) globalThis.shown.push(now);
  }
};
look(); }"""

# A fold in the link, the heading around it with its own key, and a picture in it.
QUESTIONS = (
    ("Why: which words moved it", "fw", "", "", "why-adds"),
    ("How sure is this?", "fs", "Why: which words moved it", "fw", ""),
    ("What if …?", "fi", "Why: which words moved it", "fw", "why-changed"),
    ("Which token attends to which?", "fa", "More about these sentences", "fm", "head-A"),
    ("And in all directions at once?", "fd", "More about these sentences", "fm", "cosine"),
    ("Are the numbers right?", "fn", "For your own use", "fu", "vectors"),
)


def opened(visit: Visit, url: str, script: str, **how: Any) -> Page:
    """A page with a script that runs before those of the page."""
    page = visit("about:blank", **how)
    page.add_init_script(f"({script})()")
    page.goto(url)
    return page


def resting(page: Page) -> Locator:
    """The picture after its animation."""
    frame = picture(page, "trajectory")
    expect(frame).not_to_have_attribute("data-moving", "")
    return frame


def bottom(frame: Locator, selector: str) -> float:
    """The lowest edge of the first of these, in pixels of the window."""
    return float(frame.locator(selector).first.evaluate("e => e.getBoundingClientRect().bottom"))


@pytest.mark.fuzz
def test_it_plays_once_a_visit_and_never_on_a_rerun(server: Server, visit: Visit) -> None:
    page = opened(visit, server.url, _STARTS)
    answered(page)
    expect(resting(page).get_by_role("slider")).to_have_value("6")
    assert page.evaluate("globalThis.starts") == 1
    type_into(page, "Sentence B", "He opened an account at the bank.")
    until_link(page, lambda link: "account" in link.get("b", ""))
    answered(page)
    sentence = page.get_by_role("application", name="Sentence B: He opened an account at the bank.")
    expect(sentence).to_be_visible()
    page.get_by_text("Why: which words moved it").click()
    until_link(page, lambda link: link.get("fw") == "1")
    answered(page)
    # To another page and back: another picture, in the same visit.
    page.get_by_role("link", name="Heads", exact=True).first.click()
    expect(page).to_have_title("Heads · Polysee")
    rested(page)
    page.get_by_role("link", name="Compare", exact=True).first.click()
    expect(page).to_have_title("Compare · Polysee")
    answered(page)
    resting(page)
    assert page.evaluate("globalThis.starts") == 1


# What the slider, the map of the layer and the drawing in the sidebar say, wherever one changes.
_SAID = """() => { globalThis.said = [];
const look = () => {
  requestAnimationFrame(look);
  for (const host of document.querySelectorAll(".st-key-trajectory *")) {
    const frame = host.shadowRoot?.querySelector(".picture[data-moving]");
    const place = document.querySelector(".polysee-map p");
    if (!frame || !place) continue;
    const now = [frame.querySelector(".slider .value bdi").textContent,
      frame.querySelector("svg [data-part=maptitle]").textContent, place.textContent];
    if (JSON.stringify(now) !== JSON.stringify(globalThis.said.at(-1))) globalThis.said.push(now);
  }
};
look(); }"""


def test_it_waits_until_it_is_seen_and_all_name_the_layer_that_it_shows(
    server: Server, visit: Visit
) -> None:
    page = opened(visit, server.url, f"() => {{ ({_STARTS})(); ({_SAID})(); }}", height=340)
    answered(page)
    frame = resting(page)
    page.wait_for_timeout(1500)  # its motion would have begun
    assert page.evaluate("globalThis.starts") == 0
    expect(frame.get_by_role("slider")).to_have_value("6")
    frame.get_by_role("button", name="Play", exact=True).wait_for()
    page.mouse.move(640, 200)
    page.mouse.wheel(0, 260)
    expect(frame).to_have_attribute("data-moving", "")
    expect(frame.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    resting(page)
    expect(frame.get_by_role("slider")).to_have_value("6")
    expect(frame.get_by_role("button", name="Replay", exact=True)).to_be_visible()
    assert page.evaluate("globalThis.starts") == 1
    start = ["learned vector", "all one vector", "You are at: learned vector"]
    layers = [
        [f"layer {i} of 6", f"map of layer {i}", f"You are at: layer {i} of 6, vector"]
        for i in range(1, 6)
    ]
    assert page.evaluate("globalThis.said") == [start, *layers]
    expect(page.locator(".polysee-map p")).to_have_text("You are at: layer 6 of 6, vector")
    frame.get_by_role("button", name="Replay", exact=True).press("Enter")
    expect(frame.get_by_role("slider")).to_have_value("0")


@pytest.mark.fuzz
def test_a_link_with_a_depth_shows_that_layer_at_rest(server: Server, visit: Visit) -> None:
    page = opened(visit, link(server, d="2"), _STARTS)
    answered(page)
    slider = picture(page, "trajectory").get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "layer 4 of 6")
    assert page.evaluate("globalThis.starts") == 0


@pytest.mark.fuzz
def test_who_wants_no_motion_gets_none(server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(f"({_STARTS})()")
    page.goto(server.url)
    answered(page)
    frame = picture(page, "trajectory")
    expect(frame.get_by_role("slider")).to_have_value("6")
    frame.locator(".area").focus()
    page.keyboard.press("ArrowLeft")
    expect(frame.get_by_role("slider")).to_have_value("5")
    assert page.evaluate("globalThis.starts") == 0
    page.emulate_media(reduced_motion="no-preference")


def test_one_scrubber_drives_sentences_path_and_map_and_the_link(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    frame = resting(page)
    columns, _, numbers = saved(page, "trajectory")
    slider = frame.get_by_role("slider")
    sums, last = frame.locator(".sum"), columns.index("B: position")
    before = [sum_.inner_text() for sum_ in sums.all()]
    slider.focus()
    for depth, back in ((5, "1"), (4, "2")):
        page.keyboard.press("ArrowLeft")
        expect(slider).to_have_attribute("aria-valuetext", f"layer {depth} of 6")
        expect(frame.locator(".slider .value bdi")).to_have_text(f"layer {depth} of 6")
        resting(page)
        a, b = (f"{numbers[depth - 1, i]:.2f}".replace("-", "−") for i in (0, last))
        whole = (f"{numbers[depth - 1, i]:.4f}".replace("-", "−") for i in (0, last))
        for line, old, said in zip(sums.all(), before, whole, strict=True):
            expect(line).not_to_have_text(old)
            line.hover()
            expect(frame.locator(".tip")).to_contain_text(f": together {said}, after layer {depth}")
        assert {label.text for label in labels(frame, "name")} == {f"A {a}", f"B {b}"}
        ticks = {tick.text: tick.x for tick in labels(frame, "tick")}
        assert all(abs(mark.x - ticks[str(depth)]) < 1 for mark in shapes(frame, "mark"))
        assert {label.text for label in labels(frame, "maptitle")} == {f"map of layer {depth}"}
        until_link(page, partial(_has, "d", back))
    answered(page)
    expect(slider).to_have_value("4")  # the page has answered, and turned nothing back
    other = answered(visit(page.url))
    expect(picture(other, "trajectory").get_by_role("slider")).to_have_value("4")


@pytest.mark.fuzz
@pytest.mark.parametrize("d", some(["0", "3"], 1))
def test_what_the_words_add_comes_after_the_dots_into_the_same_picture(
    server: Server, visit: Visit, d: str
) -> None:
    # Sentences that no other test asks for: what they add is not known to the server yet.
    page = opened(visit, link(server, a=f"The {d} ducks slept on the bank.", d=d), _FRAMES)
    answered(page)
    frame = resting(page)
    expect(frame.get_by_role("slider")).to_have_value(str(6 - int(d)))
    expect(frame.locator(".slider .value bdi")).to_have_text(f"layer {6 - int(d)} of 6")
    shown = page.evaluate("globalThis.shown")
    assert {one["which"] for one in shown} == {0}  # never mounted anew
    known = [i for i, one in enumerate(shown) if one["lines"]]
    waiting = [i for i, one in enumerate(shown) if one["dots"] == 2 and not one["lines"]]
    assert waiting
    assert known
    assert waiting[0] < known[0]
    # It waits, or stands at the learned vector still, which nothing has been added to.
    assert shown[waiting[0]]["sum"].startswith(("…", "One learned vector"))
    assert shown[-1]["lines"] > 4
    assert "\u00a0alone →" in shown[-1]["sum"]


@pytest.mark.parametrize("act", some(["type", "click", "scrub"], 1))
def test_any_act_stops_it(server: Server, visit: Visit, act: str) -> None:
    page = opened(visit, server.url, _STARTS)
    frame = picture(page, "trajectory")
    expect(frame).to_have_attribute("data-moving", "")
    slider = frame.get_by_role("slider")
    if act == "type":
        page.keyboard.press("Shift")
    elif act == "click":
        page.get_by_role("heading", name="One word, two meanings").click()
    else:
        expect(slider).not_to_have_value("0")  # where Home would be no step
        slider.focus()
        page.keyboard.press("Home")
    # Its own motion takes seconds; a step by keys 0.2.
    expect(frame).not_to_have_attribute("data-moving", "", timeout=1000)
    expect(slider).to_have_value("0" if act == "scrub" else "6")
    if act == "scrub":
        until_link(page, lambda link: link.get("d") == "6")
    answered(page)
    expect(slider).to_have_value("0" if act == "scrub" else "6")
    assert page.evaluate("globalThis.starts") == (2 if act == "scrub" else 1)


@pytest.mark.fuzz
@pytest.mark.parametrize("by", some(["space", "button"], 1))
def test_a_layer_where_it_is_paused_is_in_the_link_and_its_end_is_too(
    server: Server, visit: Visit, by: str
) -> None:
    page = answered(visit(link(server, d="6")))
    frame = resting(page)
    slider = frame.get_by_role("slider")
    frame.get_by_role("button", name="Play", exact=True).click()
    expect(slider).not_to_have_value("0")
    if by == "space":
        frame.locator(".area").focus()
        page.keyboard.press("Space")
    else:
        frame.get_by_role("button", name="Pause", exact=True).click()
    expect(frame).not_to_have_attribute("data-moving", "")
    stands = int(slider.input_value())
    assert 1 <= stands < 6
    until_link(page, lambda link: link.get("d") == str(6 - stands))
    frame.get_by_role("button", name="Play", exact=True).click()
    until_link(page, lambda link: "d" not in link)
    expect(slider).to_have_value("6")


@pytest.mark.parametrize(
    ("screen", "scheme"), crossed([(390, 844, ""), (1280, 720, "1")], ["light", "dark"], of=1)
)
def test_path_and_marked_words_are_on_the_first_screen(
    server: Server, visit: Visit, screen: tuple[int, int, str], scheme: str
) -> None:
    width, height, large = screen
    url = link(server, **({"j": large} if large else {}))
    page = answered(visit(url, width=width, height=height, scheme=scheme))
    frame = resting(page)
    if large:
        size = page.locator("html").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert size == pytest.approx(1.35 * 16, rel=0.02)
    for word in frame.locator(".chosen").all():
        expect(word).to_have_text("bank")
        expect(word).to_be_in_viewport(ratio=1)
    # The path with both its sides, what stands at its ends, and the numbers of its layers.
    assert 0 < bottom(frame, 'svg [data-part="low"]') <= height
    assert len(labels(frame, "tick")) == 7
    assert bottom(frame, 'svg [data-part="tick"]') <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.fuzz
def test_what_is_folded_is_not_there_until_it_is_asked_for(server: Server, visit: Visit) -> None:
    page = answered(visit(server.url))
    drawn = page.locator(".picture[data-drawn]")
    expect(drawn).to_have_count(1)
    expect(page.get_by_role("button", name="Save this comparison")).to_have_count(0)
    expect(page.get_by_text("largest difference")).to_have_count(0)
    for question, key, heading, around, place in QUESTIONS:
        if heading:
            page.get_by_text(heading, exact=True).click()
            until_link(page, partial(_has, around, "1"))
        title = page.locator("summary").get_by_text(question, exact=True)
        title.click()
        until_link(page, partial(_has, key, "1"))
        if place:
            picture(page, place)
        else:
            expect(page.get_by_text("of those verdicts are right")).to_be_visible()
        rested(page)
        title.click()
        until_link(page, partial(_has, key, None))
        if heading:
            page.get_by_text(heading, exact=True).click()
            until_link(page, partial(_has, around, None))
        until_link(page, partial(_has, "p", None))  # nothing was chosen in it
        expect(drawn).to_have_count(1)
        rested(page)


def test_a_link_that_chooses_something_folded_opens_it(server: Server, visit: Visit) -> None:
    page = answered(visit(link(server, a=OPENING.text_a, h="5")))
    expect(page.get_by_text("Sentence A, Layer 1, head 5")).to_be_visible()
    expect(verdict(page)).to_contain_text("Two meanings")
    until_link(page, lambda link: link.get("fa") == "1")
