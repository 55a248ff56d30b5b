"""The built site: complete, without another host, and its pictures react. `make docs` runs this."""

from __future__ import annotations

import functools
import http.server
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, sync_playwright

import core
from tools.browser import FLAGS, find_browser

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif("SITE" not in os.environ, reason="`make docs` builds the site, and tests it"),
]
SITE = Path(os.environ.get("SITE", "."))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """A tab that fails if the site asks another host, finds a file missing, or logs an error."""
    wrong: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:", "file:")):
            wrong.append(request.url)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        tab = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        tab.on("request", asked)
        tab.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        yield tab
        browser.close()
    assert wrong == []


def pages() -> list[str]:
    return sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))


def test_no_page_names_a_font_a_style_or_a_script_of_another_host() -> None:
    for name in pages():
        text = (SITE / name).read_text("utf-8")
        assert re.findall(r'<(?:script|iframe|img)[^>]*src="(?:https?:)?//', text) == [], name
        assert re.findall(r'<link[^>]*href="(?:https?:)?//', text) == [], name
        assert 'class="mermaid"' not in text, name  # it would be drawn by a script from elsewhere


def test_every_public_name_has_its_place_in_the_reference() -> None:
    text = "".join((SITE / name).read_text("utf-8") for name in pages() if name.startswith("api/"))
    # A function and its module may share a name: polysee.measures.agreement.agreement.
    there = {
        re.sub(r"\.(\w+)\.\1$", r".\1", name) for name in re.findall(r'id="(polysee[\w.]*)"', text)
    }
    names = {f"polysee.{name}" for name in core.__all__}
    for room in ("plot", "corpus", "measures"):
        exported = getattr(__import__(f"core.{room}"), room).__all__
        # Constants have no docstring, and are described where they are used.
        names |= {f"polysee.{room}.{name}" for name in exported if not name.isupper()}
    assert sorted(names - there) == []


def test_each_notebook_of_the_gallery_shows_what_it_shows() -> None:
    for notebook in sorted((core_root() / "docs" / "gallery").glob("*.ipynb")):
        text = (SITE / "gallery" / f"{notebook.stem}.html").read_text("utf-8")
        assert 'class="live"' in text or 'class="table"' in text, notebook.stem


def core_root() -> Path:
    return Path(__file__).resolve().parents[3]


def test_a_picture_reacts(page: Page, address: str) -> None:
    """The moving picture of the first page: at layer 0, both words stand at one point."""
    page.goto(f"{address}/index.html")
    frame = page.frame_locator("iframe.live").first
    slider = frame.locator("input[type=range]").first
    slider.wait_for(timeout=60_000)
    assert slider.input_value() == "6"
    frame.locator("bdi", has_text="layer 6 of 6").wait_for()
    slider.fill("2")
    frame.locator("bdi", has_text="layer 2 of 6").wait_for()
    # Its frame has the height of the picture: nothing of it is hidden, and nothing scrolls inside.
    page.wait_for_function(
        """() => { const frame = document.querySelector("iframe.live")
            const inside = frame.contentDocument.body.getBoundingClientRect().height
            return inside > 200 && Math.abs(inside - frame.clientHeight) < 4 }"""
    )


def test_every_live_picture_is_drawn(page: Page, address: str) -> None:
    for name in pages():
        count = (SITE / name).read_text("utf-8").count('class="live"')
        if not count or name.startswith("live/"):
            continue
        page.goto(f"{address}/{name}")
        for number in range(count):
            place = page.locator("iframe.live").nth(number)
            place.scroll_into_view_if_needed()
            inside = page.frame_locator("iframe.live").nth(number)
            inside.locator("canvas, svg").first.wait_for(timeout=60_000)


def test_it_opens_from_a_disk(page: Page) -> None:
    page.goto((SITE / "guides" / "own_model.html").as_uri())
    page.get_by_role("link", name="The command line").first.click()
    page.get_by_role("heading", name="The command line").wait_for()
