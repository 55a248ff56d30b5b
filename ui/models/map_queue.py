"""The queue for neighbour maps: one map at a time; UMAP runs in a process that is already compiled."""

from __future__ import annotations

from core.measures.maps.umap_process import UmapProcess
from ui.models.work_queue import WorkQueue

FITTING = WorkQueue(1)  # each takes a core
UMAP = UmapProcess()
