"""Next word in the folder: Python's words, bars and surprise, with no word to a server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

import core
from core import web
from core.lessons.expressions import filled
from pages.next_word.layers import captions
from tests.browser.static.conftest import BELOW, Plain, predict
from ui.models import lesson_records

pytestmark = [pytest.mark.check, pytest.mark.timeout(600)]
TEXT = "The capital of France is"


def _link(page: Page) -> dict[str, str]:
    return {name: value for name, (value,) in parse_qs(urlsplit(page.url).query).items()}


def _rested(page: Page) -> None:
    expect(page.locator("main:not([aria-busy])")).to_be_visible(timeout=120_000)


def _layers_and_reasons(page: Page, model: core.Model) -> None:
    """Layer by layer and Why this word say in the tab what Python says."""
    headline, plain = page.locator("[data-part=presented-line]"), model.lens(TEXT)
    fitted = model.lens(TEXT, fitted=True)
    page.get_by_role("radio", name="Layer by layer").click()
    expect(page.locator("[data-part=places] .picture[data-drawn]")).to_be_visible(timeout=120_000)
    expect(headline).to_have_text(captions.headline(plain, fitted, -1, -1).replace("*", ""))
    read = page.locator("[data-part=layers] .picture").inner_text()
    assert all(fitted.reads(depth, 4).strip() in read for depth in (24, 30))
    page.get_by_role("button", name="Why this word?").click()
    expect(page.locator("[data-part=why-parts] .picture[data-drawn]")).to_be_visible(timeout=120_000)
    why = model.why(TEXT, " Paris", " London")
    expect(headline).to_contain_text(f"scores {why.whole:.2f} higher than London")
    page.get_by_role("radio", name="What comes next").click()
    expect(headline).to_have_text("It gives Paris 77.3 %.")
    _rested(page)


# As a link within the folder does. The model stays.
_GO = """address => {
  document.querySelector(".lesson h2")?.setAttribute("data-before", "");
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
_MARKS = re.compile(r"[\\*]")  # of Markdown
# Steps with a run that is changed: an edge cut, a state of another text, heads at 0, a part of 2017.
_CHANGED = (("why-this-word", 2), ("why-this-word", 5), ("it-copies", 3), ("paper-to-today", 2))


def _lessons(page: Page, server: Plain, folder: Path) -> None:
    """The answer of each such step is computed in the tab, and is Python's."""
    content = json.loads((folder / BELOW / "content.json").read_text("utf-8"))
    lessons = {one["name"]: one for one in content["lessons"]}
    told, note = page.locator(".reveal"), page.locator(".asked ~ .quiet").last
    for name, number in _CHANGED:
        lesson = lessons[name]
        step = lesson["steps"][number - 1]
        link = {key: filled(value, lesson["texts"]) for key, value in step["state"]}
        query = urlencode({"v": "2", **link, "lesson": f"{name}.{number}"})
        page.evaluate(_GO, f"{server.address()}{step['page']}/?{query}")
        expect(page.locator(".lesson h2:not([data-before])")).to_have_text(step["title"])
        predict(page)
        page.get_by_role("button", name="Reveal").click()
        expect(note).to_have_text("This was computed in your browser.", timeout=60_000)
        wanted = _MARKS.sub("", step["answers"][0]["reveal"]).split()
        said = told.inner_text().split()
        assert said[-len(wanted) :] == wanted, (name, number, said, wanted)
    # a text of one's own, and nobody who waits for it any more
    box = page.get_by_role("textbox", name="Text", exact=True)
    box.fill("Once upon a")
    texts = {**lessons["paper-to-today"]["texts"], "t": "Once upon a time there was a"}
    box.fill(texts["t"])
    own = lesson_records.answer_of("paper-to-today", 1, "smollm2", tuple(sorted(texts.items())))
    expect(note).to_have_text("This was computed in your browser, on your own text.", timeout=60_000)
    expect(told).to_contain_text(_MARKS.sub("", own.reveal))
    # how long the vectors are with norms after the sums, and the next words
    expect(page.locator(".bench .picture[data-drawn]")).to_have_count(2, timeout=60_000)
    end = re.search(r"to ([\d,]+\.\d\d): every", told.inner_text())
    assert end
    lengths = page.locator("[data-part=bench] .quiet").first
    expect(lengths).to_contain_text(f"{end[1]} after the last as it is")
    _said_twice(page, server, lessons["it-copies"])


def _said_twice(page: Page, server: Plain, lesson: Any) -> None:
    """A sentence of one's own, typed once, is read twice; another one covers the answer again."""
    texts = {**lesson["texts"], "own": "Nine blue teapots argued with my bicycle."}
    query = urlencode({"v": "2", "t": "{own} {own}".format(**lesson["texts"]), "lesson": "it-copies.5"})
    page.evaluate(_GO, f"{server.address()}next-word/?{query}")
    box, told = page.get_by_role("textbox", name="Your own text"), page.locator(".reveal")
    expect(box).to_have_value(lesson["texts"]["own"])
    expect(page.locator("[data-part=surprise]")).to_have_class("covered")
    box.fill(texts["own"])
    box.press("Enter")
    expect(page.get_by_role("textbox", name="Text", exact=True)).to_have_value(
        f"{texts['own']} {texts['own']}"
    )
    predict(page)
    page.get_by_role("button", name="Reveal").click()
    own = lesson_records.answer_of("it-copies", 4, "smollm2", tuple(sorted(texts.items())))
    expect(told).to_contain_text(_MARKS.sub("", own.reveal), timeout=60_000)
    box.fill("To be or not to be.")
    box.press("Enter")
    expect(page.get_by_role("button", name="Reveal")).to_be_visible()


def _learned(page: Page, server: Plain, folder: Path) -> None:
    """Two layers learn to copy in the tab: they begin as Python’s do, and come as far."""
    content = json.loads((folder / BELOW / "content.json").read_text("utf-8"))
    (lesson,) = (one for one in content["lessons"] if one["name"] == "it-copies")
    step = lesson["steps"][3]
    query = urlencode({"v": "2", **dict(step["state"]), "lesson": "it-copies.4"})
    page.evaluate(_GO, f"{server.address()}{step['page']}/?{query}")
    expect(page.locator(".lesson h2:not([data-before])")).to_have_text(step["title"])
    predict(page)
    page.get_by_role("button", name="Reveal").click()
    note = page.locator(".asked ~ .quiet").last
    expect(note).to_contain_text("This model has just learned in your browser.", timeout=120_000)
    said = page.locator(".reveal").inner_text()
    numbers = re.findall(r"\d+(?:\.\d+)?", said[said.index("It falls") :])
    before, after, bits, found = (float(one) for one in numbers[:4])
    assert abs(bits - after * 1.4427) < 0.02
    answer = _MARKS.sub("", step["answers"][0]["reveal"])
    first, last, _ = (float(one) for one in re.findall(r"\d+(?:\.\d+)?", answer)[:3])
    assert before == first
    assert abs(after - last) < 0.1
    assert found >= 98
    expect(page.locator(".bench .picture[data-drawn]")).to_have_count(3)


def test_it_speaks_in_the_tab_as_in_python(
    folder: Path, chromium: Browser, web_built: web.Built
) -> None:
    if web_built.language is None:
        pytest.skip("the package of SmolLM2 is not installed")
    model = core.load("smollm2")
    written = [one.id for one in model.generate(TEXT, 20, seed=13)]
    assert len(written) == 20
    score = model.score(TEXT, more=written)
    server = Plain(folder)
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{server.address()}next-word/?v=2&t={TEXT.replace(' ', '+')}")
    # its size stands there before anything is fetched
    offer = page.get_by_role("button", name="Fetch the model (113 MB)")
    expect(offer).to_be_visible()
    offer.click()
    headline = page.locator("[data-part=presented-line]")
    expect(headline).to_contain_text("Paris", timeout=240_000)
    expect(headline).to_have_text("It gives Paris 77.3 %.")
    expect(page.locator("[data-part=surprise] .picture[data-drawn]")).to_be_visible(timeout=60_000)
    _rested(page)
    _layers_and_reasons(page, model)
    _lessons(page, server, folder)
    _learned(page, server, folder)
    page.evaluate(_GO, f"{server.address()}next-word/?v=2&t={TEXT.replace(' ', '+')}")
    expect(headline).to_have_text("It gives Paris 77.3 %.", timeout=60_000)
    _rested(page)
    # from here on, nothing that is typed or written leaves the tab
    server.stop()
    context.on("request", note)
    page.get_by_role("button", name="Write 20").click()
    expect(page.get_by_role("button", name="Undo one")).to_be_visible(timeout=120_000)
    _rested(page)
    assert _link(page)["g"] == ".".join(map(str, written)) == _link(page)["br"]
    expect(page.locator("[data-part=tried] .picture[data-drawn]")).to_be_visible(timeout=60_000)
    expect(page.locator("main")).to_contain_text(f"The mean is {score.per_token:.2f} bits a token.")
    # back, and another number: a branch
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Roll again").click()
    _rested(page)
    page.get_by_role("button", name="Draw one").click()
    (other,) = (one.id for one in model.generate(TEXT, 1, seed=14))
    expect(page).to_have_url(re.compile(rf"&g={other}&"), timeout=60_000)
    _rested(page)
    # a slider reshapes the bars, and the link holds it
    slider = page.locator("[data-part=next-word-picture] input[type=range]").first
    slider.focus()
    for _ in range(20):
        slider.press("ArrowLeft")
    expect(page.get_by_role("button", name="Take the likeliest")).to_be_visible()
    expect(page).to_have_url(re.compile("tm=0(&|$)"))
    page.get_by_role("textbox", name="Text", exact=True).fill("")
    expect(page.locator(".notes")).to_contain_text("Type a word, and SmolLM2 goes on from there.")
    assert not [url for url in asked if not url.endswith((".svg", ".js"))], asked
    assert not wrong
    context.close()
