"""The notebooks of the gallery, unchanged with `import polysee`, run from the wheel alone."""

from __future__ import annotations

import json

import pytest

from tests.notebook import gallery
from tests.tiers import some
from tests.wheel.conftest import Installed

# All in one kernel, whose names are forgotten between two: torch is imported once.
RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.v4.new_notebook()
ends = []
for path in sys.argv[1:]:
    notebook.cells += nbformat.read(path, as_version=4).cells
    notebook.cells.append(nbformat.v4.new_code_cell("%reset -f"))
    ends.append(len(notebook.cells))
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
outputs = [cell.get("outputs", []) for cell in notebook.cells]
print(json.dumps([sum(outputs[a:b], []) for a, b in zip([0, *ends], ends)]))
"""

pytestmark = pytest.mark.check


@pytest.mark.fuzz
@pytest.mark.parametrize("names", some([["compare_a_word", "tables"], list(gallery.SHOWN)], 1), ids=len)
def test_notebooks_run(installed: Installed, names: list[str]) -> None:
    paths = [gallery.GALLERY / f"{name}.ipynb" for name in names]
    done = installed.run(installed.python, "-c", RUN, *paths)
    assert done.returncode == 0, done.stderr
    for name, outputs in zip(names, json.loads(done.stdout.splitlines()[-1]), strict=True):
        assert gallery.shown(outputs) == gallery.SHOWN[name], name
