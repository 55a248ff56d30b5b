"""The browser's side of the pictures: ES modules in `src/`, one folder per picture, and their bundles.

`runtime/` holds what every picture does in a page, `draw/` how marks, cells and labels are drawn. The
Python that packs a picture's numbers is in `core.figures`, one module for each family.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

from .bundle import MODULES, code

__all__ = ["MODULES", "code"]


def __getattr__(name: str) -> Any:
    """Deprecated: the pictures of `core.figures` under their former names."""
    figures = import_module("..", __name__)
    if name.startswith("_") or name not in figures.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        f"core.figures.web.{name} has moved: use core.figures.{name}", DeprecationWarning, stacklevel=2
    )
    return getattr(figures, name)
