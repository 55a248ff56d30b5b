"""The notebooks of docs/gallery for this checkout, in which the package `polysee` is `core`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "docs" / "gallery"
NOTEBOOKS = sorted(path.stem for path in GALLERY.glob("*.ipynb"))


def in_checkout(source: str) -> str:
    """A cell with the package's name in the checkout."""
    source = re.sub(r"^import polysee$", "import core as polysee", source, flags=re.MULTILINE)
    return re.sub(r"^from polysee\b", "from core", source, flags=re.MULTILINE)


def read(name: str) -> Any:
    """A notebook that runs in the checkout."""
    notebook = nbformat.read(GALLERY / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = in_checkout(cell.source)
    return notebook


def environment(folder: Path) -> dict[str, str]:
    """The variables of a notebook's server or kernel, which then writes only into this folder."""
    names = ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    own = {name: str(folder / name.lower()) for name in names}
    homes = {
        name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
    }
    return {**os.environ, **own, **homes, "PYTHONPATH": str(ROOT)}
