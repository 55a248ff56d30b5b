"""Each notebook of the gallery runs, cell by cell, in Jupyter's kernel and in marimo."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.notebook import gallery
from tests.notebook.gallery import SHOWN


def test_every_notebook_is_known_and_linked() -> None:
    assert sorted(SHOWN) == gallery.NOTEBOOKS
    index = (gallery.GALLERY / "README.md").read_text("utf-8")
    assert all(f"({name}.ipynb)" in index for name in SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_it_is_short_and_stored_without_outputs(name: str) -> None:
    cells = json.loads((gallery.GALLERY / f"{name}.ipynb").read_text("utf-8"))["cells"]
    assert 8 <= len(cells) <= 14
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []
    assert re.search(r"^(import|from) polysee\b", "".join(code[0]["source"]), re.MULTILINE)


@pytest.mark.fuzz  # `tests/wheel/test_notebooks.py` runs them in one kernel, two for `make check`
@pytest.mark.parametrize("name", SHOWN)
def test_it_runs_in_jupyter(name: str, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = gallery.read(name)
    nbformat.validate(notebook)
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    with pytest.MonkeyPatch.context() as patched, ThreadPoolExecutor(1) as alone:
        for variable, value in gallery.environment(tmp_path).items():
            patched.setenv(variable, value)
        alone.submit(client.execute).result()  # a thread without an event loop
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    assert gallery.shown(outputs) == SHOWN[name]


@pytest.mark.fuzz  # `tests/notebook/test_driven.py` drives marimo for `make check`
@pytest.mark.parametrize("name", SHOWN)
def test_it_runs_in_marimo(name: str, tmp_path: Path) -> None:
    import nbformat

    nbformat.write(gallery.read(name), tmp_path / f"{name}.ipynb")
    for command in (
        ["convert", f"{name}.ipynb", "-o", f"{name}.py"],
        ["export", "html", f"{name}.py", "-o", f"{name}.html", "--no-include-code"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "marimo", "-y", *command],
            cwd=tmp_path,
            env=gallery.environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "error" not in done.stderr.lower(), done.stderr
    page = (tmp_path / f"{name}.html").read_text("utf-8")
    assert page.count("marimo-anywidget") >= SHOWN[name][0]
