"""A model of one's own text, trained in a tab of the folder, is the server's; its text stays there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from core import own_text
from core.own_text import recipe as recipes
from core.own_text.run import TextRun
from pages.training.own_text.captions import headline, numbers
from tests.browser.static.conftest import Plain

pytestmark = [pytest.mark.check, pytest.mark.timeout(300)]
RECIPE = own_text.TextRecipe(layers=1, heads=2, width=32, window=32, batch=8, steps=12, seed=3)
TEXT = own_text.ready()["garden"].text


def _trained() -> TextRun:
    run = TextRun(TEXT, "", RECIPE, "", lambda: True)
    while not run._complete:
        run._advance()
    return run


@pytest.mark.fuzz
def test_it_learns_in_the_tab_what_it_learns_on_the_server(
    folder: Path, chromium: Browser, tmp_path: Path
) -> None:
    server, run = Plain(folder), _trained()
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    asked: list[str] = []
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        code = recipes.code(RECIPE)
        page.goto(f"{server.address()}training/?p=text&tx=own&tc={code}")
        page.get_by_label("Your text").fill(TEXT)
        page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
        page.get_by_role("button", name="Start").click()
        status = page.locator("[data-part=status]")
        expect(status).to_contain_text("Done, step 12 of 12", timeout=120_000)
        said = headline(run, run.snapshots[-1]).replace("*", "")
        expect(page.locator("[data-part=headline]")).to_have_text(said.strip())
        said = numbers(run, run.snapshots[-1]).replace("*", "")
        expect(page.locator("[data-part=numbers]")).to_have_text(said.strip())
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the model").click()
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)

        learned = own_text.load(file.read_bytes())
        assert (learned.recipe, learned.steps) == (RECIPE, 12)
        theirs = run._training.result().weights  # type: ignore[union-attr]
        for name, one in learned.weights.items():
            assert abs(one - theirs[name]).max() < 2e-4, name
        assert own_text.write(learned, "In the ", 60) == run._training.write("In the ", 60)  # type: ignore[union-attr]

        file.write_bytes(own_text.dump(replace(learned, steps=11)))  # as the server writes it
        page.locator("[data-part=load]").set_input_files(file)
        expect(status).to_contain_text("after 11 steps", timeout=60_000)
        expect(page.locator("[data-part=after] .picture[data-drawn]")).to_be_visible(timeout=60_000)
        page.locator("[data-part=load]").set_input_files(
            {"name": "x.safetensors", "mimeType": "", "buffer": file.read_bytes()[:-4]}
        )
        expect(page.get_by_role("alert")).to_contain_text("its numbers do not fit its recipe")
        assert asked
        assert all(one.startswith(f"GET {server.address()}") and "?" not in one for one in asked), asked
        assert not wrong
    finally:
        page.close()
        server.stop()
