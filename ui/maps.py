"""Maps of neighbours for all pages: one at a time, and UMAP in a process that is compiled already."""

from __future__ import annotations

from core.measures.umap_process import UmapProcess
from ui.line import Line

FITTING = Line(1)  # each takes a core
UMAP = UmapProcess()
