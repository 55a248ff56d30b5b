"""Choosing a model that must be downloaded, in the browser: from a hub of our own on 127.0.0.1."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, until_link
from tests.browser.pages.compare.test_compare import answered, picture, verdict
from tests.pretrained.fake_hub import FakeHub, serve


@pytest.fixture
def hub(make_folder: Callable[..., Path]) -> Iterator[FakeHub]:
    with serve() as running:
        running.repos["distilbert-base-uncased"] = make_folder("distilbert")
        yield running


@pytest.fixture
def online(hub: FakeHub, tmp_path: Path) -> Iterator[Server]:
    """A server with that hub instead of the real one, and an empty cache."""
    server = Server(tmp_path, {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "cache")})
    server.start()
    yield server
    server.stop(signal.SIGKILL)


def choose(page: Page, title: str) -> None:
    page.get_by_label("Model").click()
    page.get_by_role("option", name=title).click()


@pytest.mark.fuzz
def test_download_shows_progress_then_the_model_answers_and_a_hub_that_is_down_is_told(
    hub: FakeHub, online: Server, visit: Callable[..., Page]
) -> None:
    hub.pause = 0.1
    page = answered(visit(online.url))
    choose(page, "DistilBERT")
    expect(page.get_by_text(re.compile(r"Downloading distilbert: \d+ of \d+ MB"))).to_be_visible()
    until_link(page, lambda link: link.get("m") == "distilbert")
    answered(page)
    # Another model has no thresholds before they are measured: positions, and no verdict.
    expect(verdict(page)).to_contain_text("No verdict: bank stands at")
    slider = picture(page, "trajectory").get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^layer 5 of 5$"))

    hub.broken = True
    page = answered(visit(online.url))
    choose(page, "BERT base")
    expect(page.get_by_text("is not on this machine")).to_be_visible()
    expect(page.get_by_text(re.compile("cannot be shown here: MiniLM"))).to_be_visible()
    until_link(page, lambda link: link.get("m") == "bert")  # until another is chosen
    expect(verdict(page)).to_contain_text("bank sides with river in A and with money in B.")
