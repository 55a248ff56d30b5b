"""The notebook in docs/, run in its own kernel; its pictures in a browser without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect

import core

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "polysee_in_a_notebook.ipynb"
TEXT = "Write a poem about a man fishing on a river bank."
SAVED = "polysee-layer-6.html"
GRID, LAYER, HEATMAP, OWN = range(4)  # its pictures


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which it runs, so that its files are not left in the checkout."""
    return tmp_path_factory.mktemp("notebook")


@pytest.fixture(scope="module")
def executed(folder: Path) -> Any:
    """The notebook after all cells have run in a kernel of this Python."""
    import nbformat  # takes a second and a half, as the others do
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    client = NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    with pytest.MonkeyPatch.context() as patched, ThreadPoolExecutor(1) as alone:
        patched.setenv("PYTHONPATH", str(ROOT))
        for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patched.setenv(name, str(folder / name.lower()))
        alone.submit(client.execute).result()  # a thread without an event loop
    return notebook


@pytest.fixture(scope="module")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    with chromium.new_context(viewport={"width": 1200, "height": 900}, offline=True) as made:
        yield made


class Shown:
    """A page from a file, the hosts that it requested, and the errors in our scripts."""

    def __init__(self, context: BrowserContext, file: Path) -> None:
        self.asked: set[str] = set()
        self.errors: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("request", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(file.as_uri())
        self.pictures = self.page.locator(".picture[data-drawn]")

    def _heard(self, request: Request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.asked.add(request.url)


@pytest.fixture(scope="module")
def shown(executed: Any, folder: Path, context: BrowserContext) -> Shown:
    """The notebook as `jupyter nbconvert --to html` shows it."""
    from nbconvert import HTMLExporter

    html, _ = HTMLExporter().from_notebook_node(executed)
    file = folder / "notebook.html"
    file.write_text(html, encoding="utf-8")
    return Shown(context, file)


@pytest.fixture(scope="module")
def weights(minilm: core.Model) -> np.ndarray:
    attention = minilm.trace(TEXT).attention
    assert attention is not None
    return attention.weights


def heard(picture: Locator, *keys: str) -> tuple[str, float]:
    """The text for a screen reader after these keys in a picture, and the first number in it."""
    area = picture.locator(".area")
    area.focus()
    for key in keys:
        area.press(key)
    said = picture.get_by_role("status").text_content() or ""
    number = re.search(r"\d\.\d{2,}", said)
    assert number, said
    return said, float(number[0])


def test_it_is_stored_without_outputs() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []
    assert f'"{TEXT}"' in "".join(code[0]["source"])


@pytest.mark.check
def test_every_cell_runs(executed: Any) -> None:
    cells = [cell for cell in executed.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {"execute_result", "stream"}
    warned = [output.text for output in outputs if output.get("name") == "stderr"]
    # A warning of tqdm, a dependency of transformers, in any notebook without ipywidgets.
    assert [text for text in warned if "TqdmWarning: IProgress not found" not in text] == []
    assert sum("text/html" in output.get("data", {}) for output in outputs) == 4


@pytest.mark.check
def test_all_pictures_are_painted_and_ask_nobody(shown: Shown) -> None:
    from nbconvert import HTMLExporter

    expect(shown.pictures).to_have_count(4)
    for picture in shown.pictures.all():
        box = picture.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) > 200
        host = picture.evaluate(
            "p => p.getRootNode().host.parentElement.getBoundingClientRect().height"
        )
        assert host == pytest.approx(box["height"], abs=1)  # no paper is left below it
    exporter = HTMLExporter()  # whose own page asks for these two; our pictures need neither
    assert shown.asked <= {exporter.require_js_url, exporter.mathjax_url}
    assert shown.errors == []


@pytest.mark.check
def test_all_heads_by_keys(shown: Shown, weights: np.ndarray) -> None:
    said, number = heard(shown.pictures.nth(GRID), "Control+Home", "ArrowDown", "ArrowRight")
    assert "Layer 2, head 2" in said
    assert number == pytest.approx(weights[1, 1].max(), abs=0.006)


@pytest.mark.check
def test_a_layer_leads_down_to_a_weight(shown: Shown, weights: np.ndarray) -> None:
    picture = shown.pictures.nth(LAYER)
    picture.get_by_role("tab", name="One head").click()
    said, number = heard(picture, "Control+Home", "ArrowDown", "ArrowRight", "ArrowRight")
    assert "write → a" in said
    assert number == pytest.approx(weights[2, 0, 1, 2], abs=6e-5)
    heads = picture.get_by_role("radiogroup", name="Heads")
    heads.get_by_role("radio", name="Head 6", exact=True).click()
    said, number = heard(picture, "ArrowLeft")
    assert "write → write" in said
    assert number == pytest.approx(weights[2, 5, 1, 1], abs=6e-5)


@pytest.mark.check
def test_one_head_by_mouse(shown: Shown, weights: np.ndarray) -> None:
    picture = shown.pictures.nth(HEATMAP)
    inner = weights[0, 2, 1:-1, 1:-1]
    inner = inner / inner.sum(axis=-1, keepdims=True)
    canvas = picture.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    rows, columns = inner.shape
    shown.page.mouse.move(
        box["x"] + 2.5 * box["width"] / columns, box["y"] + 3.5 * box["height"] / rows
    )
    tip = picture.locator(".tip")
    expect(tip).to_be_visible()
    said = tip.inner_text()
    assert said.startswith("about → poem: ")
    assert float(said.rpartition(" ")[2]) == pytest.approx(inner[3, 2], abs=6e-5)


@pytest.mark.check
def test_own_tensors(shown: Shown) -> None:
    scores = np.random.default_rng(0).normal(size=(2, 5, 3, 4)) * 2
    own = np.exp(scores[1, 0]) / np.exp(scores[1, 0]).sum(axis=-1, keepdims=True)
    picture = shown.pictures.nth(OWN)
    picture.get_by_role("tab", name="One head").click()
    said, number = heard(picture, "Control+End")
    assert "sat → assis" in said
    assert number == pytest.approx(own[2, 3], abs=6e-5)


@pytest.mark.check
def test_what_is_saved_opens_alone(executed: Any, folder: Path, context: BrowserContext) -> None:
    saved = Shown(context, folder / SAVED)
    expect(saved.pictures).to_have_count(1)
    expect(saved.pictures.get_by_role("tab", name="One product")).to_be_visible()
    assert saved.asked == set()
    assert saved.errors == []
