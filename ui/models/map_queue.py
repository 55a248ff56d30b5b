"""Maps of neighbours for all pages: one at a time, and UMAP in a process that is compiled already."""

from __future__ import annotations

from core.measures.maps.umap_process import UmapProcess
from ui.models.work_queue import WorkQueue

FITTING = WorkQueue(1)  # each takes a core
UMAP = UmapProcess()
