"""The browser's side of the pictures: ES modules under `src/`, a folder a picture, and their bundle.

`runtime/` is what every picture does in a page, `draw/` how marks, cells and labels are drawn. The
Python that packs a picture's numbers lies above, in `core.figures`, a module a family.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from .bundle import MODULES, code

__all__ = ["MODULES", "code"]


def __getattr__(name: str) -> Any:
    """The pictures of `core.figures` by their former address: deprecated."""
    figures = import_module("..", __name__)
    if name.startswith("_") or name not in figures.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"core.figures.web.{name} has moved: use core.figures.{name}", DeprecationWarning, stacklevel=2
    )
    return getattr(figures, name)
