"""The animated picture of Compare: one dot that becomes two, both sentences, and a map beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Shown
from tests.browser.pictures.trajectory import trajectory_pictures as made
from tests.browser.reading import frames, labels, meet, settle, shapes
from tests.browser.saving import save_picture
from tests.tiers import crossed, some

Visit = Callable[..., Page]
_HEARD = """() => { globalThis.told = [];
for (const name of ["state", "wanted"]) document.addEventListener(`polysee:${name}`,
  (event) => globalThis.told.push([name, event.detail])); }"""

_MOVES = """() => { globalThis.moves = []; const own = Element.prototype.toggleAttribute;
Element.prototype.toggleAttribute = function (name, on) {
  if (name === "data-moving") globalThis.moves.push([performance.now(), on]);
  return own.call(this, name, on);
}; }"""


@pytest.fixture
def opened(pictures: Shown, visit: Visit) -> Callable[..., Locator]:
    def opened(query: str = "", **how: object) -> Locator:
        (frame,) = frames(visit(f"{pictures.url}/trajectory?{query}", **how))
        return frame

    return opened


def resting(frame: Locator) -> None:
    expect(frame).not_to_have_attribute("data-moving", "", timeout=6000)


def go_to(frame: Locator, depth: int) -> None:
    frame.get_by_role("slider").evaluate(
        "(box, to) => { box.value = to; box.dispatchEvent(new Event('input', {bubbles: true})); }",
        depth,
    )
    resting(frame)


@pytest.mark.few(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_are_underlined_by_what_they_add_in_the_layer_that_is_shown(
    opened: Callable[..., Locator], scheme: str
) -> None:
    frame = opened(scheme=scheme)
    both = made.sides()
    for depth in (5, 2):
        go_to(frame, depth)
        most = max(np.nanmax(np.abs(side.adds.parts[depth - 1])) for side in both if side.adds)
        for side, sentence in zip(both, frame.locator(".sentence").all(), strict=True):
            assert side.adds is not None
            row = side.adds.parts[depth - 1]
            thick = {}
            for word in sentence.locator(".word").all():
                i = int(word.get_attribute("data-part") or -1)
                image = word.evaluate("(word) => word.style.backgroundImage")
                share = min(1, abs(row[i]) / most)
                if share <= 0.02:
                    assert image == "none"
                    continue
                red, green, _ = map(int, re.findall(r"\d+", image)[:3])
                assert (green > red) == (row[i] > 0), (side.parts[i], image)
                thick[share] = float(
                    word.evaluate("(word) => word.style.backgroundSize").split()[1].rstrip("px")
                )
            # As thick as it adds, the word itself on the same scale; the thinnest can still be seen.
            size = float(frame.evaluate("(f) => parseFloat(getComputedStyle(f).fontSize)"))
            for share, high in thick.items():
                assert high == pytest.approx(max(1.5, 0.5 * size * share), abs=0.06), share
            assert sentence.locator(".chosen").get_attribute("data-part") == str(side.chosen)
        _, *ends = (label.text for label in labels(frame, "keytext"))
        assert ends == ["river", "money"]
        # The line of the word itself, and its share of the bar.
        expect(frame.locator(".note:visible")).to_contain_text("own vector: the word itself")


def test_what_is_added_makes_the_position(opened: Callable[..., Locator]) -> None:
    """At rest a single short line; the whole sum when hovered, or after the last word by keys."""
    frame = opened()
    page = frame.page
    for depth in range(5, 0, -1):
        go_to(frame, depth)
        for side, sentence in zip(made.sides(), frame.locator(".sentence").all(), strict=True):
            assert side.adds is not None
            line, adds = sentence.locator(".sum"), side.adds
            row = np.nan_to_num(adds.parts[depth - 1])
            still = [of[depth - 1] for of in (adds.special, adds.bias)]
            own, alone = float(row[side.chosen]), float(side.alone[depth - 1])
            row[side.chosen] = 0
            words, moved = float(row.sum()), float(side.position[depth - 1]) - alone
            most = int(np.abs(row).argmax())
            text = line.inner_text().replace("\u00a0", " ")
            at = float(side.position[depth - 1])
            wanted = [alone, at, words, own, sum(still)]
            names = ["other words", "own vector", "rest"]
            against = words * moved < 0 and min(abs(words), abs(moved)) > 0.02
            assert ("though the other words" in text) == against
            if not (against or row[most] * at < 0):  # what adds most does not lead to the other end
                wanted[3:3] = [row[most]]  # a part of what the words add
                names += [f"“{side.parts[most]}”"]
            start, end, *parts = _numbers(text)
            if len(wanted) > 5:
                parts.pop(1)
            assert round(start + sum(parts) - end, 6) == 0  # as they are printed
            shares = sentence.locator(".shares span").all()
            wide = [float(one.evaluate("(s) => parseFloat(s.style.width)")) for one in shares]
            sizes = np.abs([words, own, sum(still)])
            np.testing.assert_allclose(np.array(wide) / sum(wide), sizes / sizes.sum(), atol=0.001)
            np.testing.assert_allclose(_numbers(text), wanted, atol=0.0151)
            for name in (*names, "alone"):
                assert name in text
            assert line.evaluate("(line) => line.clientHeight") < 24  # of one line
            line.hover()
            tip = frame.locator(".tip")
            expect(tip).to_contain_text("rounding")
            *parts, whole = _numbers(tip.inner_text(), digits=4)
            assert whole == pytest.approx(side.position[depth - 1], abs=0.000051)
            assert round(sum(parts) - whole, 6) == 0  # as they are printed
            np.testing.assert_allclose([parts[0], *parts[2:]], [alone, own, *still], atol=0.000051)
            # The sum of the other words takes what rounding leaves.
            assert parts[1] == pytest.approx(words, abs=0.000251)
            sentence.focus()
            page.keyboard.press("ArrowLeft")
            expect(frame.get_by_role("status")).to_contain_text(
                f"together {side.position[depth - 1]:.4f}, after layer {depth}".replace("-", "−")
            )


def _numbers(said: str, digits: int = 2) -> list[float]:
    return [float(n) for n in re.findall(rf"[-+]?\d\.\d{{{digits}}}", said.replace("−", "-"))]


@pytest.mark.parametrize(("width", "larger"), some([(390, 1), (1440, 1), (1280, 1.35)], 1))
def test_the_sum_can_be_read(opened: Callable[..., Locator], width: int, larger: float) -> None:
    frame = opened(width=width)
    frame.page.add_style_tag(content=f"html {{font-size: {100 * larger}%}}")
    for line in frame.locator(".sum").all():
        size = line.evaluate("(line) => parseFloat(getComputedStyle(line).fontSize)")
        assert size >= 13 * larger - 0.01


@pytest.mark.fuzz
@pytest.mark.motion
def test_it_moves_once_by_itself_and_rests(pictures: Shown, visit: Visit) -> None:
    page = visit("about:blank")
    page.add_init_script(f"({_MOVES})()")
    page.goto(f"{pictures.url}/trajectory?play=1&layers=7")
    (frame,) = frames(page)
    resting(frame)
    expect(frame.get_by_role("slider")).to_have_value("7")
    assert len(shapes(frame, "mark")) == 2
    drawn = frame.get_attribute("data-drawn")
    page.wait_for_timeout(600)
    assert frame.get_attribute("data-drawn") == drawn  # idle
    expect(frame.get_by_role("button", name="Play")).to_be_visible()
    moves = page.evaluate("globalThis.moves")
    turns = [on for i, (_, on) in enumerate(moves) if i == 0 or moves[i - 1][1] != on]
    assert [on for on in turns if on] == [True]  # once
    begun = next(at for at, on in moves if on)
    over = next(at for at, on in moves if at > begun and not on)
    assert 1000 < over - begun < 4000


@pytest.mark.motion
def test_who_wants_no_motion_sees_the_end_at_once(pictures: Shown, visit: Visit) -> None:
    page = visit("about:blank")
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{pictures.url}/trajectory?play=1")
    (frame,) = frames(page)
    assert frame.get_attribute("data-moving") is None
    expect(frame.get_by_role("slider")).to_have_value("5")
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.motion
@pytest.mark.parametrize(
    "act", some(["key elsewhere", "click elsewhere", "pause", "drag", "key", "wheel"], 1)
)
def test_any_act_stops_it(pictures: Shown, visit: Visit, act: str) -> None:
    page = visit(f"{pictures.url}/trajectory?play=1&layers=24")
    (frame,) = frames(page)
    expect(frame).to_have_attribute("data-moving", "")
    slider = frame.get_by_role("slider")
    if act == "key elsewhere":
        page.get_by_label("Before").focus()
        page.keyboard.press("x")
    elif act == "click elsewhere":
        page.get_by_label("Before").click()
    elif act == "pause":
        frame.get_by_role("button", name="Pause").click()
    elif act == "drag":
        box = slider.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + box["height"] / 2)
    elif act == "wheel":
        page.mouse.move(5, 5)
        page.mouse.wheel(0, 40)
    else:
        frame.locator(".area").focus()
        page.keyboard.press("Home")
    resting(frame)
    at = slider.input_value()
    if "elsewhere" in act or act == "wheel":
        assert at == "24"
    elif act == "drag":
        assert 8 <= int(at) <= 16
    page.wait_for_timeout(700)
    assert slider.input_value() == at


@pytest.mark.fuzz
@pytest.mark.motion
@pytest.mark.parametrize(
    "act", some(["ArrowLeft", "Escape", "a", "Tab", "Enter", "wheel", "click", "tap"], 1)
)
def test_any_act_stops_what_was_played_by_its_button(pictures: Shown, visit: Visit, act: str) -> None:
    page = visit(f"{pictures.url}/trajectory?layers=24&depth=0")
    (frame,) = frames(page)
    frame.get_by_role("button", name="Play").click()  # which has the focus now
    expect(frame).to_have_attribute("data-moving", "")
    if act == "wheel":
        page.mouse.wheel(0, 40)
    elif act == "click":
        frame.locator(".sentence").first.click()
    elif act == "tap":
        frame.locator(".sentence").first.dispatch_event("pointerdown", {"pointerType": "touch"})
    else:
        page.keyboard.press(act)
    expect(frame).not_to_have_attribute("data-moving", "", timeout=1000)
    at = frame.get_by_role("slider").input_value()
    assert (at == "24") == (act == "wheel")  # the page is moved on, and no layer is chosen
    page.wait_for_timeout(500)
    assert frame.get_by_role("slider").input_value() == at


def test_keys_go_from_layer_to_layer_and_are_told(pictures: Shown, visit: Visit) -> None:
    page = visit(f"{pictures.url}/trajectory")
    page.evaluate(_HEARD)
    (frame,) = frames(page)
    frame.locator(".area").focus()
    for key, depth in (("ArrowLeft", 4), ("Home", 0), ("End", 5), ("ArrowLeft", 4)):
        page.keyboard.press(key)
        expect(frame.get_by_role("slider")).to_have_value(str(depth))
        heard = frame.get_by_role("status")
        expect(heard).to_contain_text(f"After layer {depth}" if depth else "learned vector")
    page.wait_for_function("() => globalThis.told.length")
    assert page.evaluate("globalThis.told") == [["state", {"n": 1, "depth": 4}]]
    page.keyboard.press(" ")  # plays on from there
    expect(frame.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(frame.get_by_role("button", name="Play")).to_be_visible()


def test_every_number_is_read_out_and_pointed_at(opened: Callable[..., Locator]) -> None:
    frame = opened()
    a, b = made.sides()
    page = frame.page
    frame.locator(".area").focus()
    heard = frame.get_by_role("status")
    for _ in range(30):
        page.keyboard.press("ArrowUp")
    found = set()
    for _ in range(30):
        found.add(heard.inner_text().replace("−", "-"))
        page.keyboard.press("ArrowDown")
    for side in (a, b):
        for depth, value in enumerate(side.position, 1):
            assert any(f"in {side.name}: {value:.4f}, layer {depth}" in said for said in found)
    for point in made.points():
        assert any(said.startswith(f"{point.name}: {point.along[-1]:.4f} along") for said in found)
    sentence = frame.locator(".sentence").first
    sentence.focus()
    assert a.adds is not None
    for i, part in enumerate(a.parts):
        if not part.strip():
            continue
        page.keyboard.press("ArrowRight")
        expect(heard).to_contain_text(f"{part}: adds {a.adds.parts[-1, i]:+.4f}".replace("-", "−"))
    sentence.locator(".word", has_text="fished").hover()
    expect(frame.locator(".tip")).to_contain_text(f"{a.adds.parts[-1, 2]:+.4f}".replace("-", "−"))


def test_contributions_are_asked_for_once_the_dots_stand(pictures: Shown, visit: Visit) -> None:
    page = visit("about:blank")
    page.add_init_script(f"({_HEARD})()")
    page.goto(f"{pictures.url}/trajectory?adds=wanted")
    (frame,) = frames(page)
    assert page.evaluate("globalThis.told") == [["wanted", {"id": "made"}]]
    assert len(shapes(frame, "mark")) == 2
    assert labels(frame, "keytext") == []
    page.goto(f"{pictures.url}/trajectory?adds=never")
    (frame,) = frames(page)
    assert page.evaluate("globalThis.told") == []
    expect(frame.locator(".sum").first).to_have_text("It runs in another program.")


@pytest.mark.parametrize(
    ("kind", "width"), crossed(["long", "rtl", "nasty", "plain"], [320, 390, 700, 1440], of=2)
)
def test_texts_stay_texts_and_nothing_meets(
    opened: Callable[..., Locator], kind: str, width: int
) -> None:
    frame = opened(f"kind={kind}", width=width)
    settle(frame.page)
    for side, sentence in zip(made.sides(kind), frame.locator(".sentence").all(), strict=True):
        shown = "".join(sentence.locator(":scope > span:not(.name):not(.sum)").all_inner_texts())
        assert shown.split() == "".join(side.parts).split()
    whole = frame.bounding_box()
    assert whole is not None
    for part in (
        "end",
        "tick",
        "name",
        "mapname",
        "title",
        "origin",
        "maptitle",
        "mapabout",
        "across",
        "keytext",
    ):
        for label in labels(frame, part):
            assert label.left >= -1, label
            assert label.right <= whole["width"] + 1, label
            assert label.bottom <= whole["height"] + 1, label
    parts = ("end", "tick", "title", "origin", "maptitle", "mapabout", "across", "keytext")
    texts = [label for part in parts for label in labels(frame, part)]
    assert not [(a.text, b.text) for a, b in combinations(texts, 2) if meet(a, b)]
    assert frame.page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


@pytest.mark.fuzz
def test_it_is_saved_with_its_sentences(opened: Callable[..., Locator]) -> None:
    frame = opened()
    saved = save_picture(frame, "SVG")
    text = saved.path().read_text("utf-8")
    for word in ("fished", "bank", "money", "after layer"):
        assert word in text
    saved = save_picture(frame, "PNG")
    assert saved.path().read_bytes().startswith(b"\x89PNG")
