"""Five folders as people have them, each opened in the running app: one server for all."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.pretrained import five_folders as five

pytestmark = pytest.mark.check


@pytest.fixture
def running(
    tmp_path: Path, fill_randomly: Callable[..., None], make_folder: Callable[..., Path]
) -> Iterator[Server]:
    models = tmp_path / "models"
    models.mkdir()
    five.five_folders(models, fill_randomly, make_folder("bert"))
    server = Server(tmp_path, {"POLYSEE_MODELS": str(models), "POLYSEE_CACHE": str(tmp_path / "cache")})
    server.start()
    yield server
    server.stop(signal.SIGKILL)


def opened(page: Page, pictures: int = 1) -> None:
    """Pictures are painted, and nothing is refused."""
    expect(page.locator(".picture[data-drawn]").nth(pictures - 1)).to_be_visible()
    expect(page.locator('[data-testid="stAlertContentError"]')).to_have_count(0)


def test_each_opens_where_it_fits(running: Server, visit: Callable[..., Page]) -> None:
    text = "t=the%20river%20bank"
    for page, link in (
        ("heads", f"m={five.SHARDED}&{text}"),
        ("next-word", f"m={five.SHARDED}&{text}"),
        ("next-word", f"m={five.GGUF}&{text}"),
        ("next-word", f"m={five.RUN}&{text}"),
        ("compare", f"m={five.SENTENCES}"),
    ):
        opened(visit(f"{running.url}/{page}?{link}"))
    page = visit(f"{running.url}/heads?m={five.ADAPTER}&m2={five.BASE}&{text}")
    expect(page.get_by_role("heading", name="What the training changed")).to_be_visible()
    opened(page, 3)
    for side in (five.ADAPTER, five.BASE, "Difference"):
        page.get_by_role("radio", name=side, exact=True).click()
        expect(page.get_by_role("radio", name=side, exact=True)).to_be_checked()
    opened(page, 3)
