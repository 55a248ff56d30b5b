"""The notebooks of docs/gallery for this checkout, in which the package `polysee` is `core`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "docs" / "gallery"
NOTEBOOKS = sorted(path.stem for path in GALLERY.glob("*.ipynb"))
# How many widgets and how many Plotly figures each shows.
SHOWN = {
    "attention_heads": (2, 0),
    "compare_a_word": (2, 0),
    "figures_for_a_paper": (0, 6),
    "history_of_a_word": (0, 0),
    "senses_of_a_word": (2, 1),
    "tables": (0, 0),
    "your_own_tensors": (3, 0),
}


def in_checkout(source: str) -> str:
    """A cell with the package's name in the checkout."""
    source = re.sub(r"^import polysee$", "import core as polysee", source, flags=re.MULTILINE)
    return re.sub(r"^from polysee\b", "from core", source, flags=re.MULTILINE)


def read(name: str) -> Any:
    """A notebook that runs in the checkout."""
    import nbformat  # takes a second and a half, here and in the tests

    notebook = nbformat.read(GALLERY / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = in_checkout(cell.source)
    return notebook


def shown(outputs: list[Any]) -> tuple[int, int]:
    """How many widgets and how many Plotly figures stand in the outputs of cells, none an error."""
    assert [out["text"] for out in outputs if out.get("name") == "stderr"] == []
    data = [out.get("data", {}) for out in outputs]
    kinds = ("application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json")
    widgets, figures = (sum(kind in one for one in data) for kind in kinds)
    return widgets, figures


def environment(folder: Path) -> dict[str, str]:
    """The variables of a notebook's server or kernel, which then writes only into this folder."""
    names = ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    own = {name: str(folder / name.lower()) for name in names}
    homes = {
        name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    }
    return {**os.environ, **own, **homes, "PYTHONPATH": str(ROOT)}
