"""Next word from a visitor's view: what stays in the browser, what is read aloud, what is saved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Server, rested, until_link
from tests.browser.saving import save_picture

Visit = Callable[..., Page]


def picture(page: Page, name: str) -> Locator:
    found = page.locator(f".st-key-{name} .picture[data-drawn]")
    expect(found).to_have_count(1)
    return found


def opened(page: Page) -> Page:
    expect(page.get_by_text("What it does not say").first).to_be_visible()
    rested(page)
    return page


@pytest.mark.check
def test_hovering_and_dragging_send_nothing(server: Server, visit: Visit) -> None:
    """A visitor who looks around costs the server nothing; a slider that rests is in the link."""
    page = visit("about:blank")
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(len(frame))))
    page.goto(f"{server.url}/next-word?m=small-gpt2&t=On the river bank")
    opened(page)
    text, bars = picture(page, "surprise"), picture(page, "next-word")
    del sent[:]
    for one in (text, bars):
        box = one.bounding_box()
        assert box is not None
        for part in range(1, 9):
            page.mouse.move(box["x"] + part * box["width"] / 9, box["y"] + part * box["height"] / 9)
    slider = bars.get_by_role("slider").first
    before = bars.locator(".value").first.inner_text()
    slider.evaluate(
        """async (slider) => {  // a drag of a second, which never rests for as long as a third of it
            for (let step = 0; step < 20; step++) {
                slider.value = step;
                slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
                await new Promise((on) => setTimeout(on, 50));
            }
        }"""
    )
    assert sent == []
    assert bars.locator(".value").first.inner_text() != before
    until_link(page, lambda link: "tm" in link)
    assert len(sent) >= 1


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize(
    ("view", "name"),
    [
        ("next", "next-word"),
        ("layers", "layers-grid"),
        ("why", "why-words"),
        ("prompts", "patching"),
        ("chat", "chat"),
    ],
)
def test_a_saved_picture_opens_from_disk_without_a_server(
    server: Server, visit: Visit, chromium: Browser, view: str, name: str
) -> None:
    texts = "t=On the river bank&t2=On the river the&wa=bank&wb=the"
    page = opened(visit(f"{server.url}/next-word?m=small-gpt2&p={view}&{texts}"))
    saved = save_picture(picture(page, name), "HTML")
    path = saved.path().rename(saved.path().with_suffix(".html"))
    asked: list[str] = []
    context = chromium.new_context(offline=True)
    try:
        alone = context.new_page()
        alone.on("request", lambda request: asked.append(request.url))
        alone.goto(path.as_uri())
        frame = alone.locator(".picture[data-drawn]")
        expect(frame).to_have_count(1)
        assert frame.locator("table tr").count() >= 2
        assert frame.locator(".area").get_attribute("aria-label")
    finally:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
