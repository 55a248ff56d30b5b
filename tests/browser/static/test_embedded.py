"""A picture of the folder in somebody else's page, in the language of the visitor's browser."""

from __future__ import annotations

import base64
import html
import zlib
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Response, expect

from core.figures import bars
from tests.browser.static.conftest import Plain

MOST = {"en-GB": 60_000, "de-DE": 66_000}  # not compressed; German brings what it says


@pytest.mark.parametrize(
    ("web_space", "locale", "live", "fetch"),
    [
        pytest.param(
            *("folder", "en-GB", "Compute it here", "Fetch the model"), marks=pytest.mark.check
        ),
        pytest.param(
            *("every_language", "de-DE", "Hier berechnen", "Das Modell laden"), marks=pytest.mark.fuzz
        ),
    ],
)
def test_a_picture_in_somebody_elses_page(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    chromium: Browser,
    web_space: str,
    locale: str,
    live: str,
    fetch: str,
) -> None:
    server = Plain(request.getfixturevalue(web_space))
    context = chromium.new_context(locale=locale)
    page = context.new_page()
    made = bars(
        np.array([0.75, 0.25], np.float32),
        [" a", " b"],
        unit="probability",
        sentence="Two bars.",
        name="two",
    )
    word = base64.urlsafe_b64encode(zlib.compress(made.to_bytes())).decode("ascii").rstrip("=")
    address = f"{server.address()}next-word/?v=2&t=Say&embed#bars.{word}"
    script = f'<script src="{server.address()}show.js" data-address="{html.escape(address)}"></script>'
    (tmp_path / "index.html").write_text(f"<!DOCTYPE html><p>A course</p>{script}", "utf-8")
    elsewhere = Plain(tmp_path)
    sizes: dict[str, int] = {}

    def note(response: Response) -> None:
        if server.address() in response.url:
            sizes[urlsplit(response.url).path.rpartition("/")[2]] = len(response.body())

    page.on("response", note)
    page.goto(f"http://127.0.0.1:{elsewhere.port}/")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".drawn")).to_contain_text("75")
    page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) <= MOST[locale], sizes
    assert "language.de.json" not in sizes
    button = frame.get_by_role("button", name=live)
    expect(button).to_be_visible()
    button.click()
    expect(frame.get_by_role("button", name=fetch).locator("visible=true")).to_be_visible(
        timeout=60_000
    )
    assert ("language.de.json" in sizes) is (locale == "de-DE")
    context.close()
    server.stop()
    elsewhere.stop()
