"""A widget in real JupyterLab and marimo: choices go from the picture to Python, and back."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.notebook import gallery
from tools.server import free_port

pytestmark = pytest.mark.check
PATIENCE = 90_000  # milliseconds: a server, a kernel and a model on a busy machine

MAKE = """import core as polysee
view = polysee.head(polysee.load("minilm").trace("On the river bank"), 2, 5)
view"""
WITHOUT_A_BROWSER = """from core.notebook import browser
browser.find = lambda: None
view.save("late.svg")"""


@contextmanager
def served(folder: Path, command: Sequence[str], port: int, ready: str) -> Iterator[str]:
    """A notebook server on this machine; yields its address."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=folder,
            env=gallery.environment(folder),
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                urllib.request.urlopen(f"{address}{ready}", timeout=5).close()
                break
            except OSError:
                said = (folder / "server.log").read_text("utf-8")
                assert process.poll() is None, said
                assert time.monotonic() < until, said
                time.sleep(0.3)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1280, "height": 1400}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page


def head(picture: Locator) -> Locator:
    """The chosen head in a picture."""
    return picture.get_by_role("radiogroup", name="Heads").locator("[aria-checked=true]")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """A JupyterLab with a notebook of four cells, of which the last three are written by the test."""
    import nbformat  # takes a second and a half

    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in (MAKE, "", "", "")]
    )
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, tmp_path / "n.ipynb")
    settings = tmp_path / "jupyter_config_dir" / "labconfig"
    settings.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "default_setting_overrides.json").write_text(
        json.dumps({"@jupyterlab/apputils-extension:notification": quiet}), "utf-8"
    )
    port = free_port()
    command = [
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=t",
        f"--ServerApp.root_dir={tmp_path}",
    ]
    with served(tmp_path, command, port, "/api?token=t") as address:
        yield address


def run_cell(page: Page, at: int, source: str | None = None) -> Locator:
    """Run a cell, after writing it; returns its outputs."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(at)
    cell.locator(".cm-content").click()
    if source is not None:
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(source)
    prompt = cell.locator(".jp-InputPrompt")
    for _ in range(9):  # until its kernel has started, JupyterLab forgets what it was asked
        page.keyboard.press("Control+Enter")
        with contextlib.suppress(AssertionError):
            expect(prompt).not_to_have_text("[ ]:", timeout=PATIENCE / 9)
            break
    expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=PATIENCE)
    return cell.locator(".jp-OutputArea-output")


@pytest.mark.fuzz
def test_in_jupyterlab_a_choice_moves_both_ways(lab: str, page: Page, tmp_path: Path) -> None:
    page.goto(f"{lab}/lab/tree/n.ipynb?token=t&reset")
    run_cell(page, 0)
    picture = page.locator(".picture[data-drawn]")
    expect(picture).to_be_visible()
    expect(head(picture)).to_have_text("6")

    run_cell(page, 1, "view.head = 3")
    expect(head(picture)).to_have_text("4")

    picture.get_by_role("radio", name="Head 8", exact=True).click()
    expect(run_cell(page, 2, "(view.head, view.level)")).to_have_text("(7, 'head')")

    run_cell(page, 1, "view.layer = 0")  # new numbers, the same choices
    expect(head(picture)).to_have_text("8")
    expect(picture.locator("svg")).to_contain_text("Layer 1, head 8")

    expect(run_cell(page, 3, WITHOUT_A_BROWSER).first).to_contain_text("written when this cell has")
    until = time.monotonic() + PATIENCE / 1000
    while not (tmp_path / "late.svg").exists() and time.monotonic() < until:
        page.wait_for_timeout(200)
    assert "Layer 1, head 8" in (tmp_path / "late.svg").read_text("utf-8")


APP = f"""import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
{chr(10).join("    " + line for line in MAKE.splitlines()[:-1])}
    widget = mo.ui.anywidget(view)
    widget
    return mo, view, widget


@app.cell
def _(mo):
    set_head = mo.ui.run_button(label="Head 2")
    set_head
    return (set_head,)


@app.cell
def _(set_head, view):
    if set_head.value:
        view.head = 1
    return


@app.cell
def _(mo, widget):
    mo.md(f"Python has head {{widget.value['head']}}, {{widget.widget.head}}.")
    return


@app.cell
def _(polysee):
    polysee.Attention(["sat"], ["le", "chat"], [[[[0.25, 0.75]]]])
    return


if __name__ == "__main__":
    app.run()
""".replace("return mo, view, widget", "return mo, polysee, view, widget")


@pytest.mark.fuzz
def test_in_marimo_a_choice_moves_both_ways(page: Page, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP, "utf-8")
    port = free_port()
    command = ["marimo", "run", "app.py", "--headless", "--no-token"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    with served(tmp_path, command, port, "/health") as address:
        page.goto(address)
        pictures = page.locator(".picture[data-drawn]")
        expect(pictures).to_have_count(2, timeout=PATIENCE)
        picture, own = pictures.all()
        expect(head(picture)).to_have_text("6")
        expect(page.get_by_text("Python has head 5, 5.")).to_be_visible()
        expect(own.locator("svg").first).to_contain_text("chat")  # `Attention` shows itself

        picture.get_by_role("radio", name="Head 8", exact=True).click()
        expect(page.get_by_text("Python has head 7, 7.")).to_be_visible()

        page.get_by_role("button", name="Head 2", exact=True).click()
        expect(head(picture)).to_have_text("2")
