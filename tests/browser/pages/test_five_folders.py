"""Five folders as people have them, each opened in the running app, and a long text: one server."""

from __future__ import annotations

import csv
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server
from tests.browser.saving import save_picture
from tests.pretrained import five_folders as five
from tests.pretrained.small_models import eager, save

LONG = "my-long"
LONG_TEXT = "the river bank " * 60

pytestmark = pytest.mark.check


@pytest.fixture
def running(
    tmp_path: Path, fill_randomly: Callable[..., None], make_folder: Callable[..., Path]
) -> Iterator[Server]:
    models = tmp_path / "models"
    models.mkdir()
    five.five_folders(models, fill_randomly, make_folder("bert"))
    save(models / LONG, "llama", fill_randomly, "ForCausalLM", max_position_embeddings=400)
    cache = str(tmp_path / "cache")
    # So little for a trace that 200 tokens are too many for one.
    given = {"POLYSEE_MODELS": str(models), "POLYSEE_CACHE": cache, "POLYSEE_TRACE_MB": "2"}
    server = Server(tmp_path, given)
    server.start()
    yield server
    server.stop(signal.SIGKILL)


def opened(page: Page, pictures: int = 1) -> None:
    """Pictures are painted, and nothing is refused."""
    expect(page.locator(".picture[data-drawn]").nth(pictures - 1)).to_be_visible()
    expect(page.locator('[data-testid="stAlertContentError"]')).to_have_count(0)


def test_each_opens_where_it_fits(running: Server, visit: Callable[..., Page], tmp_path: Path) -> None:
    text = "t=the%20river%20bank"
    for where, link in (
        ("heads", f"m={five.SHARDED}&{text}"),
        ("next-word", f"m={five.SHARDED}&{text}"),
        ("next-word", f"m={five.GGUF}&{text}"),
        ("next-word", f"m={five.RUN}&{text}"),
        ("compare", f"m={five.SENTENCES}"),
    ):
        opened(visit(f"{running.url}/{where}?{link}"))
    page = visit(f"{running.url}/heads?m={five.ADAPTER}&m2={five.BASE}&{text}")
    expect(page.get_by_role("heading", name="What the training changed")).to_be_visible()
    opened(page, 3)
    for side in (five.ADAPTER, five.BASE, "Difference"):
        page.get_by_role("radio", name=side, exact=True).click()
        expect(page.get_by_role("radio", name=side, exact=True)).to_be_checked()
    opened(page, 3)
    layer, head = 3, 6
    page = visit(f"{running.url}/heads?m={LONG}&t={LONG_TEXT.strip()}&wt={layer}.{head}.12.12")
    the_tile_is_exact(page, tmp_path / "models" / LONG, layer, head)


def the_tile_is_exact(page: Page, folder: Path, layer: int, head: int) -> None:
    """Each weight of the saved table is that of eager `transformers` on the whole text."""
    expect(page.get_by_text("weight by weight", exact=True)).to_be_visible()
    drawn = page.locator('.picture[data-drawn]:has([aria-label*="the weights of tokens"])')
    saving = save_picture(drawn, "CSV")
    rows = list(csv.DictReader(Path(saving.path()).read_text("utf-8-sig").splitlines()))
    plain = eager(folder)
    ids = plain.tokenizer(LONG_TEXT.strip(), return_tensors="pt").input_ids
    with torch.no_grad():
        weights = plain.model(ids, output_attentions=True).attentions[layer - 1][0, head - 1].numpy()
    found = np.array([float(one["weight"]) for one in rows])
    at, to = (np.array([int(one[of]) - 1 for one in rows]) for of in ("query", "key"))
    assert len(found) >= 40**2
    np.testing.assert_allclose(found, weights[at, to], rtol=0, atol=1e-5)
    assert found.max() > 0.01
