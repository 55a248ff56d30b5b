"""Runs of pages that a small model answers go first; those that wait for a large one let them pass.

Python runs one thread at a time. On a page with a language model, a class waits for the passes of that
model (`core.pretrained.engines.passes`); what Python does for each key, about 20 ms, hardly counts
beside them. It does count for a visitor with a small model, whose whole page takes about 60 ms and gets
longer with each page of the class that is drawn meanwhile. So a page that is about to draw what a
language model said waits until hers is there, a moment at most. The passes themselves go on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 0.1  # seconds that a page waits at most, each time: about one run with a small model


class Precedence:
    """Counts the runs that go first. Threads share it; each is in one run at a time."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._first = 0
        self._mine = threading.local()
        self._none_left = threading.Condition()

    @property
    def first(self) -> int:
        """The number of runs that go first."""
        return self._first

    @contextmanager
    def run(self) -> Iterator[None]:
        """Go first in this block, until it lets others pass. A run inside a run is part of it."""
        if getattr(self._mine, "goes_first", False):
            yield
            return
        with self._none_left:
            self._first += 1
        self._mine.goes_first = True
        try:
            yield
        finally:
            self._step_back()

    def let_pass(self) -> None:
        """Go first no longer, and wait until no run does, or the patience is over."""
        self._step_back()
        with self._none_left:
            self._none_left.wait_for(lambda: not self._first, self._patience)

    def _step_back(self) -> None:
        if not getattr(self._mine, "goes_first", False):
            return
        self._mine.goes_first = False
        with self._none_left:
            self._first -= 1
            self._none_left.notify_all()


RUNS = Precedence()
