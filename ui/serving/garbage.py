"""What closed pages held is freed a while after somebody has done something, not after every run.

A visit hangs together in circles, which only a collection of garbage takes apart. Streamlit would make
one after every run (`runner.postScriptGC`), in which nobody is answered.
"""

from __future__ import annotations

import gc
import threading

AFTER = 20.0  # seconds between what somebody did and the collection
DEEP = 10  # each such one goes through what was set apart as well, which takes a third of a second


def set_apart() -> None:
    """Collect all garbage, and go no more through what is left: torch, transformers, the models.

    Going through all that takes longer than a run. What was set apart before and has gone since is
    garbage too.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Sweep:
    """Collects garbage once, `after` seconds after any number of calls of `soon`."""

    def __init__(self, after: float = AFTER, deep: int = DEEP) -> None:
        self._after, self._deep = after, deep
        self._lock = threading.Lock()
        self._coming = False
        self._done = 0

    def soon(self) -> None:
        """Something was done, and may have left something behind."""
        with self._lock:
            if self._coming:
                return
            self._coming = True
        timer = threading.Timer(self._after, self._sweep)
        timer.daemon = True
        timer.start()

    def _sweep(self) -> None:
        with self._lock:
            self._coming = False
            self._done += 1
            deep = self._done % self._deep == 0
        set_apart() if deep else gc.collect()


SWEEP = Sweep()  # the one of this server
