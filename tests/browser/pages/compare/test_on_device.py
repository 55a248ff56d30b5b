"""The visitor's own device computes: in the app, and in a saved comparison with the model inside."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from core import web
from tests.browser.conftest import Server, rested, until_link
from tests.browser.pages.compare.test_compare import answered, link

Visit = Callable[..., Page]
pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(web.find() is None, reason=f"{web.why_not()}"),
]
START = 120_000  # milliseconds; 105 MB are fetched, checked and prepared
TYPED = " Its water was cold."
# The engine's worker, with something done to it before its script begins.
_WORKER = """(() => {
  const Own = Worker;
  globalThis.Worker = function (address, options) {
    const script = JSON.stringify(new URL(address, document.baseURI).href), code = `%s;
      const early = [], keep = (event) => early.push(event.data);
      addEventListener("message", keep);
      await import(${script});
      removeEventListener("message", keep);
      for (const data of early) dispatchEvent(new MessageEvent("message", { data }));`;
    return new Own(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), options);
  };
})()"""
FAULTS = {
    # WebAssembly may grow to 128 MB, as on a device that grants no more: the model needs 250.
    "small": "const Own = WebAssembly.Memory; WebAssembly.Memory = function (how) {"
    " return new Own({ ...how, maximum: Math.min(how.maximum, 2000) }); }",
    "slow": "addEventListener('message', ({ data }) => { if (data.kind !== 'trace') return;"
    " const start = performance.now(); while (performance.now() - start < 1200); })",
}
# Streamlit's dialog while its server is away: it takes the focus, and for a while after it was closed.
_DIALOG = """() => {
  const dialog = document.createElement("div"), close = document.createElement("button");
  dialog.setAttribute("role", "dialog");
  dialog.tabIndex = -1;
  dialog.textContent = "Connection error";
  close.setAttribute("aria-label", "Close");
  dialog.append(close);
  const take = setInterval(() => dialog.focus(), 7);
  close.onclick = () => setTimeout(() => { clearInterval(take); dialog.remove(); }, 400);
  document.body.append(dialog);
  dialog.focus();
}"""


def line(page: Page) -> Locator:
    """The line that says whose numbers are shown."""
    return page.locator(".polysee-line")


def off(page: Page, server: Server) -> Page:
    """A tab whose visitor has switched the device off: the browser may have the model already."""
    page.goto(f"{server.url}/_stcore/health")
    page.evaluate("localStorage.setItem('polysee device minilm', 'off')")
    return page


def switched_on(page: Page) -> Page:
    page.get_by_role("switch", name="Compute on this device").check()
    expect(page.locator(".polysee-switch[data-state=on]")).to_be_attached(timeout=START)
    return page


def positions(picture: Locator) -> list[float]:
    """Where the word stands in each sentence, four digits each, from the table for screen readers."""
    cells = picture.locator(".heard td:nth-child(2)").all_text_contents()
    return [float(cell.replace("−", "-")) for cell in cells]


def moving(page: Page) -> Locator:
    return page.locator(".picture[data-drawn]").first


def test_typing_redraws_the_picture_and_tells_the_server_nothing(server: Server, visit: Visit) -> None:
    page = off(visit("about:blank"), server)
    told: list[int] = []
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: told.append(len(frame))))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(link(server))
    answered(page)
    expect(line(page)).to_be_empty()
    assert not any("safetensors" in url or "wasm" in url for url in asked)
    switched_on(page)
    expect(line(page)).to_have_attribute("data-difference", re.compile(r"\d"), timeout=START)
    box = page.get_by_role("textbox", name="Sentence A")
    box.press("End")
    answered(page)
    before = len(told)
    for sign in TYPED:
        box.press_sequentially(sign)
    expect(moving(page).locator(".sentence").first).to_contain_text(TYPED.strip())
    expect(line(page)).to_have_attribute("data-by", "device")
    expect(line(page)).to_have_attribute("data-ahead", "true")
    box.fill("The bank lent him the money.")
    expect(line(page)).to_contain_text("One meaning")  # the verdict, too, is the device's
    box.fill(f"A man is fishing on the river bank.{TYPED}")
    until_link(page, lambda now: now.get("a", "").endswith(TYPED))
    page.wait_for_timeout(1500)  # longer than the pause that sends a text to a server
    assert len(told) == before
    own = positions(moving(page))
    box.press("Enter")
    expect(line(page)).to_have_attribute("data-by", "server", timeout=START)
    expect(line(page)).to_have_attribute("data-difference", re.compile(r"\d"))
    assert len(told) > before
    assert positions(moving(page)) == pytest.approx(own, abs=1e-4)  # they are written with four digits
    assert float(line(page).get_attribute("data-difference") or "nan") < 1e-5
    assert not page.locator(":root[data-polysee-ahead]").count()

    # What was typed is in the link, before the server knows it; the model is there already.
    box.press("End")
    box.press_sequentially(" So it was.")
    until_link(page, lambda now: now.get("a", "").endswith("So it was."))
    page.reload()
    expect(page.locator(".polysee-switch[data-state=on]")).to_be_attached(timeout=START)
    expect(box).to_have_value(re.compile(r"So it was\.$"))


@pytest.mark.fuzz
def test_next_word_follows_with_the_model_that_speaks(server: Server, visit: Visit) -> None:
    page = off(visit("about:blank"), server)
    told: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: told.append(len(frame))))
    page.goto(f"{server.url}/next-word?v=2&t=Two")
    bars = page.locator(".st-key-next-word-picture .picture[data-drawn]")
    expect(bars).to_be_visible(timeout=START)
    switched_on(page)
    expect(line(page)).to_have_attribute("data-difference", re.compile(r"\d"), timeout=START)
    assert float(line(page).get_attribute("data-difference") or "nan") < 2e-4  # of a logit
    rested(page)
    before = len(told)
    page.get_by_role("textbox", name="Text", exact=True).fill("The capital of France is")
    expect(line(page)).to_contain_text("It gives Paris 77.3 %.")
    expect(bars).to_contain_text("Paris")
    page.wait_for_timeout(1000)
    assert len(told) == before


@pytest.mark.fuzz
@pytest.mark.parametrize(("model", "rows"), [("smollm2", 4), ("minilm", 6)])
def test_a_layer_follows_step_by_step(server: Server, visit: Visit, model: str, rows: int) -> None:
    page = off(visit("about:blank"), server)
    told: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: told.append(len(frame))))
    page.goto(f"{server.url}/step-by-step?v=2&m={model}&t=The+river&zl=matrix&st=query&l=3")
    picture = page.locator(".picture[data-drawn]").first
    expect(picture).to_be_visible(timeout=START)
    switched_on(page)
    expect(line(page)).to_have_attribute("data-difference", re.compile(r"\d"), timeout=START)
    rested(page)
    before = len(told)
    page.get_by_role("textbox", name="Text", exact=True).fill("The river was deep")
    expect(picture.locator(".sentence").first).to_contain_text(f"Q, {rows} by", timeout=START)
    expect(line(page)).to_have_attribute("data-by", "device")
    page.wait_for_timeout(1000)
    assert len(told) == before


@pytest.mark.fuzz
def test_all_heads_follow_as_well(server: Server, visit: Visit) -> None:
    page = off(visit("about:blank"), server)
    told: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: told.append(len(frame))))
    page.goto(f"{server.url}/heads")
    grid = page.locator(".st-key-all-heads .picture[data-drawn]")
    expect(grid).to_be_visible()
    switched_on(page)
    expect(line(page)).to_have_attribute("data-difference", re.compile(r"\d"), timeout=START)
    rested(page)
    before = len(told)
    text = page.get_by_role("textbox", name="Text", exact=True)
    text.fill("A seal lay on the rocks.")
    expect(line(page)).to_have_attribute("data-by", "device")
    expect(grid.get_by_role("radio", name="rocks")).to_be_visible()
    page.wait_for_timeout(1000)
    assert len(told) == before
    # The server goes away: its dialog takes no key from whoever is typing.
    page.evaluate(_DIALOG)
    for sign in " It slept.":
        page.keyboard.press(sign if sign != " " else "Space")
        page.wait_for_timeout(40)
    expect(text).to_have_value("A seal lay on the rocks. It slept.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    text.press("Enter")
    expect(line(page)).to_have_attribute("data-by", "server", timeout=START)
    expect(line(page)).to_have_attribute("data-difference", re.compile(r"\d"))
    assert float(line(page).get_attribute("data-difference") or "nan") < 1e-5


@pytest.mark.fuzz
@pytest.mark.parametrize("why", ["small", pytest.param("slow", marks=pytest.mark.fuzz)])
def test_where_the_device_is_too_slow_or_too_small_the_server_goes_on(
    server: Server, visit: Visit, why: str
) -> None:
    page = off(visit("about:blank"), server)
    page.add_init_script(_WORKER % FAULTS[why])
    page.goto(link(server))
    answered(page)
    page.get_by_role("switch", name="Compute on this device").click()
    part = page.locator(".polysee-switch[data-state=refused]")
    expect(part).to_have_attribute("data-why", why, timeout=START)
    expect(part.locator("p")).not_to_be_empty()
    expect(page.get_by_role("switch", name="Compute on this device")).not_to_be_checked()
    box = page.get_by_role("textbox", name="Sentence A")
    box.press("End")
    box.press_sequentially(TYPED)
    until_link(page, lambda now: now.get("a", "").endswith(TYPED))
    expect(moving(page).locator(".sentence").first).to_contain_text(TYPED.strip())


@pytest.mark.fuzz
def test_without_the_model_the_server_goes_on(server: Server, visit: Visit) -> None:
    page = off(visit("about:blank"), server)

    def broken(route: Route) -> None:
        route.abort()

    page.route("**/worker.js", broken)
    try:
        page.goto(link(server))
        answered(page)
        page.get_by_role("switch", name="Compute on this device").click()
        expect(page.locator(".polysee-switch[data-state=refused]")).to_be_attached(timeout=START)
        expect(page.locator(".polysee-switch p")).not_to_be_empty()
        box = page.get_by_role("textbox", name="Sentence A")
        box.press("End")
        box.press_sequentially(TYPED)
        until_link(page, lambda now: now.get("a", "").endswith(TYPED))
        expect(moving(page).locator(".sentence").first).to_contain_text(TYPED.strip())
    finally:
        page.unroute("**/worker.js", broken)


@pytest.mark.fuzz
def test_a_saved_comparison_stays_alive(
    server: Server, visit: Visit, offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    live = answered(visit(link(server, fn="1")))
    with live.expect_download(timeout=START) as download:
        live.get_by_role("button", name="with the model inside").click()
    path = tmp_path / "alive.html"
    download.value.save_as(path)
    assert 70e6 < path.stat().st_size < 90e6
    box = live.get_by_role("textbox", name="Sentence A")
    box.fill(box.input_value() + TYPED)
    box.press("Enter")
    until_link(live, lambda now: now.get("a", "").endswith(TYPED))
    expect(moving(live).locator(".sentence").first).to_contain_text(TYPED.strip())
    answered(live)
    wanted = positions(moving(live))

    page = offline(path)
    own = page.get_by_role("textbox", name="Sentence A")
    expect(own).to_be_enabled(timeout=START)
    cosines = page.locator("figure", has=page.locator('[data-polysee="lines"]'))
    before = cosines.locator(".heard table").text_content()
    own.press("End")
    own.press_sequentially(TYPED)
    expect(moving(page).locator(".sentence").first).to_contain_text(TYPED.strip(), timeout=START)
    found = positions(moving(page))
    assert found == pytest.approx(wanted, abs=1e-3)
    assert page.locator("section[data-behind]").count() > 2
    # Two pictures follow; each other one says that it is about the saved sentences.
    expect(cosines.locator(".heard table")).not_to_have_text(before or "")
    assert not page.locator("[data-behind]", has=page.locator('[data-polysee="lines"]')).count()
    assert not page.locator("[data-behind]", has=page.locator('[data-polysee="trajectory"]')).count()
    still = page.locator("main > section:not(#polysee-inside) figure")
    assert still.count() > 4
    assert page.locator("[data-behind] figure, figure[data-behind]").count() == still.count() - 2
    marked = "e => getComputedStyle(e, '::before').content"
    assert page.locator("[data-behind]").first.evaluate(marked) not in ("none", "normal")
    own.fill("")  # B alone is left
    expect(moving(page).locator(".sentence")).to_have_count(1)
    own.fill("A 🐟 by the bank")
    expect(moving(page).locator(".sentence")).to_have_count(2)
