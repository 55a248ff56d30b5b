"""The browser's side of the pictures: ES modules in `src/`, one folder per picture, and their bundles.

`runtime/` holds what every picture does in a page, `draw/` how marks, cells and labels are drawn. The
Python that packs a picture's numbers is in `core.figures`, one module for each family.
"""

from __future__ import annotations

from .bundle import MODULES, code

__all__ = ["MODULES", "code"]
