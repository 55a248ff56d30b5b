"""A saved page that speaks: from a disk and without a network, it writes what Python writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import core
from core import web

pytestmark = [pytest.mark.check, pytest.mark.timeout(600)]
TEXT = "The capital of France is"
OWN = "The opposite of hot is"


@pytest.mark.fuzz
def test_a_saved_page_goes_on_with_any_text(
    offline: Callable[[Path], Page], tmp_path: Path, web_built: web.Built
) -> None:
    if web_built.language is None:
        pytest.skip("the package of SmolLM2 is not installed")
    path = core.next_word(TEXT, seed=13).save(tmp_path / "speaks.html", model=True)
    assert 130e6 < path.stat().st_size < 140e6
    model = core.load("smollm2")
    written = [one.added for one in model.generate(OWN, 20, seed=13)]
    page = offline(path)
    # as it was saved, before the model has started
    bars = page.locator("[data-polysee=nextword] .picture[data-drawn]")
    expect(bars).to_be_visible()
    expect(page.locator("main > section").first).to_contain_text("Paris")
    expect(page.locator("footer pre")).to_contain_text("It is a changed copy")
    expect(page.get_by_text("SmolLM2 runs in this file")).to_be_visible(timeout=240_000)
    headline = page.locator("[data-part=presented-line]")
    expect(headline).to_have_text("It gives Paris 77.3 %.", timeout=60_000)
    expect(bars).to_have_count(0)  # the live page is in its place
    page.get_by_role("textbox", name="Text", exact=True).fill(OWN)
    expect(headline).to_contain_text("cold", timeout=60_000)
    page.get_by_role("button", name="Write 20").click()
    shown = page.locator("[data-part=surprise] .picture")
    expect(page.get_by_text("The last 20 it wrote itself.")).to_be_visible(timeout=120_000)
    assert "".join(OWN.split() + "".join(written).split()) in "".join(shown.inner_text().split())
    page.get_by_role("radio", name="Why this word").click()
    expect(page.locator("[data-part=why-parts] .picture[data-drawn]")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Click a head")).to_be_hidden()
    page.get_by_role("link", name="Its licence").click()
    expect(page.locator("footer pre")).to_be_visible()
