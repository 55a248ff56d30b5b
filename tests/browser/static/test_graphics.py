"""The graphics card, chosen in the folder: tried against WebAssembly, and given up in a sentence.

Chromium's adapter in software is the only one that every machine has. It computes MiniLM well enough,
but far more slowly than WebAssembly: the sentence says both times.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect

from tests.browser.static.conftest import Plain
from tests.conftest import BROWSER_FLAGS
from tools.browser import find_browser

pytestmark = [pytest.mark.check, pytest.mark.fuzz]  # a minute, most of it in the adapter
ADAPTER = ("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader")
LARGE = "ort-wasm-simd-threaded.asyncify.wasm"
SAID = re.compile(
    r"the graphics card takes ([\d,]+) ms for (\d+) tokens, and the processor ([\d,]+) ms"
)


def test_it_is_fetched_when_chosen_and_gives_way_with_what_was_measured(
    folder: Path, playwright: Playwright
) -> None:
    server = Plain(folder)
    browser = playwright.chromium.launch(
        executable_path=find_browser(), args=[*BROWSER_FLAGS, *ADAPTER]
    )
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.address()}compare/")
    page.locator(".model button.main").click()
    choice = page.get_by_role("checkbox", name="Use the graphics card (WebGPU)")
    expect(choice).to_be_visible(timeout=120_000)
    expect(page.locator(".polysee-graphics p")).to_contain_text("27 MB")
    assert not [url for url in asked if "webgpu" in url or "asyncify" in url]
    choice.check()
    told = page.locator(".polysee-graphics[data-state=refused] p")
    expect(told).to_contain_text(SAID, timeout=240_000)
    found = SAID.search(told.inner_text())
    assert found is not None
    took, tokens, ours = (int(one.replace(",", "")) for one in found.groups())
    assert took >= ours
    assert tokens == 21
    assert not choice.is_checked()
    (fetched,) = {url.partition("?")[0] for url in asked if LARGE in url}
    assert fetched.startswith(server.address())  # from nobody else
    # WebAssembly goes on, as if nothing had been.
    page.locator("textarea").first.fill("A man is fishing on the muddy river bank.")
    expect(page.locator(".drawn .sentence").first).to_contain_text("muddy", timeout=60_000)
    # What a visitor has once fetched is kept: nothing of it is fetched at the next try.
    asked.clear()
    choice.check()
    expect(page.locator(".polysee-graphics")).to_have_attribute(
        "data-state", "checking", timeout=60_000
    )
    assert not [url for url in asked if LARGE in url]
    browser.close()
    server.stop()
