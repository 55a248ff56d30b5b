"""The notebooks of the gallery, unchanged with `import polysee`, run from the wheel alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.wheel.conftest import Installed

GALLERY = Path(__file__).resolve().parents[2] / "docs" / "gallery"
RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
data = [out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", ())]
print(json.dumps(sorted({kind for one in data for kind in one})))
"""

pytestmark = pytest.mark.check


@pytest.mark.parametrize("name", ["attention_heads", "compare_a_word", "figures_for_a_paper"])
def test_a_notebook_runs(installed: Installed, name: str) -> None:
    done = installed.run(installed.python, "-c", RUN, GALLERY / f"{name}.ipynb")
    assert done.returncode == 0, done.stderr
    kinds = json.loads(done.stdout.splitlines()[-1])
    shown = "plotly.v1" if name.startswith("figures") else "jupyter.widget-view"
    assert any(shown in kind for kind in kinds)
